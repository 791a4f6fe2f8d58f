//! What a visitor does with the elements of a page: presses them, types into fields, chooses suggestions.
//!
//! In: an element of a tab. Out: whether it was still there; the page is quiet again. [`Tab::form_request`] runs the
//! scripts of a form as if its button was pressed, and returns what would have been sent instead of sending it; only a
//! script that goes out of its way to hide the event can make the browser send the form, which is why callers ask about
//! searches only. Every command and every wait is bounded.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::RenderError;
use crate::tab::{ElementHandle, Tab};

/// Letters that are typed into a field at most.
pub const MAX_TYPED_CHARS: usize = 60;
/// The longest wait for what a script does about a letter or a suggestion: a visitor would not wait longer.
const SUGGESTION_TIME: Duration = Duration::from_secs(6);
/// Time for the page to say where it is.
const URL_TIME: Duration = Duration::from_secs(5);
/// Fields of a form that are read.
const MAX_FORM_FIELDS: usize = 200;
/// Bytes of what a form would send.
const MAX_FORM_BYTES: usize = 100_000;

const PRESS: &str = "function() { this.scrollIntoView({ block: 'center' }); \
    if (this.disabled || !this.isConnected) return false; this.click(); return true; }";

/// Scripts of suggestion lists listen to different events: many to `mousedown`, because the list closes when the field
/// loses the focus, some to `mouseover` before a click. The element in a list item that has its whole text, such as a
/// link, is chosen instead of the item: events go up from it.
const CHOOSE: &str = "function() { if (!this.isConnected) return false; \
    this.scrollIntoView({ block: 'nearest' }); \
    let target = this; \
    for (let depth = 0; depth < 20 && target.children.length === 1; depth++) { \
        const inner = target.firstElementChild; \
        if (inner.textContent.trim() !== target.textContent.trim()) break; \
        target = inner; } \
    const send = (kind, type) => target.dispatchEvent(new type(kind, { bubbles: true, cancelable: true, view: window })); \
    send('pointerover', PointerEvent); send('mouseover', MouseEvent); send('mousemove', MouseEvent); \
    send('pointerdown', PointerEvent); send('mousedown', MouseEvent); \
    send('pointerup', PointerEvent); send('mouseup', MouseEvent); \
    if (target.click) target.click(); else send('click', MouseEvent); return true; }";

/// Puts the cursor into a field and selects what is in it, so that the next letter replaces it.
const FOCUS: &str = "function() { if (this.disabled || this.readOnly || !this.isConnected) return false; \
    this.scrollIntoView({ block: 'center' }); this.focus(); if (this.select) this.select(); \
    return this.getRootNode().activeElement === this; }";

/// Runs the scripts that a press of the form's button runs, and returns what would be sent instead of sending it. `null`
/// if the browser would not send the form, or if a script does it.
const FORM_REQUEST: &str = "function() { \
    const form = this.form; if (!(form instanceof HTMLFormElement)) return null; \
    const attribute = (element, name) => element ? Element.prototype.getAttribute.call(element, name) : null; \
    const button = Element.prototype.querySelector.call(form, \
        'button:not([type=button]):not([type=reset]),input[type=submit],input[type=image]'); \
    let sent = null; \
    const onSubmit = event => { \
        if (event.target !== form || event.defaultPrevented) return; \
        event.preventDefault(); \
        const fields = []; \
        for (const [name, value] of new FormData(form, button)) \
            if (typeof value === 'string' && fields.length < 200) fields.push([name, value.slice(0, 4000)]); \
        const action = attribute(button, 'formaction') || attribute(form, 'action') || document.URL; \
        const method = attribute(button, 'formmethod') || attribute(form, 'method') || 'get'; \
        sent = { url: new URL(action, document.baseURI).href, is_post: method.toLowerCase() === 'post', fields }; }; \
    const reachWindow = event => { event.stopPropagation = event.stopImmediatePropagation = () => {}; }; \
    window.addEventListener('submit', reachWindow, true); \
    window.addEventListener('submit', onSubmit); \
    try { HTMLFormElement.prototype.requestSubmit.call(form, button); } \
    finally { window.removeEventListener('submit', reachWindow, true); window.removeEventListener('submit', onSubmit); } \
    return sent; }";

/// What a form would send.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FormRequest {
    /// The URL of the form, without its fields.
    pub url: String,
    /// It would be sent by POST.
    pub is_post: bool,
    /// Names and values, in the order in which they would be sent.
    pub fields: Vec<(String, String)>,
}

impl Tab {
    /// Presses an element and waits until the page is quiet. Returns false if the element is gone.
    pub fn press(&mut self, element: ElementHandle) -> Result<bool, RenderError> {
        self.act(element, PRESS, self.page_time)
    }

    /// Chooses a suggestion of a list that a script shows. Returns false if it is gone.
    pub fn choose(&mut self, element: ElementHandle) -> Result<bool, RenderError> {
        self.act(element, CHOOSE, SUGGESTION_TIME)
    }

    fn act(
        &mut self,
        element: ElementHandle,
        function: &'static str,
        time: Duration,
    ) -> Result<bool, RenderError> {
        self.pause()?;
        let acted = self.call_on(element, function)?;
        self.settle(false, time)?;
        self.check_documents()?;
        Ok(acted == true)
    }

    /// Types a text into a field, key by key, in place of what is there, and waits until the page is quiet. Only the
    /// first [`MAX_TYPED_CHARS`] letters are typed. Returns false if the field is gone or takes no text.
    pub fn type_text(&mut self, field: ElementHandle, text: &str) -> Result<bool, RenderError> {
        self.pause()?;
        let _: Value =
            self.session.call("Emulation.setFocusEmulationEnabled", &json!({ "enabled": true }))?;
        if self.call_on(field, FOCUS)? != true {
            return Ok(false);
        }
        for letter in text.chars().filter(|letter| !letter.is_control()).take(MAX_TYPED_CHARS) {
            let letter = letter.to_string();
            let down = json!({ "type": "keyDown", "text": letter, "unmodifiedText": letter, "key": letter });
            let _: Value = self.session.call("Input.dispatchKeyEvent", &down)?;
            let up = json!({ "type": "keyUp", "key": letter });
            let _: Value = self.session.call("Input.dispatchKeyEvent", &up)?;
        }
        self.settle(false, SUGGESTION_TIME)?;
        self.check_documents()?;
        Ok(true)
    }

    /// What the form of a field would send now; nothing is sent. `None` if it has no form, if it is not filled in as the
    /// page demands, or if a script sends it. Such a script may have opened another page, see [`Tab::url`].
    pub fn form_request(&mut self, field: ElementHandle) -> Result<Option<FormRequest>, RenderError> {
        self.session.handle_events()?;
        let sent = self.call_on(field, FORM_REQUEST)?;
        self.settle(false, SUGGESTION_TIME)?;
        self.check_documents()?;
        // the page may have changed what its functions do
        let request = serde_json::from_value::<FormRequest>(sent).ok();
        Ok(request.filter(|request| {
            let bytes: usize = request.fields.iter().map(|(name, value)| name.len() + value.len()).sum();
            request.fields.len() <= MAX_FORM_FIELDS && bytes <= MAX_FORM_BYTES
        }))
    }

    /// The URL of the page that is shown now.
    pub fn url(&self) -> Result<String, RenderError> {
        let url = self.session.evaluate("document.URL", URL_TIME)?;
        Ok(url.as_str().unwrap_or_default().to_owned())
    }

    /// The value of a function with the element as `this`; null if the element is gone.
    fn call_on(&self, element: ElementHandle, function: &'static str) -> Result<Value, RenderError> {
        #[derive(Deserialize)]
        struct Resolved {
            object: ResolvedObject,
        }
        #[derive(Deserialize)]
        struct ResolvedObject {
            #[serde(rename = "objectId")]
            id: String,
        }
        let resolved: Result<Resolved, _> =
            self.session.call("DOM.resolveNode", &json!({ "backendNodeId": element.0 }));
        let resolved = match resolved {
            Ok(resolved) => resolved,
            Err(RenderError::Browser { .. }) => return Ok(Value::Null),
            Err(error) => return Err(error),
        };
        let params = json!({
            "objectId": resolved.object.id, "functionDeclaration": function, "returnByValue": true, "userGesture": false,
        });
        let mut called: Value = self.session.call("Runtime.callFunctionOn", &params)?;
        Ok(called["result"]["value"].take())
    }
}
