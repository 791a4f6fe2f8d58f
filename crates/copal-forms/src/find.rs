//! The forms of a page and their controls.
//!
//! In: a page. Out: its forms in document order. A control belongs to the `<form>` around it, to the one that its
//! `form` attribute names, or to an empty `<form>` before it below the same parent: HTML moves the content of a form
//! that starts between the rows of a table out of it. Controls without a `<form>` that share a container with a
//! button are a form too. O(nodes), with bounds on forms, fields and choices.

use crate::controls::{control_of, is_button};
use crate::field_types::{final_field_type, first_field_type};
use crate::form_types::classify_form;
use crate::labels::LabelIndex;
use crate::model::{ChoiceOption, Control, FieldType, Form, FormField};
use copal_dom::{Node, Page, Tree, attrs, push_collapsed, tags};
use rustc_hash::FxHashMap;

/// At most this many forms of a page are read.
const MAX_FORMS: usize = 300;
/// At most this many fields of a form are read.
const MAX_FIELDS: usize = 500;
/// At most this many choices of a field are read.
const MAX_CHOICES: usize = 1_000;
/// Levels above a control without a form that are searched for a button.
const MAX_CONTAINER_LEVELS: usize = 6;
/// A container with more nodes than this is a part of the page and not a form.
const MAX_CONTAINER_NODES: u32 = 2_000;
/// At most this many controls without a form are grouped.
const MAX_LOOSE_CONTROLS: usize = 200;

/// The forms of a page, in document order.
pub fn find_forms(page: &Page) -> Vec<Form> {
    let tree = &page.tree;
    let elements = form_elements(tree);
    let controls: Vec<Node> = tree.nodes().filter(|&node| is_control(tree, node)).collect();
    let owners = FormOwners::new(tree, &elements);
    let labels = LabelIndex::new(page);
    let mut members: Vec<Vec<Node>> = vec![Vec::new(); elements.len()];
    let mut loose = Vec::new();
    for &control in &controls {
        match owners.owner(control) {
            Some(form) => members[form].push(control),
            None => loose.push(control),
        }
    }
    let reader = FormReader { page, controls: &controls, labels };
    let mut forms: Vec<Form> = elements
        .iter()
        .zip(&members)
        .enumerate()
        .map(|(index, (&node, members))| reader.read(node, Some(index), members))
        .collect();
    let room = MAX_FORMS.saturating_sub(forms.len());
    let groups = loose_groups(page, &loose);
    forms.extend(groups.into_iter().take(room).map(|(node, members)| reader.read(node, None, &members)));
    forms.sort_by_key(|form| form.node);
    forms
}

fn form_elements(tree: &Tree) -> Vec<Node> {
    tree.nodes().filter(|&node| tree.tag(node) == tags::FORM).take(MAX_FORMS).collect()
}

fn is_control(tree: &Tree, node: Node) -> bool {
    matches!(tree.tag(node), tags::INPUT | tags::SELECT | tags::TEXTAREA | tags::BUTTON)
        && !tree.is_foreign(node)
}

/// Which form a control belongs to.
struct FormOwners<'a> {
    tree: &'a Tree,
    by_id: FxHashMap<&'a str, usize>,
    by_node: FxHashMap<Node, usize>,
    /// Forms without content, by the element that they are in.
    emptied: FxHashMap<Node, Vec<(Node, usize)>>,
}

impl<'a> FormOwners<'a> {
    fn new(tree: &'a Tree, elements: &[Node]) -> FormOwners<'a> {
        let (mut by_id, mut by_node) = (FxHashMap::default(), FxHashMap::default());
        let mut emptied: FxHashMap<Node, Vec<(Node, usize)>> = FxHashMap::default();
        for (index, &node) in elements.iter().enumerate() {
            by_node.insert(node, index);
            if let Some(id) = tree.attr(node, attrs::ID) {
                by_id.entry(id).or_insert(index);
            }
            if tree.end(node) == node + 1 {
                emptied.entry(tree.parent(node)).or_default().push((node, index));
            }
        }
        FormOwners { tree, by_id, by_node, emptied }
    }

    fn owner(&self, control: Node) -> Option<usize> {
        if let Some(id) = self.tree.attr_named(control, "form") {
            return self.by_id.get(id).copied();
        }
        for up in self.tree.ancestors(control) {
            if let Some(&form) = self.by_node.get(&up) {
                return Some(form);
            }
            let before = self.emptied.get(&up).and_then(|forms| {
                let after = forms.partition_point(|&(node, _)| node < control);
                after.checked_sub(1).map(|at| forms[at].1)
            });
            if before.is_some() {
                return before;
            }
        }
        None
    }
}

/// Groups controls without a form by the smallest container that also has something to press.
fn loose_groups(page: &Page, loose: &[Node]) -> Vec<(Node, Vec<Node>)> {
    let tree = &page.tree;
    let mut groups: Vec<(Node, Vec<Node>)> = Vec::new();
    for &control in loose.iter().take(MAX_LOOSE_CONTROLS) {
        let wants_text =
            matches!(control_of(tree, control), Some(Control::Text | Control::Select | Control::Password));
        if !wants_text || !page.styles.is_shown(control) {
            continue;
        }
        if groups.last().is_some_and(|&(container, _)| tree.contains(container, control)) {
            continue;
        }
        let ancestors = tree.ancestors(control).take(MAX_CONTAINER_LEVELS);
        let container = ancestors
            .take_while(|&up| tree.end(up) - up <= MAX_CONTAINER_NODES && tree.tag(up) != tags::BODY)
            .find(|&up| (up..tree.end(up)).any(|node| node != control && is_button(page, node)));
        if let Some(container) = container {
            let members = loose.iter().copied().filter(|&other| tree.contains(container, other)).collect();
            groups.push((container, members));
        }
    }
    groups
}

struct FormReader<'a> {
    page: &'a Page,
    controls: &'a [Node],
    labels: LabelIndex<'a>,
}

impl FormReader<'_> {
    fn read(&self, node: Node, index: Option<usize>, members: &[Node]) -> Form {
        let tree = &self.page.tree;
        let mut fields: Vec<FormField> = Vec::new();
        let mut hidden = Vec::new();
        let mut radios: FxHashMap<&str, usize> = FxHashMap::default();
        for &member in members {
            let name = tree.attr(member, attrs::NAME).unwrap_or_default();
            let Some(control) = control_of(tree, member) else {
                let value = tree.attr(member, attrs::VALUE).unwrap_or_default();
                if tree.tag(member) == tags::INPUT && hidden.len() < MAX_FIELDS {
                    hidden.push((name.to_owned(), value.to_owned()));
                }
                continue;
            };
            if control == Control::Radio
                && let Some(&at) = radios.get(name)
            {
                if fields[at].options.len() < MAX_CHOICES {
                    fields[at].options.extend(self.choices(member, control));
                }
                continue;
            }
            if fields.len() >= MAX_FIELDS {
                break;
            }
            if control == Control::Radio {
                radios.insert(name, fields.len());
            }
            fields.push(self.field(member, name, control));
        }
        self.classify(node, index, fields, hidden)
    }

    fn field(&self, node: Node, name: &str, control: Control) -> FormField {
        let tree = &self.page.tree;
        let has = |name: &str| tree.attr_named(node, name).is_some();
        let label = match control {
            Control::Submit | Control::Reset => self.button_text(node),
            _ => self.labels.label(node, self.controls),
        };
        let required = has("required")
            || tree.attr_named(node, "aria-required") == Some("true")
            || label.as_deref().is_some_and(|label| label.contains('*'));
        FormField {
            node,
            name: name.to_owned(),
            control,
            label,
            field_type: FieldType::Other,
            options: self.choices(node, control),
            value: tree.attr(node, attrs::VALUE).map(str::to_owned).filter(|value| !value.is_empty()),
            required,
        }
    }

    fn button_text(&self, node: Node) -> Option<String> {
        let tree = &self.page.tree;
        let text = self.page.text_of(node);
        let written =
            [tree.attr(node, attrs::VALUE), tree.attr(node, attrs::ALT), tree.attr(node, attrs::TITLE)];
        let written = written.into_iter().chain([tree.attr(node, attrs::ARIA_LABEL)]).flatten();
        std::iter::once(text.as_str())
            .chain(written)
            .map(str::trim)
            .find(|text| !text.is_empty())
            .map(str::to_owned)
    }

    fn choices(&self, node: Node, control: Control) -> Vec<ChoiceOption> {
        let tree = &self.page.tree;
        let value = |node: Node| tree.attr(node, attrs::VALUE).map(str::to_owned);
        match control {
            Control::Select => {
                let options =
                    (node..tree.end(node)).filter(|&n| tree.tag(n) == tags::OPTION).take(MAX_CHOICES);
                let options = options.map(|option| {
                    let mut text = String::new();
                    push_collapsed(&mut text, tree.raw_text(option));
                    let value = value(option).unwrap_or_else(|| text.clone());
                    ChoiceOption { value, text, selected: tree.attr_named(option, "selected").is_some() }
                });
                options.collect()
            }
            Control::Checkbox | Control::Radio => {
                let text = self.labels.label(node, self.controls).unwrap_or_default();
                let value = value(node).unwrap_or_else(|| "on".to_owned());
                vec![ChoiceOption { value, text, selected: tree.attr_named(node, "checked").is_some() }]
            }
            _ => Vec::new(),
        }
    }

    fn classify(
        &self,
        node: Node,
        index: Option<usize>,
        mut fields: Vec<FormField>,
        hidden: Vec<(String, String)>,
    ) -> Form {
        let tree = &self.page.tree;
        let first: Vec<Option<FieldType>> =
            fields.iter().map(|field| first_field_type(self.page, field)).collect();
        let (form_type, confidence) = classify_form(self.page, node, &fields, &first);
        let mut before: Vec<FieldType> = Vec::new();
        for (field, first) in fields.iter_mut().zip(first) {
            field.field_type = final_field_type(field, first, form_type, &before);
            before.push(field.field_type);
        }
        let is_post =
            tree.attr_named(node, "method").is_some_and(|method| method.trim().eq_ignore_ascii_case("post"));
        let action = tree.attr_named(node, "action").map(|action| action.trim().to_owned());
        Form { node, index, action, is_post, form_type, confidence, fields, hidden }
    }
}
