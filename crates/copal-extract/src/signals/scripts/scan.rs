//! JSON values in the text of a script, without running it.
//!
//! In: declared data (a text that is JSON as a whole, possibly in a comment or CDATA section) or code. Out:
//! each value, with the name before it (`window.__STATE__`). In code a value is what follows `=`, `(` or `:`
//! and parses as JSON, up to where the JSON ends; the string of `JSON.parse("…")` is parsed; the texts of
//! `….push([1, "…"])` are one stream whose lines are parsed at the end. What does not parse is skipped. Every
//! byte that is tried counts: once the budget is spent nothing more is read, so the cost is bounded whatever
//! the text is.

use super::literal;
use serde_json::{Deserializer, Value};

/// Longest script that is read.
const MAX_SCRIPT_BYTES: usize = 6_000_000;
/// Bytes that are tried per page; a byte that is tried twice counts twice.
const MAX_SCRIPT_BYTES_PER_PAGE: usize = 24_000_000;

/// Bytes of memory that the values of one script can take.
const MAX_VALUE_MEMORY: usize = 250_000_000;

/// Receives the name before a value, and the value.
pub(crate) type ValueSink<'t> = dyn FnMut(&str, Value) + 't;

/// Reads values until its budget is spent.
pub(crate) struct JsonScanner {
    left: usize,
    /// Something was not read because the budget was spent.
    pub(crate) cut: bool,
    /// The texts of `push` calls, joined.
    stream: String,
}

impl JsonScanner {
    pub(crate) fn new() -> Self {
        JsonScanner { left: MAX_SCRIPT_BYTES_PER_PAGE, cut: false, stream: String::new() }
    }

    /// The values of a text that is declared to be JSON, or why it does not parse.
    pub(crate) fn data(&mut self, text: &str, take: &mut ValueSink<'_>) -> Result<(), String> {
        let text = unwrapped(text);
        if text.is_empty() || !self.may_read(text) {
            return Ok(());
        }
        let mut read = self.read(text);
        if read.is_err() && text.contains(['\n', '\r', '\t']) {
            // line breaks inside strings are the most frequent fault; elsewhere they mean nothing
            read = self.read(&text.replace(['\n', '\r', '\t'], " "));
        }
        let (value, end) = read.map_err(|(why, _)| why)?;
        take("", value);
        let mut rest = text.get(end..).unwrap_or("").trim_start();
        while rest.starts_with(['{', '[']) {
            let Ok((value, end)) = self.read(rest) else { break };
            take("", value);
            rest = rest.get(end..).unwrap_or("").trim_start();
        }
        Ok(())
    }

    /// The values in code.
    pub(crate) fn code(&mut self, text: &str, take: &mut ValueSink<'_>) {
        if !self.may_read(text) {
            return;
        }
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(opener) = bytes.get(at..).and_then(|rest| rest.iter().position(|b| b"=(:".contains(b)))
        {
            let opener = at + opener;
            at = opener + 1;
            if self.left == 0 {
                self.cut = true;
                return;
            }
            // openers are single bytes of ASCII, so the text can be cut after them
            let rest = text[at..].trim_start();
            let start = text.len() - rest.len();
            let before = || words_before(&text[..opener]);
            if rest.starts_with(['"', '\'', '`']) && bytes[opener] == b'(' && before().ends_with("JSON.parse")
            {
                self.left = self.left.saturating_sub(rest.len().min(64));
                let Some((inner, end)) = literal::read(rest) else { continue };
                self.left = self.left.saturating_sub(end);
                if self.may_read(&inner)
                    && let Ok((value, _)) = self.read(inner.trim_start())
                {
                    take(&words_before_call(&text[..opener]), value);
                    at = start + end;
                }
            } else if may_begin(rest)
                && let Ok((value, end)) = self.read(rest)
            {
                match pushed(&value).filter(|_| before().rsplit('.').next() == Some("push")) {
                    Some(piece) => self.stream.push_str(piece),
                    None => take(&before(), value),
                }
                at = start + end;
            }
        }
    }

    /// The values in the joined texts of `push` calls: lines of `key:JSON`.
    pub(crate) fn stream(&mut self, take: &mut ValueSink<'_>) {
        let stream = std::mem::take(&mut self.stream);
        if !self.may_read(&stream) {
            return;
        }
        for line in stream.lines() {
            let Some((key, rest)) = line.split_once(':') else { continue };
            let short = key.len() <= 8 && key.bytes().all(|b| b.is_ascii_alphanumeric());
            if short
                && may_begin(rest)
                && let Ok((value, _)) = self.read(rest)
            {
                take(key, value);
            }
        }
    }

    /// False, with `cut` set, if a text is too long or has too many values for the memory of a page.
    fn may_read(&mut self, text: &str) -> bool {
        let may = text.len() <= MAX_SCRIPT_BYTES.min(self.left) && is_within_memory(text);
        self.cut |= !may;
        may
    }

    /// The value that a text begins with and where it ends; else why it does not parse, and how far it was
    /// read.
    fn read(&mut self, text: &str) -> Result<(Value, usize), (String, usize)> {
        let mut values = Deserializer::from_str(text).into_iter::<Value>();
        let read = match values.next() {
            Some(Ok(value)) => Ok((value, values.byte_offset())),
            Some(Err(error)) => Err((error.to_string(), byte_offset_of(text, error.line(), error.column()))),
            None => Err(("nothing there".to_owned(), 0)),
        };
        let (Ok((_, bytes)) | Err((_, bytes))) = &read;
        self.left = self.left.saturating_sub(bytes + 1);
        read
    }
}

/// False if the values of a text may take more than [`MAX_VALUE_MEMORY`]. The bound was measured for objects of
/// one key and for numbers. A short text cannot reach it, whatever is in it.
fn is_within_memory(text: &str) -> bool {
    let count = |bytes: u8| text.bytes().filter(|b| *b == bytes).count();
    let memory = || text.len() + OBJECT_BYTES * count(b'{') + VALUE_BYTES * (count(b',') + count(b'['));
    text.len() * (1 + OBJECT_BYTES) <= MAX_VALUE_MEMORY || memory() <= MAX_VALUE_MEMORY
}

/// Memory of an object, and of any other value.
const OBJECT_BYTES: usize = 700;
const VALUE_BYTES: usize = 100;

/// The text without comment and CDATA markers in front of the value.
fn unwrapped(text: &str) -> &str {
    let mut text = text.trim();
    let marks = ["\u{feff}", "<!--", "//", "/*", "*/", "<![CDATA["];
    while let Some(rest) = marks.iter().find_map(|mark| text.strip_prefix(mark)) {
        text = rest.trim_start();
    }
    text
}

/// True if a text can begin with an object or array of JSON. A block of code begins with `{` too, but no
/// quote follows.
fn may_begin(text: &str) -> bool {
    let inside = |rest: &str| rest.trim_start().bytes().next().unwrap_or(b' ');
    match (text.strip_prefix('{'), text.strip_prefix('[')) {
        (Some(rest), _) => inside(rest) == b'"',
        (_, Some(rest)) => {
            matches!(inside(rest), b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n')
        }
        _ => false,
    }
}

/// The text of `[1, "text"]`.
fn pushed(value: &Value) -> Option<&str> {
    match value.as_array()?.as_slice() {
        [Value::Number(_), Value::String(text)] => Some(text),
        _ => None,
    }
}

/// The name in front of `=`, `(` or `:`.
fn words_before(text: &str) -> String {
    let text = text.trim_end().trim_end_matches(['"', '\'', ']']);
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
    let from = text.char_indices().rev().take(MAX_NAME_LENGTH).take_while(|(_, c)| part(*c)).last();
    from.map_or(String::new(), |(at, _)| text[at..].to_owned())
}

/// Longest name in front of a value, in characters.
const MAX_NAME_LENGTH: usize = 60;

/// The name in front of `= JSON.parse`.
fn words_before_call(text: &str) -> String {
    let text = text.trim_end();
    let text = text.strip_suffix("JSON.parse").unwrap_or(text).trim_end();
    words_before(text.strip_suffix('=').unwrap_or(text))
}

/// The byte at a line and column.
fn byte_offset_of(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split('\n').take(line.saturating_sub(1)).map(|line| line.len() + 1).sum();
    (before + column).min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn code(text: &str) -> Vec<(String, Value)> {
        let (mut scanner, mut out) = (JsonScanner::new(), Vec::new());
        scanner.code(text, &mut |name, value| out.push((name.to_owned(), value)));
        scanner.stream(&mut |name, value| out.push((name.to_owned(), value)));
        out
    }

    fn data(text: &str) -> (Vec<Value>, Result<(), String>) {
        let (mut scanner, mut out) = (JsonScanner::new(), Vec::new());
        let result = scanner.data(text, &mut |_, value| out.push(value));
        (out, result)
    }

    #[test]
    fn values_end_where_the_json_ends() {
        let found = code(
            "window.__STATE__ = {\"a\": [1, 2.50]};\nfunction f(){ return {b: 1} } var x=[{\"c\":\"}\"}],y=3;",
        );
        assert_eq!(
            found[0],
            ("window.__STATE__".to_owned(), serde_json::from_str("{\"a\":[1,2.50]}").unwrap())
        );
        assert_eq!(found[0].1["a"][1].to_string(), "2.50", "numbers stay as they are written");
        assert_eq!(found[1], ("x".to_owned(), json!([{"c": "}"}])));
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn values_inside_code_that_is_not_json_are_found() {
        assert_eq!(
            code("init({ name: 'x', items: [{\"a\": 1}] })"),
            [("items".to_owned(), json!([{"a": 1}]))]
        );
        assert_eq!(code("window[\"state\"] = {\"a\":1}"), [("state".to_owned(), json!({"a": 1}))]);
    }

    #[test]
    fn strings_of_json_parse_are_read() {
        let text = r#"self.data = JSON.parse("{\"a\":\"it\u0027s \\\"so\\\"\"}"); var b = JSON.parse('[{"c":"\x41"}]')"#;
        let found = code(text);
        assert_eq!(found[0], ("self.data".to_owned(), json!({"a": "it's \"so\""})));
        assert_eq!(found[1], ("b".to_owned(), json!([{"c": "A"}])));
    }

    #[test]
    fn pushed_pieces_are_one_stream() {
        let text = r#"self.__n=self.__n||[];self.__n.push([1,"1:[\"$\",{\"items\":[{\"a"]);self.__n.push([1,"\":1}]}]\n2:x"])"#;
        assert_eq!(code(text), [("1".to_owned(), json!(["$", {"items": [{"a": 1}]}]))]);
    }

    #[test]
    fn declared_data_can_be_wrapped_and_have_line_breaks_in_strings() {
        for text in [
            "{\"a\":1}",
            " <!-- {\"a\":1} -->",
            "//<![CDATA[\n{\"a\":1}\n//]]>",
            "/*<![CDATA[*/ {\"a\":1}; /*]]>*/",
        ] {
            assert_eq!(data(text), (vec![json!({"a": 1})], Ok(())), "{text}");
        }
        assert_eq!(data("{\"a\":\"b\nc\"}").0, [json!({"a": "b c"})]);
        assert_eq!(data("{\"a\":1}{\"b\":2}").0.len(), 2);
        assert!(data("{\"a\":1,}").1.is_err());
        assert_eq!(data("  "), (vec![], Ok(())));
    }

    #[test]
    fn work_is_bounded() {
        let mut scanner = JsonScanner::new();
        let deep = "x=[".to_owned() + &"[{\"a\":".repeat(500_000);
        scanner.code(&deep, &mut |_, _| {});
        // unclosed at every level: each opener reads to the end of the text, until the budget is spent
        let open = "x={\"a\":[1,".to_owned() + &"{\"a\":\"=[1\"},".repeat(300_000);
        scanner.code(&open, &mut |_, _| {});
        let mut huge = JsonScanner::new();
        huge.code(&" ".repeat(MAX_SCRIPT_BYTES + 1), &mut |_, _| {});
        assert!(huge.cut);
        let mut many = JsonScanner::new();
        many.code(&format!("x=[{}1]", "{\"a\":1},".repeat(400_000)), &mut |_, _| panic!("too many values"));
        assert!(many.cut);
        while !scanner.cut {
            scanner.code(&open, &mut |_, _| {});
        }
    }

    proptest! {
        #[test]
        fn any_text_is_scanned(text in r#"([a-z.]{0,4}(=|\(|:|\{|\[|"|'|\\|\\u|\\x|,|;|\]|\}|[0-9é🙂]|JSON\.parse\(|\.push\(\[1,"){0,3}){0,30}"#) {
            code(&text);
            let _ = data(&text);
        }

        #[test]
        fn any_characters_are_scanned(text in any::<String>()) {
            code(&text);
            let _ = data(&text);
        }
    }
}
