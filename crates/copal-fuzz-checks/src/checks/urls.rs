//! Any text as a URL or as the target of a redirect: what may be fetched is HTTP on a public host, and stays the same
//! when it is read again.

use crate::allowed_url::{AllowedUrl, HostPolicy};
use std::net::IpAddr;

pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let public = HostPolicy { allow_private: false, global: Vec::new() };
    let base = AllowedUrl::parse("https://a.example/list", &public).expect("a public URL");
    let forms = [text.to_string(), format!("http://{text}/"), format!("//{text}")];
    for form in &forms {
        for allowed in [AllowedUrl::parse(form, &public), base.join(form, &public)].into_iter().flatten() {
            let url = &allowed.url;
            assert!(matches!(url.scheme(), "http" | "https"), "{url}");
            assert!(
                url.username().is_empty() && url.password().is_none() && url.fragment().is_none(),
                "{url}"
            );
            let host = url.host_str().expect("a host").trim_matches(['[', ']']).to_owned();
            if let Ok(address) = host.parse::<IpAddr>() {
                assert!(!is_local(address), "{url} is a local address");
            }
            let name = host.to_ascii_lowercase();
            assert!(name != "localhost" && !name.ends_with(".localhost"), "{url}");
            // a reader that reads it differently the second time would be asked for another host
            let again = AllowedUrl::parse(url.as_str(), &public).expect("what was allowed is allowed");
            assert_eq!(&again.url, url, "{form:?}");
        }
    }
}

/// Addresses of this machine and of private networks, by the standard library's definitions.
fn is_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            address.is_loopback()
                || address.is_private()
                || address.is_link_local()
                || address.is_unspecified()
                || address.is_broadcast()
                || address.is_multicast()
        }
        IpAddr::V6(address) => {
            address.is_loopback()
                || address.is_unspecified()
                || address.is_unique_local()
                || address.is_unicast_link_local()
                || address.is_multicast()
                || address.to_ipv4_mapped().is_some_and(|inner| is_local(IpAddr::V4(inner)))
        }
    }
}
