//! Latin letters without their marks.
//!
//! In: a label, or a letter. Out: what labels are compared by. The build script uses this file too, so that the
//! table of labels is written with the same letters that it is searched with. O(length).

/// What labels are compared by: letters and digits in lower case, without marks.
pub(crate) fn lookup_key(label: &str) -> String {
    let mut key = String::with_capacity(label.len());
    for c in label.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase) {
        push_without_marks(&mut key, c);
    }
    key
}

/// True for marks that follow the letter they belong to.
pub(crate) fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// Latin letters with marks, each group after the letter that it stands for.
const MARKED_LETTERS: &[(&str, &str)] = &[
    ("a", "àáâãäåāăąǎạảấầẩẫậắằẳẵặ"),
    ("ae", "æ"),
    ("c", "çćĉċč"),
    ("d", "ďđð"),
    ("e", "èéêëēĕėęěẹẻẽếềểễệ"),
    ("g", "ĝğġģ"),
    ("h", "ĥħ"),
    ("i", "ìíîïĩīĭįıỉị"),
    ("j", "ĵ"),
    ("k", "ķ"),
    ("l", "ĺļľŀł"),
    ("n", "ñńņňŉ"),
    ("o", "òóôõöøōŏőơọỏốồổỗộớờởỡợ"),
    ("oe", "œ"),
    ("r", "ŕŗř"),
    ("s", "śŝşšș"),
    ("ss", "ß"),
    ("t", "ţťŧț"),
    ("th", "þ"),
    ("u", "ùúûüũūŭůűųưụủứừửữự"),
    ("w", "ŵ"),
    ("y", "ýÿŷỳỵỷỹ"),
    ("z", "źżž"),
];

/// Appends a letter in lower case without its marks.
pub(crate) fn push_without_marks(text: &mut String, c: char) {
    // most letters are plain, and only Latin ones lose their marks
    if !matches!(c, '\u{c0}'..='\u{24f}' | '\u{300}'..='\u{36f}' | '\u{1e00}'..='\u{1eff}') {
        text.push(c);
        return;
    }
    match MARKED_LETTERS.iter().find(|(_, marked)| marked.contains(c)) {
        Some((plain, _)) => text.push_str(plain),
        None if is_mark(c) => {}
        None => text.push(c),
    }
}
