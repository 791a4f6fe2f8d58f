//! How a search form is filled in, without sending anything.
//!
//! In: a form as `copal-forms` understands it. Out: the requests that would be sent, best first, or why the form is
//! left alone. Following OPAL and DIADEM: nothing or wildcards first, the widest ranges, and every value of a small
//! choice that has no wildcard (buy / rent); only then what the page says must be filled in, with values that the
//! site itself shows. Only searches are ever sent: by GET, or by POST if the form is a search for certain.

use crate::form_refusal::{FormRefusal, sendable_action};
use crate::suggestion_plan::{SuggestionPlan, beginnings_of, is_wildcard, shows_suggestions};
use copal_dom::{Page, attrs, tags};
use copal_forms::{Control, FieldType, Form, FormField, FormType};
use url::Url;

/// Values of a choice without a wildcard that are all tried.
const MAX_ENUMERATED: usize = 8;
/// Values of a choice that a capped result is split by.
const MAX_SPLIT_VALUES: usize = 60;
/// Values that are tried in a field that must be filled in.
const MAX_HINTS: usize = 12;

/// A form of a page and what would be sent.
#[derive(Debug, Clone, PartialEq)]
pub struct FormPlan {
    /// What the form is for.
    pub form_type: FormType,
    /// How certain that is.
    pub confidence: f64,
    /// The requests, best first.
    pub submissions: Vec<FormSubmission>,
    /// Why nothing would be sent.
    pub refused: Option<FormRefusal>,
    /// Requests that divide the results into parts, one group per field.
    pub splits: Vec<Vec<FormSubmission>>,
    /// How suggestions would be asked for, if a browser is there and other values are refused.
    pub suggestions: Option<SuggestionPlan>,
}

/// A request that a form would send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormSubmission {
    /// The URL, with the fields if the form is sent by GET.
    pub url: String,
    /// The fields if the form is sent by POST.
    pub body: Option<String>,
    /// What is chosen, in words.
    pub choice: String,
}

/// What is known when a form is filled in.
#[derive(Debug, Clone, Copy, Default)]
pub struct FillContext<'a> {
    /// Wildcards of the domain.
    pub wildcards: &'a [String],
    /// The page says that something was not filled in: text fields get values.
    pub needs_values: bool,
    /// Values seen on the site, for fields that must be filled in.
    pub seen_values: &'a [String],
    /// Names that the page shows, whose beginnings are typed to get suggestions.
    pub page_names: &'a [String],
    /// Values of the domain, by the attribute that a field asks for.
    pub examples: &'a [(String, Vec<String>)],
}

/// Plans how a form is filled in.
pub fn plan_form(page: &Page, form: &Form, context: FillContext<'_>) -> FormPlan {
    let mut plan = FormPlan {
        form_type: form.form_type,
        confidence: form.confidence,
        submissions: Vec::new(),
        refused: None,
        splits: Vec::new(),
        suggestions: None,
    };
    let action = match sendable_action(page, form) {
        Ok(action) => action,
        Err(why) => {
            plan.refused = Some(why);
            return plan;
        }
    };
    let filler = FormFiller { page, form, action, wildcards: context.wildcards, examples: context.examples };
    let blank = filler.blank_values();
    let texts: Vec<usize> = filler.text_fields(context.needs_values);
    let hints = texts.first().map(|&field| filler.hints(&form.fields[field], context.seen_values));
    match hints {
        Some(hints) if hints.is_empty() => {
            let name = form.fields[texts[0]].label.as_deref().unwrap_or(&form.fields[texts[0]].name);
            plan.refused = Some(FormRefusal::NoValue { field: name.to_owned() });
        }
        Some(hints) => {
            for hint in hints {
                let mut values = blank.clone();
                for &field in &texts {
                    values[field] = Some(hint.clone());
                }
                let name = &form.fields[texts[0]].name;
                plan.submissions.push(filler.submission(&values, format!("{name} = {hint}")));
            }
        }
        None => {
            let enumerated = filler.enumerated_field();
            match enumerated {
                Some(field) => {
                    for option in filler.real_options(&form.fields[field]) {
                        let mut values = blank.clone();
                        values[field] = Some(option.0.clone());
                        let choice = format!("{} = {}", form.fields[field].name, option.1);
                        plan.submissions.push(filler.submission(&values, choice));
                    }
                }
                None => plan.submissions.push(filler.submission(&blank, "nothing, or any value".to_owned())),
            }
        }
    }
    plan.splits = filler.splits(&blank);
    plan.suggestions = filler.suggestion_plan(context.page_names).map(|(_, plan)| plan);
    plan
}

/// A form that may be sent, and what its fields may be filled in with.
pub(crate) struct FormFiller<'a> {
    pub(crate) page: &'a Page,
    pub(crate) form: &'a Form,
    pub(crate) action: Url,
    pub(crate) wildcards: &'a [String],
    pub(crate) examples: &'a [(String, Vec<String>)],
}

/// One value per field; `None` is not sent.
pub(crate) type FieldValues = Vec<Option<String>>;

impl FormFiller<'_> {
    /// The field that may show suggestions, and the plan for it. `page_names` are values seen on the page.
    pub(crate) fn suggestion_plan(&self, page_names: &[String]) -> Option<(usize, SuggestionPlan)> {
        let (tree, fields) = (&self.page.tree, &self.form.fields);
        let is_text = |at: &usize| fields[*at].control == Control::Text;
        let announced =
            (0..fields.len()).filter(is_text).find(|&at| shows_suggestions(tree, fields[at].node));
        let at = announced.or_else(|| self.text_fields(true).first().copied())?;
        let field = &fields[at];
        let beginnings = beginnings_of(&self.hints(field, page_names));
        let name = field.label.clone().unwrap_or_else(|| field.name.clone());
        Some((at, SuggestionPlan { field: name, beginnings, is_announced: announced.is_some() }))
    }

    /// What is sent if nothing is filled in: wildcards where there are any, the widest ranges, the largest pages.
    pub(crate) fn blank_values(&self) -> FieldValues {
        let mut has_button = false;
        let values = self.form.fields.iter().map(|field| match field.control {
            Control::Submit => {
                let is_first = !has_button && !field.name.is_empty();
                has_button |= is_first;
                is_first.then(|| field.value.clone().unwrap_or_default())
            }
            Control::Select | Control::Radio => self.blank_option(field),
            Control::Checkbox => {
                field.options.iter().find(|option| option.selected).map(|one| one.value.clone())
            }
            Control::Text => Some(field.value.clone().unwrap_or_default()),
            _ => None,
        });
        values.collect()
    }

    fn blank_option(&self, field: &FormField) -> Option<String> {
        let numbers = |text: &str| {
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            digits.parse::<u64>().ok()
        };
        if is_page_size(field) {
            let sized = field.options.iter().filter_map(|option| Some((numbers(&option.text)?, option)));
            if let Some((_, option)) = sized.filter(|(size, _)| *size <= 500).max_by_key(|(size, _)| *size) {
                return Some(option.value.clone());
            }
        }
        if let Some(wildcard) =
            field.options.iter().find(|option| self.is_wildcard(&option.value, &option.text))
        {
            return Some(wildcard.value.clone());
        }
        let name = format!("{} {}", field.name, field.label.as_deref().unwrap_or_default()).to_lowercase();
        let sized = || field.options.iter().filter_map(|option| Some((numbers(&option.text)?, option)));
        let widest = if ["max", "upto", "up to", "_to", "bis"].iter().any(|word| name.contains(word)) {
            sized().max_by_key(|(size, _)| *size)
        } else if ["min", "from", "_from", "ab "].iter().any(|word| name.contains(word)) {
            sized().min_by_key(|(size, _)| *size)
        } else {
            None
        };
        let selected =
            || field.options.iter().find(|option| option.selected).or_else(|| field.options.first());
        widest.map(|(_, option)| option).or_else(selected).map(|option| option.value.clone())
    }

    fn is_wildcard(&self, value: &str, text: &str) -> bool {
        value.is_empty() || is_wildcard(text, self.wildcards)
    }

    /// The options of a field that are not wildcards: values and texts.
    fn real_options(&self, field: &FormField) -> Vec<(String, String)> {
        let options = field.options.iter().filter(|option| !self.is_wildcard(&option.value, &option.text));
        options.map(|option| (option.value.clone(), option.text.clone())).collect()
    }

    fn is_choice(field: &FormField) -> bool {
        let name = field.name.to_lowercase();
        let is_range = ["min", "max", "from", "to", "radius", "sort", "order", "dir"];
        matches!(field.control, Control::Select | Control::Radio)
            && field.field_type != FieldType::Sorting
            && !field.name.is_empty()
            && !is_page_size(field)
            && !is_range.iter().any(|word| name.split(['_', '-', '[', ']', '.']).any(|part| part == *word))
            && !["min", "max"].iter().any(|word| name.starts_with(word) || name.ends_with(word))
    }

    /// The field whose values are all tried: a small choice without a wildcard.
    fn enumerated_field(&self) -> Option<usize> {
        self.form.fields.iter().position(|field| {
            let real = self.real_options(field).len();
            Self::is_choice(field) && (2..=MAX_ENUMERATED).contains(&real) && real == field.options.len()
        })
    }

    /// Requests that divide the results: one group per choice with several values.
    fn splits(&self, blank: &FieldValues) -> Vec<Vec<FormSubmission>> {
        let mut splits: Vec<Vec<FormSubmission>> = Vec::new();
        for (at, field) in self.form.fields.iter().enumerate().filter(|(_, field)| Self::is_choice(field)) {
            let options = self.real_options(field);
            if !(2..=MAX_SPLIT_VALUES).contains(&options.len()) {
                continue;
            }
            let group = options.into_iter().map(|(value, text)| {
                let mut values = blank.clone();
                values[at] = Some(value);
                self.submission(&values, format!("{} = {text}", field.name))
            });
            splits.push(group.collect());
        }
        splits.sort_by_key(Vec::len);
        splits
    }

    /// The text fields that must be filled in.
    pub(crate) fn text_fields(&self, needs_values: bool) -> Vec<usize> {
        let texts = || {
            let fields = self.form.fields.iter().enumerate();
            fields.filter(|(_, field)| field.control == Control::Text && !field.name.is_empty())
        };
        let required: Vec<usize> = texts().filter(|(_, field)| field.required).map(|(at, _)| at).collect();
        let marked = |node| {
            let invalid = self.page.tree.attr_named(node, "aria-invalid");
            invalid.is_some_and(|value| !value.is_empty() && value != "false")
        };
        if !required.is_empty() || !needs_values {
            return required.into_iter().take(1).collect();
        }
        let marked_field = texts().find(|(_, field)| marked(field.node)).map(|(at, _)| at);
        marked_field.or_else(|| texts().next().map(|(at, _)| at)).into_iter().collect()
    }

    /// Values for a field: suggestions of the page, its example, then what was seen on the site.
    pub(crate) fn hints(&self, field: &FormField, seen: &[String]) -> Vec<String> {
        let tree = &self.page.tree;
        let mut hints: Vec<String> = Vec::new();
        if let Some(list) = tree.attr_named(field.node, "list") {
            let datalist = tree.nodes().find(|&node| tree.attr(node, attrs::ID) == Some(list));
            if let Some(datalist) = datalist {
                let options = (datalist..tree.end(datalist)).filter(|&node| tree.tag(node) == tags::OPTION);
                hints.extend(options.map(|option| {
                    let value = tree.attr(option, attrs::VALUE).map(str::to_owned);
                    value.unwrap_or_else(|| tree.raw_text(option).trim().to_owned())
                }));
            }
        }
        let example = tree.attr_named(field.node, "placeholder").and_then(example_value);
        hints.extend(example);
        hints.extend(seen.iter().cloned());
        hints.extend(self.domain_examples(field));
        hints.retain(|hint| !hint.trim().is_empty());
        let mut known = std::collections::HashSet::new();
        hints.retain(|hint| known.insert(hint.to_lowercase()));
        hints.truncate(MAX_HINTS);
        hints
    }

    /// The domain's values for what the field asks for, by its name or label; else those of its first attribute with
    /// values, which is usually the place.
    fn domain_examples(&self, field: &FormField) -> Vec<String> {
        let asked = format!("{} {}", field.name, field.label.as_deref().unwrap_or_default()).to_lowercase();
        let is_asked = |name: &str| name.split('_').all(|word| asked.contains(word));
        let with_values = || self.examples.iter().filter(|(_, values)| !values.is_empty());
        let own = with_values().find(|(name, _)| is_asked(name));
        own.or_else(|| with_values().next()).map_or_else(Vec::new, |(_, values)| values.clone())
    }

    pub(crate) fn submission(&self, values: &FieldValues, choice: String) -> FormSubmission {
        let fields = self.form.fields.iter().zip(values);
        let named = fields.filter(|(field, _)| !field.name.is_empty());
        let mut pairs: Vec<(&str, &str)> =
            self.form.hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        pairs.extend(named.filter_map(|(field, value)| Some((field.name.as_str(), value.as_deref()?))));
        pairs.retain(|(name, _)| !name.is_empty());
        let mut url = self.action.clone();
        url.set_fragment(None);
        if self.form.is_post {
            let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
            return FormSubmission { url: url.into(), body: Some(body), choice };
        }
        // a GET form replaces the query of its action
        url.set_query(None);
        url.query_pairs_mut().extend_pairs(pairs);
        FormSubmission { url: url.into(), body: None, choice }
    }
}

/// A choice of how many records a page shows.
fn is_page_size(field: &FormField) -> bool {
    let name = format!("{} {}", field.name, field.label.as_deref().unwrap_or_default()).to_lowercase();
    field.control == Control::Select
        && ["per_page", "perpage", "per page", "pagesize", "page_size", "page size", "limit", "results per"]
            .iter()
            .any(|word| name.contains(word))
}

/// The value in "e.g. Oxford" or "Oxford, OX1". Words that only name the field are not values.
fn example_value(placeholder: &str) -> Option<String> {
    let lower = placeholder.to_lowercase();
    let starts =
        ["e.g.", "eg.", "e.g", "eg ", "for example", "such as", "z. b.", "z.b.", "p. ex.", "ej.", "es."];
    let at = starts.iter().find_map(|start| lower.find(start).map(|at| at + start.len()))?;
    // lower case may have another length in a few languages: then there is no example
    let rest = placeholder.get(at..)?;
    let first = rest.split([',', '/', ';', '…']).next()?.split(" or ").next()?;
    let value = first.trim_matches(|c: char| !c.is_alphanumeric());
    (!value.is_empty() && value.len() <= 60).then(|| value.to_owned())
}

#[cfg(test)]
#[path = "form_filling_tests.rs"]
mod tests;
