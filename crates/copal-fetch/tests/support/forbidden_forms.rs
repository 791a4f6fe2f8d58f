//! URLs that must not be fetched, in every spelling we know of.

use std::collections::HashSet;

/// Addresses of this machine, of private networks and of other special ranges.
const LOCAL_ADDRESSES: &[[u8; 4]] = &[
    [127, 0, 0, 1],
    [127, 8, 9, 10],
    [10, 1, 2, 3],
    [172, 16, 5, 6],
    [192, 168, 1, 1],
    [169, 254, 169, 254],
    [100, 64, 9, 9],
    [198, 18, 3, 4],
    [203, 0, 113, 200],
    [224, 0, 0, 251],
    [240, 1, 2, 3],
];

/// All spellings, with the port of the canary.
pub(crate) fn forms(port: u16) -> Vec<String> {
    let hosts = include_str!("../data/forbidden-hosts.txt").lines().filter(|line| !line.starts_with("// "));
    let mut forms = Vec::new();
    for host in hosts.chain([""]) {
        // Hosts with userinfo or a broken port already contain a port.
        let has_port = host.contains(['#', '?', '\\']) || host.contains(":99999") || host.contains(":x");
        let authority = if has_port {
            host.replacen("127.0.0.1", &format!("127.0.0.1:{port}"), 1)
        } else {
            format!("{host}:{port}")
        };
        forms.push(format!("http://{authority}/"));
    }
    for [a, b, c, d] in LOCAL_ADDRESSES {
        let bits = u32::from_be_bytes([*a, *b, *c, *d]);
        let (high, low) = (bits >> 16, bits & 0xffff);
        for host in [
            format!("{a:#o}.{b:#o}.{c:#o}.{d:#o}").replace("0o", "0"),
            format!("{a:#x}.{b:#x}.{c:#x}.{d:#x}"),
            format!("{bits}"),
            format!("{bits:#X}").replace("0x", "0X"),
            format!("{bits:#o}").replace("0o", "0"),
            format!("{a}.{}", bits & 0x00ff_ffff),
            format!("{a}.{b}.{low}"),
            format!("{a}.{b}.{c}.{d}."),
            format!("[::ffff:{a}.{b}.{c}.{d}]"),
            format!("[0:0:0:0:0:FFFF:{high:x}:{low:x}]"),
            format!("[::{a}.{b}.{c}.{d}]"),
            format!("[64:ff9b::{a}.{b}.{c}.{d}]"),
            format!("[2002:{high:x}:{low:x}::1]"),
        ] {
            forms.push(format!("http://{host}:{port}/"));
        }
    }
    for spelling in [
        "http:127.0.0.1:PORT",
        "http:/127.0.0.1:PORT/",
        "http:\\\\127.0.0.1:PORT\\",
        "http:///127.0.0.1:PORT/",
        "http://///127.0.0.1:PORT/",
        "hTTp://127.0.0.1:PORT/",
        " http://127.0.0.1:PORT/ ",
        "ht\ntp://127.0.0.1:PORT/",
        "http://127.0.\t0.1:PORT/",
        "\u{1}http://127.0.0.1:PORT/",
        "https://127.0.0.1:PORT/",
        "https://[::1]:PORT/",
        "https://localhost:PORT/",
        "ws://127.0.0.1:PORT/",
        "wss://127.0.0.1:PORT/",
        "file:///etc/passwd",
        "file://127.0.0.1/etc/passwd",
        "FILE:/etc/passwd",
        "ftp://127.0.0.1:PORT/",
        "ftp://example.org/",
        "gopher://127.0.0.1:PORT/_x",
        "dict://127.0.0.1:PORT/x",
        "ldap://127.0.0.1:PORT/",
        "data:text/html,x",
        "javascript:alert(1)",
        "blob:http://127.0.0.1:PORT/x",
        "about:blank",
        "view-source:http://127.0.0.1:PORT/",
        "jar:http://127.0.0.1:PORT/x!/",
        "mailto:a@b.example",
        "chrome://settings",
        "unix:/var/run/docker.sock",
        "http+unix://%2Fvar%2Frun%2Fdocker.sock/x",
        "netdoc:///etc/passwd",
        "tel:1",
        "urn:x:y",
        "http://example.org:0/",
        "http://example.org:21/",
        "http://example.org:22/",
        "http://example.org:25/",
        "http://example.org:6667/",
        "http://example.org:10080/",
        "https://example.org:993/",
        "http://example.org:6000/",
        "http://xn--/",
        "http://exa\u{0}mple/",
        "http://",
    ] {
        forms.push(spelling.replace("PORT", &port.to_string()));
    }
    let mut seen = HashSet::new();
    forms.retain(|form| seen.insert(form.clone()));
    forms
}
