//! The studio: its files, which are part of the program, and the policies with which they are sent.
//!
//! The studio itself runs its own scripts only. The frame in which it shows pages is a document without an origin that
//! runs one script, by its nonce, and loads nothing at all.

use super::endpoints::Answered;
use super::problem::Problem;
use axum::body::Body;
use axum::extract::Path;
use axum::http::{HeaderValue, Response, header};

/// The policy of the studio.
const STUDIO_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The document of the frame; `NONCE` and `SCRIPT` are replaced.
const FRAME: &str = include_str!("../../studio/frame.html");
const FRAME_SCRIPT: &str = include_str!("../../studio/frame.js");
/// Random bytes of a nonce.
const NONCE_BYTES: usize = 18;

macro_rules! studio_files {
    ($($name:literal $kind:literal),* $(,)?) => {
        &[$(($name, $kind, include_str!(concat!("../../studio/", $name)))),*]
    };
}

const SCRIPT: &str = "text/javascript; charset=utf-8";
const FILES: &[(&str, &str, &str)] = studio_files! {
    "studio.css" "css", "layout.css" "css", "icon.svg" "svg",
    "main.js" "js", "store.js" "js", "api.js" "js", "colours.js" "js", "dom.js" "js", "page_tree.js" "js", "frame_link.js" "js",
    "requests.js" "js", "reasons.js" "js", "remember.js" "js", "pressing.js" "js", "section_actions.js" "js",
    "open_page.js" "js", "actions.js" "js", "drafts.js" "js", "keys.js" "js", "toasts.js" "js", "preview.js" "js",
    "lists_panel.js" "js", "elements_panel.js" "js", "sections_panel.js" "js", "page_view.js" "js",
    "table_view.js" "js", "column_menu.js" "js", "wrapper_view.js" "js", "point_view.js" "js",
    "try_view.js" "js", "keep_view.js" "js", "library_view.js" "js", "data_view.js" "js",
    "object_view.js" "js", "domain_view.js" "js", "gazetteer_view.js" "js", "welcome_view.js" "js", "examples.js" "js",
};
const INDEX: &str = include_str!("../../studio/index.html");

/// The studio
pub(crate) async fn index() -> Answered {
    Ok(studio_response("text/html; charset=utf-8", INDEX))
}

/// A file of the studio
pub(crate) async fn file(Path(name): Path<String>) -> Answered {
    let (_, kind, text) = FILES
        .iter()
        .find(|(own, ..)| *own == name)
        .ok_or_else(|| Problem::not_found("the studio has no such file"))?;
    let kind = match *kind {
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => SCRIPT,
    };
    Ok(studio_response(kind, text))
}

/// The frame in which pages are shown
pub(crate) async fn frame() -> Answered {
    let nonce = new_nonce()?;
    let policy = format!(
        "sandbox allow-scripts; default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; \
         img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    );
    let text = FRAME.replace("NONCE", &nonce).replace("SCRIPT", FRAME_SCRIPT);
    let mut response = Response::new(Body::from(text));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers
        .insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_str(&policy).map_err(Problem::internal)?);
    Ok(response)
}

fn studio_response(kind: &'static str, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(STUDIO_POLICY));
    response
}

/// A text that nobody can guess.
fn new_nonce() -> Result<String, Problem> {
    let mut bytes = [0; NONCE_BYTES];
    getrandom::fill(&mut bytes).map_err(Problem::internal)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonces_differ_and_the_frame_has_one_script() {
        assert_ne!(new_nonce().unwrap(), new_nonce().unwrap());
        assert_eq!(FRAME.matches("<script").count(), 1);
        assert!(FRAME.contains("<script nonce=\"NONCE\">SCRIPT</script>"));
        // the script is put into the document
        assert!(!FRAME_SCRIPT.contains("</") && !FRAME_SCRIPT.contains("NONCE"));
    }

    #[test]
    fn scripts_and_documents_name_files_that_exist_and_nothing_outside() {
        let known = |name: &str| FILES.iter().any(|(own, ..)| *own == name);
        for (file, _, text) in FILES.iter().chain([&("index.html", "html", INDEX)]) {
            // the name space of SVG is not an address
            let text = &text.replace("http://www.w3.org/2000/svg", "");
            let is_address = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphanumeric());
            assert!(!text.split("://").skip(1).any(is_address), "{file} names an address");
            for piece in text.split("/studio/").skip(1) {
                let name: String =
                    piece.chars().take_while(|c| c.is_alphanumeric() || "._".contains(*c)).collect();
                assert!(name == "frame" || known(&name), "{file}: {name}");
            }
            for piece in text.split(" from \"./").skip(1) {
                let name = piece.split('"').next().unwrap_or_default();
                assert!(known(name), "{file}: {name}");
            }
            assert!(text.lines().count() <= 400, "{file}");
        }
    }
}
