//! URLs that must not be fetched, in every spelling we know of. `research/hostile/forbidden_set.py` reads the same file.

/// All spellings, with the port of the canary.
pub(crate) fn forms(port: u16) -> Vec<String> {
    let lines = include_str!("../data/forbidden-urls.txt").lines().filter(|line| !line.starts_with("// "));
    lines.map(|line| unescaped(line).replace("PORT", &port.to_string())).collect()
}

/// Escapes keep control characters and outer spaces visible in the file.
fn unescaped(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        rest = match after.strip_prefix('x') {
            Some(code) => {
                text.push(char::from(u8::from_str_radix(&code[..2], 16).unwrap()));
                &code[2..]
            }
            None => {
                text.push('\\');
                &after[1..]
            }
        };
    }
    text + rest
}
