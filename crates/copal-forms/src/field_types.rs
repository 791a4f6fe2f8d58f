//! What a field wants.
//!
//! Two steps, because forms and fields explain each other: [`first_field_type`] uses only the control itself, and its
//! results are evidence for the type of the form; [`final_field_type`] fills what is open by the type of the form.

use crate::evidence::WordEvidence;
use crate::model::{Control, FieldType, FormField, FormType};
use crate::vocabulary::*;
use copal_dom::{Page, attrs};

/// The type of a field by its own markup and words; `None` if they do not say.
pub(crate) fn first_field_type(page: &Page, field: &FormField) -> Option<FieldType> {
    let tree = &page.tree;
    let mut named = WordEvidence::default();
    named.add_all([Some(field.name.as_str()), tree.attr(field.node, attrs::ID)]);
    let mut shown = WordEvidence::default();
    let placeholder = tree.attr_named(field.node, "placeholder");
    shown.add_all([field.label.as_deref(), placeholder, tree.attr(field.node, attrs::TITLE)]);
    if let Some(value) = field.value.as_deref().filter(|_| field.control == Control::Text) {
        // old pages write the label into the field
        shown.add(value);
    }
    let words = FieldWords { named, shown };
    let attr = |name: &str| tree.attr_named(field.node, name);
    match field.control {
        Control::Submit => Some(words.button()),
        Control::Reset => Some(FieldType::Reset),
        Control::Password => {
            Some(if words.has(&AGAIN) { FieldType::PasswordConfirmation } else { FieldType::Password })
        }
        Control::Checkbox => words.checkbox(),
        Control::Radio => words.has(&GENDER).then_some(FieldType::Gender),
        Control::Select => words.select(),
        Control::TextArea => words.text_area(),
        Control::File => Some(FieldType::Other),
        Control::Text => {
            if attr("readonly").is_some() || attr("disabled").is_some() {
                // scripts fill calendars, and some pages enable their fields late
                let kept = [FieldType::FullDate, FieldType::Email, FieldType::Number];
                return words.text().filter(|one| kept.contains(one)).or(Some(FieldType::ReadOnly));
            }
            if words.has(&HONEYPOT) {
                return Some(FieldType::Honeypot);
            }
            attr("autocomplete")
                .and_then(autocomplete_type)
                .or_else(|| words.text())
                .or_else(|| input_type(tree.attr(field.node, attrs::TYPE)))
        }
    }
}

/// The type of a field when the type of its form is known. `before` are the types of the fields before it.
pub(crate) fn final_field_type(
    field: &FormField,
    first: Option<FieldType>,
    form: FormType,
    before: &[FieldType],
) -> FieldType {
    let has_before = |wanted: FieldType| before.contains(&wanted);
    match (form, first) {
        // the second password of a registration repeats the first
        (FormType::Registration, Some(FieldType::Password)) if has_before(FieldType::Password) => {
            FieldType::PasswordConfirmation
        }
        (FormType::Registration, Some(FieldType::Email)) if has_before(FieldType::Email) => {
            FieldType::EmailConfirmation
        }
        // a search asks for the name of something and not for the user's
        (
            FormType::Search,
            Some(FieldType::FullName | FieldType::Username | FieldType::CommentSubject | FieldType::AboutMe),
        ) => search_field(field),
        (FormType::Search, Some(FieldType::Year | FieldType::Month | FieldType::Day))
            if field.control == Control::Select =>
        {
            FieldType::SearchRefinement
        }
        (FormType::Search, Some(FieldType::ProductStyle | FieldType::Quantity))
            if field.control != Control::Text =>
        {
            FieldType::SearchRefinement
        }
        (FormType::Search, Some(FieldType::ReceiveEmails | FieldType::AcceptTerms)) => {
            FieldType::SearchRefinement
        }
        (FormType::Login, Some(FieldType::FullName | FieldType::SearchQuery)) => FieldType::Username,
        (FormType::MailingList, Some(FieldType::SearchQuery)) => FieldType::Email,
        (_, Some(first)) => first,
        (form, None) => open_field(field, form, before),
    }
}

fn search_field(field: &FormField) -> FieldType {
    match field.control {
        Control::Text | Control::TextArea => FieldType::SearchQuery,
        _ => FieldType::SearchRefinement,
    }
}

/// The type of a field that does not say what it wants.
fn open_field(field: &FormField, form: FormType, before: &[FieldType]) -> FieldType {
    match (form, field.control) {
        (FormType::Search, _) => search_field(field),
        (FormType::Login, Control::Text) => FieldType::Username,
        (FormType::Login, Control::Checkbox) => FieldType::RememberMe,
        (FormType::MailingList, Control::Text) if !before.iter().any(|field| field.is_personal()) => {
            FieldType::Email
        }
        (FormType::MailingList | FormType::Registration, Control::Checkbox) => FieldType::ReceiveEmails,
        (FormType::PasswordRecovery, Control::Text) => FieldType::UsernameOrEmail,
        (FormType::Contact, Control::TextArea) => FieldType::CommentText,
        (FormType::Order, Control::Text) => FieldType::Quantity,
        (FormType::Order, Control::Select) => FieldType::ProductStyle,
        _ => FieldType::Other,
    }
}

/// The words of a control: those of its markup, and those that users read.
struct FieldWords {
    named: WordEvidence,
    shown: WordEvidence,
}

impl FieldWords {
    fn has(&self, meaning: &Meaning) -> bool {
        self.named.has(meaning) || self.shown.has(meaning)
    }

    fn first_of(&self, meanings: &[(&Meaning, FieldType)]) -> Option<FieldType> {
        // what users read is more reliable than names, but names are less ambiguous: a meaning must come first in both
        let in_order = |words: &WordEvidence| meanings.iter().position(|(meaning, _)| words.has(meaning));
        let at = match (in_order(&self.named), in_order(&self.shown)) {
            (Some(named), Some(shown)) => Some(named.min(shown)),
            (named, shown) => named.or(shown),
        };
        at.map(|at| meanings[at].1)
    }

    fn button(&self) -> FieldType {
        if self.has(&CANCEL) {
            FieldType::Cancel
        } else if self.shown.has(&TERMS) {
            FieldType::AcceptTerms
        } else {
            FieldType::Submit
        }
    }

    fn checkbox(&self) -> Option<FieldType> {
        self.first_of(&[
            (&REMEMBER, FieldType::RememberMe),
            (&TERMS, FieldType::AcceptTerms),
            (&NEWSLETTER, FieldType::ReceiveEmails),
            (&EMAIL, FieldType::ReceiveEmails),
        ])
    }

    fn select(&self) -> Option<FieldType> {
        self.first_of(&[
            (&COUNTRY, FieldType::Country),
            (&SORTING, FieldType::Sorting),
            (&TIME_ZONE, FieldType::TimeZone),
            (&GENDER, FieldType::Gender),
            (&SECURITY_QUESTION, FieldType::SecurityQuestion),
            (&QUANTITY, FieldType::Quantity),
            (&MONTH, FieldType::Month),
            (&YEAR, FieldType::Year),
            (&DAY, FieldType::Day),
            (&STATE, FieldType::State),
            (&CITY, FieldType::City),
        ])
    }

    fn text_area(&self) -> Option<FieldType> {
        self.first_of(&[
            (&CAPTCHA, FieldType::Captcha),
            (&CONTACT, FieldType::CommentText),
            (&ABOUT_ME, FieldType::AboutMe),
        ])
    }

    fn text(&self) -> Option<FieldType> {
        if self.has(&CAPTCHA) {
            return Some(FieldType::Captcha);
        }
        if self.has(&PASSWORD) && !self.has(&USERNAME) && !self.has(&EMAIL) {
            return Some(FieldType::ReadOnly);
        }
        // "search by name, city or zip code" wants a query
        let asks_for_query = self.shown.has(&SEARCH) || self.named.has(&SEARCH);
        if asks_for_query
            && !self.named.has(&POSTAL_CODE)
            && !self.named.has(&EMAIL)
            && !self.named.has(&DATE)
        {
            return Some(FieldType::SearchQuery);
        }
        if self.has(&EMAIL) {
            return Some(if self.shown.has(&USERNAME) && self.shown.has(&EMAIL) {
                FieldType::UsernameOrEmail
            } else if self.has(&AGAIN) {
                FieldType::EmailConfirmation
            } else {
                FieldType::Email
            });
        }
        self.first_of(&[
            (&SECURITY_ANSWER, FieldType::SecurityAnswer),
            (&FIRST_NAME, FieldType::FirstName),
            (&MIDDLE_NAME, FieldType::MiddleName),
            (&LAST_NAME, FieldType::LastName),
            (&USERNAME, FieldType::Username),
            (&ORGANISATION, FieldType::Organisation),
            (&FAX, FieldType::Fax),
            (&PHONE, FieldType::Phone),
            (&POSTAL_CODE, FieldType::PostalCode),
            (&COUNTRY, FieldType::Country),
            (&QUANTITY, FieldType::Quantity),
            (&DATE, FieldType::FullDate),
            (&SEARCH, FieldType::SearchQuery),
            (&CITY, FieldType::City),
            (&ADDRESS, FieldType::Address),
            (&STATE, FieldType::State),
            (&WEB_ADDRESS, FieldType::Url),
            (&SUBJECT, FieldType::CommentSubject),
            (&FULL_NAME, FieldType::FullName),
            (&MONTH, FieldType::Month),
            (&YEAR, FieldType::Year),
            (&DAY, FieldType::Day),
            (&NUMBER, FieldType::Number),
            (&QUERY_FIELD, FieldType::SearchQuery),
        ])
    }
}

/// The type that the `type` attribute of an input says.
fn input_type(kind: Option<&str>) -> Option<FieldType> {
    Some(match kind?.trim().to_ascii_lowercase().as_str() {
        "search" => FieldType::SearchQuery,
        "email" => FieldType::Email,
        "tel" => FieldType::Phone,
        "url" => FieldType::Url,
        "number" | "range" => FieldType::Number,
        "date" | "datetime-local" => FieldType::FullDate,
        "month" => FieldType::Month,
        _ => return None,
    })
}

/// The type that the `autocomplete` attribute says (HTML standard, section 4.10.18.7).
fn autocomplete_type(value: &str) -> Option<FieldType> {
    Some(match value.split_whitespace().last()?.to_ascii_lowercase().as_str() {
        "username" => FieldType::Username,
        "email" => FieldType::Email,
        "name" => FieldType::FullName,
        "given-name" => FieldType::FirstName,
        "additional-name" => FieldType::MiddleName,
        "family-name" => FieldType::LastName,
        "organization" => FieldType::Organisation,
        "tel" | "tel-national" => FieldType::Phone,
        "postal-code" => FieldType::PostalCode,
        "street-address" | "address-line1" | "address-line2" | "address-line3" => FieldType::Address,
        "address-level2" => FieldType::City,
        "address-level1" => FieldType::State,
        "country" | "country-name" => FieldType::Country,
        "bday" => FieldType::FullDate,
        "bday-day" => FieldType::Day,
        "bday-month" => FieldType::Month,
        "bday-year" => FieldType::Year,
        "sex" => FieldType::Gender,
        "url" => FieldType::Url,
        _ => return None,
    })
}
