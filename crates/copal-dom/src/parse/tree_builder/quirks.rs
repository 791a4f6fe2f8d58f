//! Which DOCTYPEs make a page one in quirks mode (13.2.6.4.1).
//!
//! In: a DOCTYPE. Out: whether it does. Limited quirks mode changes nothing about the tree.

use super::super::tokenizer::Doctype;

/// Beginnings of public identifiers, in lower case.
static PUBLIC_PREFIXES: &[&str] = &[
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
];

/// Beginnings of public identifiers that only count without a system identifier.
static PUBLIC_PREFIXES_WITHOUT_SYSTEM: &[&str] =
    &["-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//"];

static PUBLIC_IDENTIFIERS: &[&str] =
    &["-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html"];

const SYSTEM_IDENTIFIER: &str = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";

pub(super) fn has_quirks(doctype: &Doctype) -> bool {
    let public = doctype.public_id.as_deref().map(str::to_ascii_lowercase);
    let system = doctype.system_id.as_deref();
    let begins = |prefixes: &[&str]| {
        public.as_deref().is_some_and(|public| prefixes.iter().any(|prefix| public.starts_with(prefix)))
    };
    doctype.force_quirks
        || doctype.name.as_deref() != Some("html")
        || public.as_deref().is_some_and(|public| PUBLIC_IDENTIFIERS.contains(&public))
        || system.is_some_and(|system| system.eq_ignore_ascii_case(SYSTEM_IDENTIFIER))
        || begins(PUBLIC_PREFIXES)
        || system.is_none() && begins(PUBLIC_PREFIXES_WITHOUT_SYSTEM)
}

#[cfg(test)]
mod tests {
    use super::{Doctype, PUBLIC_PREFIXES, PUBLIC_PREFIXES_WITHOUT_SYSTEM, has_quirks};

    fn doctype(name: &str, public: Option<&str>, system: Option<&str>) -> Doctype {
        let [public_id, system_id] = [public, system].map(|id| id.map(str::to_owned));
        Doctype { name: Some(name.into()), public_id, system_id, force_quirks: false }
    }

    #[test]
    fn old_identifiers_have_quirks() {
        let strict = "-//W3C//DTD HTML 4.01//EN";
        for (public, system, quirks) in [
            (None, None, false),
            (None, Some("about:legacy-compat"), false),
            (Some(strict), Some("http://www.w3.org/TR/html4/strict.dtd"), false),
            (Some("-//W3C//DTD HTML 4.01 Transitional//EN"), None, true),
            (Some("-//W3C//DTD HTML 4.01 Transitional//EN"), Some("x"), false),
            (Some("-//W3C//DTD XHTML 1.0 Transitional//EN"), None, false),
            (Some("-//W3C//DTD HTML 3.2 Final//EN"), Some("x"), true),
            (Some("HTML"), None, true),
            (Some("html x"), None, false),
            (None, Some("http://www.IBM.com/data/dtd/v11/ibmxhtml1-transitional.dtd"), true),
        ] {
            assert_eq!(has_quirks(&doctype("html", public, system)), quirks, "{public:?} {system:?}");
        }
        assert!(has_quirks(&doctype("svg", None, None)));
        assert!(has_quirks(&Doctype { force_quirks: true, ..doctype("html", None, None) }));
        let all = || PUBLIC_PREFIXES.iter().chain(PUBLIC_PREFIXES_WITHOUT_SYSTEM);
        assert!(all().all(|prefix| *prefix == prefix.to_ascii_lowercase()));
    }
}
