//! What a form is for.
//!
//! In: the form's own words and the first types of its fields. Out: the type with the highest score and how certain it
//! is. The scores are sums of pieces of evidence, in units in which 1 is a hint and 3 is nearly certain.

use crate::controls::is_button;
use crate::evidence::WordEvidence;
use crate::model::{Control, FieldType, FormField, FormType};
use crate::vocabulary::*;
use copal_dom::{Node, Page, attrs, tags};

/// What a form is worth that says nothing: it is something else.
const OTHER_SCORE: f64 = 1.0;
/// Headings and legends inside a form that are read.
const MAX_HEADINGS: usize = 4;

/// The type of a form and its probability.
pub(crate) fn classify_form(
    page: &Page,
    node: Node,
    fields: &[FormField],
    first: &[Option<FieldType>],
) -> (FormType, f64) {
    let scores = FormFacts::collect(page, node, fields, first).scores();
    let (best, score) = scores
        .into_iter()
        .fold((FormType::Other, OTHER_SCORE), |best, one| if one.1 > best.1 { one } else { best });
    let all = scores.iter().map(|(_, one)| *one).chain([OTHER_SCORE]);
    let sum: f64 = all.map(|one| (one - score).exp()).sum();
    (best, 1.0 / sum)
}

/// What is known about a form.
struct FormFacts {
    /// Words of the element: id, class, name, action.
    named: WordEvidence,
    /// Words that users read: headings, legends and buttons.
    shown: WordEvidence,
    passwords: usize,
    texts: usize,
    text_areas: usize,
    choices: usize,
    checkboxes: usize,
    types: Vec<FieldType>,
    is_post: bool,
    is_search_role: bool,
}

impl FormFacts {
    fn collect(page: &Page, node: Node, fields: &[FormField], first: &[Option<FieldType>]) -> FormFacts {
        let tree = &page.tree;
        let mut named = WordEvidence::default();
        named.add_all([
            tree.attr(node, attrs::ID),
            tree.attr(node, attrs::CLASS),
            tree.attr(node, attrs::NAME),
        ]);
        if let Some(action) = tree.attr_named(node, "action") {
            // the host says nothing about the form, and session ids look like words
            let path = action.split_once("://").map_or(action, |(_, rest)| rest);
            named.add(path.split("sid=").next().unwrap_or(path));
        }
        let mut shown = WordEvidence::default();
        let headings = (node..tree.end(node))
            .filter(|&n| matches!(tree.tag(n), tags::LEGEND | tags::H1 | tags::H2 | tags::H3 | tags::H4))
            .take(MAX_HEADINGS);
        for heading in headings {
            shown.add(tree.raw_text(heading));
        }
        if tree.tag(node) != tags::FORM {
            // a link takes the place of the button
            let links = (node..tree.end(node)).filter(|&n| is_button(page, n) && tree.tag(n) == tags::A);
            for link in links.take(MAX_HEADINGS) {
                shown.add(tree.raw_text(link));
            }
        }
        for field in fields.iter().filter(|field| field.control == Control::Submit) {
            shown.add_all([field.label.as_deref(), Some(field.name.as_str())]);
        }
        let count =
            |wanted: &[Control]| fields.iter().filter(|field| wanted.contains(&field.control)).count();
        let is_post =
            tree.attr_named(node, "method").is_some_and(|method| method.trim().eq_ignore_ascii_case("post"));
        let role =
            |node: Node| tree.attr(node, attrs::ROLE).is_some_and(|role| role.eq_ignore_ascii_case("search"));
        FormFacts {
            named,
            shown,
            passwords: count(&[Control::Password]),
            texts: count(&[Control::Text]),
            text_areas: count(&[Control::TextArea]),
            choices: count(&[Control::Select, Control::Radio]),
            checkboxes: count(&[Control::Checkbox]),
            types: first.iter().flatten().copied().collect(),
            is_post,
            is_search_role: role(node) || tree.ancestors(node).take(2).any(role),
        }
    }

    fn says(&self, meaning: &Meaning) -> f64 {
        f64::from(u8::from(self.named.has(meaning))) + f64::from(u8::from(self.shown.has(meaning)))
    }

    fn has(&self, wanted: FieldType) -> f64 {
        f64::from(u8::from(self.types.contains(&wanted)))
    }

    fn count(&self, wanted: FieldType) -> usize {
        self.types.iter().filter(|one| **one == wanted).count()
    }

    fn scores(&self) -> [(FormType, f64); 7] {
        use FieldType as F;
        let flag = |is: bool| f64::from(u8::from(is));
        let personal = self.types.iter().filter(|one| one.is_personal()).count() as f64;
        let names = self.has(F::FirstName) + self.has(F::LastName) + self.has(F::FullName);
        let one_password = flag(self.passwords == 1);
        let no_password = flag(self.passwords == 0);
        let repeated = flag(self.passwords >= 2);
        let has_email = flag(self.count(F::Email) + self.count(F::UsernameOrEmail) > 0);
        let few = flag(self.texts <= 3 && self.text_areas == 0);
        let refinements = self.choices + self.checkboxes + self.count(F::Number) + self.count(F::FullDate);
        let asks_nothing = flag(self.texts + self.text_areas + self.choices + self.passwords == 0);
        let search = 3.0 * self.has(F::SearchQuery)
            + 1.5 * self.says(&SEARCH)
            + 3.0 * flag(self.is_search_role)
            + 0.5 * flag(!self.is_post)
            + 1.0 * flag(refinements >= 2 && !self.is_post)
            + 0.7 * flag(refinements >= 3)
            - 5.0 * flag(self.passwords > 0)
            - 2.0 * flag(self.text_areas > 0)
            - 1.5 * personal.min(2.0)
            - 1.5 * self.says(&ORDER)
            - 3.0 * asks_nothing * flag(self.checkboxes == 0);
        let login = 3.0 * one_password
            + 1.2 * self.says(&LOG_IN)
            + 1.0 * self.has(F::RememberMe)
            + 0.5 * flag(self.texts <= 2)
            - 1.2 * self.says(&REGISTER)
            - 1.0 * names
            - 2.0 * repeated
            - 3.5 * no_password;
        let registration = 2.5 * repeated
            + 1.2 * self.says(&REGISTER)
            + 1.5 * one_password * flag(names > 0.0)
            + 0.7 * names * flag(personal >= 2.0)
            + 1.0 * self.has(F::AcceptTerms)
            + 1.5 * has_email * self.has(F::Username)
            + 0.5 * one_password
            + 1.0 * flag(self.texts >= 4) * flag(self.passwords > 0)
            - 0.7 * self.says(&LOG_IN)
            - 1.5 * no_password * flag(self.texts <= 1 && self.count(F::AcceptTerms) == 0)
            - 2.0 * self.says(&NEWSLETTER)
            - 1.0 * flag(self.text_areas > 0) * no_password
            - 2.0 * self.has(F::SearchQuery);
        let recovery = (2.5 * self.says(&RECOVER)) * no_password * flag(self.texts > 0)
            + 1.0 * no_password * (has_email + self.has(F::Username)).min(1.0) * few
            - 1.0 * self.says(&NEWSLETTER);
        let mailing = no_password
            * (2.2 * has_email * few
                + 1.5 * self.says(&NEWSLETTER)
                + 0.6 * flag(self.texts == 1) * has_email)
            + 0.5 * self.has(F::ReceiveEmails)
            - 2.5 * flag(self.text_areas > 0)
            - 2.0 * self.says(&RECOVER)
            - 1.0 * self.has(F::SearchQuery)
            - 1.0 * flag(self.says(&LOG_IN) > 1.0)
            - 2.0 * flag(self.passwords > 0);
        let contact = 2.5 * flag(self.text_areas > 0)
            + 1.0 * self.says(&CONTACT)
            + 1.0 * self.has(F::CommentText)
            + 0.7 * self.has(F::CommentSubject)
            - 3.0 * flag(self.passwords > 0)
            - 1.5 * self.says(&SEARCH)
            - 1.0 * self.says(&REGISTER)
            - 1.0 * asks_nothing
            - 2.0 * flag(self.text_areas == 0);
        let order = 2.0 * self.says(&ORDER) + 1.5 * self.has(F::Quantity)
            - 2.0 * flag(self.passwords > 0)
            - 2.0 * self.has(F::SearchQuery)
            - 1.0 * personal.min(2.0);
        [
            (FormType::Search, search),
            (FormType::Login, login),
            (FormType::Registration, registration),
            (FormType::PasswordRecovery, recovery),
            (FormType::MailingList, mailing),
            (FormType::Contact, contact),
            (FormType::Order, order),
        ]
    }
}
