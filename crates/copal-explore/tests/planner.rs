//! The planner, without pages and without network: what is found decides what is tried next.

#![allow(clippy::unwrap_used)]

use copal_explore::{
    DomainFit, FrontierItem, LinkFacts, LinkPosition, ListFacts, PageClass, PageFacts, PlanContext,
    PlannedAction, SiteState, Situation, TemplateYield, choose_kind, next_state, plan_page, trap_key,
};
use proptest::prelude::*;

fn start() -> FrontierItem {
    FrontierItem {
        url: "https://a.example/".into(),
        form: None,
        role: "start".into(),
        parent: String::new(),
        priority: 100.0,
        depth: 0,
        template: trap_key("https://a.example/"),
        reason: String::new(),
    }
}

fn facts(class: PageClass) -> PageFacts {
    PageFacts {
        url: "https://a.example/".into(),
        class,
        list: None,
        object: None,
        links: Vec::new(),
        forms: Vec::new(),
        frames: Vec::new(),
        feeds: Vec::new(),
        complaint: None,
    }
}

fn list(records: usize, fits: bool) -> ListFacts {
    ListFacts {
        records,
        confidence: 0.9,
        announced: None,
        columns: vec!["title".into(), "price".into()],
        fit: DomainFit { fits, ..DomainFit::default() },
        link_template: Some("/item/*".into()),
        has_next: true,
        larger_page: None,
        keys: Vec::new(),
        read: None,
    }
}

fn link(text: &str, path: &str) -> LinkFacts {
    LinkFacts {
        url: format!("https://a.example{path}"),
        text: text.into(),
        position: LinkPosition::Navigation,
        is_filter: false,
    }
}

fn plan(facts: &PageFacts) -> Vec<PlannedAction> {
    let context = PlanContext { uses_forms: true, ..PlanContext::default() };
    plan_page(facts, &start(), &context, &|_| TemplateYield::default()).actions
}

#[test]
fn pages_of_other_kinds_are_discarded_with_the_reason() {
    for class in [PageClass::Login, PageClass::Challenge, PageClass::NeedsScripts] {
        let mut page = facts(class);
        page.links.push(link("All items", "/items"));
        let context = PlanContext::default();
        let plan = plan_page(&page, &start(), &context, &|_| TemplateYield::default());
        assert!(plan.is_discarded && plan.actions.is_empty());
        assert_eq!(plan.outcome, class.describe());
    }
}

#[test]
fn a_list_of_the_domain_is_kept_and_another_is_not() {
    let mut page = facts(PageClass::List);
    page.list = Some(list(20, true));
    assert!(matches!(plan(&page)[0], PlannedAction::KeepList(_)));
    page.list = Some(list(20, false));
    assert!(plan(&page).is_empty());
}

#[test]
fn a_frame_comes_before_links_and_accounts_are_left() {
    let mut page = facts(PageClass::Frame);
    page.frames.push("https://a.example/frame".into());
    page.links = vec![
        link("All items", "/items"),
        link("Log in", "/login"),
        link("Next month", "/x/2026/1/2026/1/2026"),
    ];
    let visits: Vec<(String, f64)> = plan(&page)
        .into_iter()
        .filter_map(|action| match action {
            PlannedAction::Visit(item) => Some((item.role, item.priority)),
            _ => None,
        })
        .collect();
    assert_eq!(visits.len(), 2);
    assert!(visits[0].0 == "frame" && visits[0].1 > visits[1].1);
    let left: Vec<String> = plan(&page)
        .into_iter()
        .filter_map(|action| match action {
            PlannedAction::Leave(_, why) => Some(why),
            _ => None,
        })
        .collect();
    assert_eq!(left.len(), 2);
    assert!(left[0].contains("\"log in\" is another kind of page"), "{left:?}");
    assert_eq!(left[1], "its path repeats itself");
}

#[test]
fn states_follow_each_other_for_reasons() {
    let now = Situation { explored: 1, max_explored: 40, best_priority: Some(2.0), ..Situation::default() };
    assert_eq!(next_state(SiteState::Exploring, &now).0, SiteState::Exploring);
    let large = Situation { since_large_list: Some(0), best_priority: Some(0.5), ..now };
    assert_eq!(next_state(SiteState::Exploring, &large).0, SiteState::Extracting);
    let still = Situation { since_large_list: Some(3), ..now };
    assert_eq!(next_state(SiteState::Exploring, &still).0, SiteState::Exploring);
    let empty = Situation { best_priority: None, ..now };
    assert_eq!(next_state(SiteState::Exploring, &empty).0, SiteState::Extracting);
    let left = Situation { lists_left: 1, ..now };
    assert_eq!(next_state(SiteState::Extracting, &left).0, SiteState::Extracting);
    let capped = Situation { lacks_records: true, splits_left: true, ..now };
    assert_eq!(next_state(SiteState::Extracting, &capped).0, SiteState::Splitting);
    let tried = Situation { lacks_records: true, splits_left: false, ..now };
    assert_eq!(next_state(SiteState::Splitting, &tried).0, SiteState::Finished);
    for state in [SiteState::Exploring, SiteState::Extracting, SiteState::Splitting] {
        let stop = Situation { must_stop: true, ..left };
        assert_eq!(next_state(state, &stop).0, SiteState::Finished);
        assert_eq!(SiteState::named(state.name()), Some(state));
    }
}

#[test]
fn the_largest_and_richest_kind_is_chosen() {
    let (many, few) = (list(50, true), list(6, true));
    let chosen = choose_kind([("/item/*", &many), ("/news/*", &few)]).unwrap();
    assert_eq!(chosen.0, "/item/*");
    assert!(choose_kind(std::iter::empty::<(&str, &ListFacts)>()).is_none());
}

proptest! {
    /// Whatever links a page has, each is visited or left with a reason, and nothing deeper than the bound is visited.
    #[test]
    fn every_link_has_a_decision(
        texts in prop::collection::vec("[a-zA-Z0-9 £,]{0,30}", 0..30),
        paths in prop::collection::vec("[a-z0-9/?=&-]{0,40}", 30),
        depth in 0_usize..8,
    ) {
        let mut page = facts(PageClass::Hub);
        page.links = texts.iter().zip(&paths).map(|(text, path)| link(text, &format!("/{path}"))).collect();
        let item = FrontierItem { depth, ..start() };
        let context = PlanContext::default();
        let plan = plan_page(&page, &item, &context, &|_| TemplateYield::default());
        prop_assert_eq!(plan.actions.len(), page.links.len());
        for action in plan.actions {
            match action {
                PlannedAction::Visit(item) => prop_assert!(item.depth <= context.bounds.depth),
                PlannedAction::Leave(_, why) => prop_assert!(!why.is_empty()),
                other => prop_assert!(false, "{other:?}"),
            }
        }
    }
}
