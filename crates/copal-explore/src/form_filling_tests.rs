//! How forms are filled in, and which are never sent.

use super::*;
use crate::form_refusal::MIN_POST_CONFIDENCE;
use copal_dom::Limits;
use copal_forms::find_forms;

fn plans(html: &str, context: FillContext<'_>) -> Vec<FormPlan> {
    let mut page = Page::from_text(html, &Limits::default());
    page.url = Some("https://a.example/start?x=1".into());
    find_forms(&page).iter().map(|form| plan_form(&page, form, context)).collect()
}

fn urls(html: &str) -> Vec<String> {
    let plans = plans(html, FillContext::default());
    plans.into_iter().flat_map(|plan| plan.submissions).map(|one| one.url).collect()
}

#[test]
fn wildcards_and_the_widest_ranges_are_sent() {
    let html = "<form action=/find?old=1 class=search><input type=hidden name=lang value=en><input name=q type=search>
        <select name=type><option value=1>House<option value=2>Flat<option value=3>Any type</select>
        <select name=price_min><option value=50>50,000<option value=100>100,000</select>
        <select name=price_max><option value=200>200,000<option value=900>900,000</select>
        <select name=per_page><option>10<option>50<option>100</select>
        <input type=checkbox name=garden value=1><button name=go value=1>Search</button></form>";
    let expected = "https://a.example/find?lang=en&q=&type=3&price_min=50&price_max=900&per_page=100&go=1";
    assert_eq!(urls(html), [expected]);
}

#[test]
fn small_choices_without_a_wildcard_are_all_tried() {
    let html = "<form action=/find><label><input type=radio name=deal value=buy checked>Buy</label><label><input \
        type=radio name=deal value=rent>Rent</label><input name=q type=search><button>Search</button></form>";
    assert_eq!(urls(html), ["https://a.example/find?deal=buy&q=", "https://a.example/find?deal=rent&q="]);
}

#[test]
fn what_is_not_a_search_is_never_sent() {
    for html in [
        "<form action=/login method=post><input name=user><input name=pw type=password><button>Log in</button></form>",
        "<form action=/send method=post><input name=name><input type=email name=email><textarea name=message></textarea>\
         <button>Send message</button></form>",
        "<form action=/news><input type=email name=email placeholder='Your e-mail'><button>Subscribe</button></form>",
        "<form action=/search><input name=q type=search><input type=password name=p><button>Search</button></form>",
        "<form action=/cart/add method=post><input name=quantity value=1><button>Add to basket</button></form>",
        "<form action='javascript:go()'><input name=q type=search><button>Search</button></form>",
    ] {
        for plan in plans(html, FillContext::default()) {
            assert!(plan.submissions.is_empty() && plan.refused.is_some(), "{html}: {plan:?}");
        }
    }
}

#[test]
fn posted_searches_have_a_body_and_need_confidence() {
    let html = "<form action=/search method=post role=search><input name=q type=search placeholder=Search>\
        <button>Search</button></form>";
    let plan = &plans(html, FillContext::default())[0];
    assert!(plan.confidence >= MIN_POST_CONFIDENCE, "{plan:?}");
    assert_eq!(plan.submissions[0].body.as_deref(), Some("q="));
    assert_eq!(plan.submissions[0].url, "https://a.example/search");
    let refused = |html: &str| {
        let plan = plans(html, FillContext::default()).remove(0);
        assert!(plan.submissions.is_empty(), "{html}: {plan:?}");
        plan.refused.unwrap()
    };
    let bought = html.replace("/search", "/cart/add");
    assert!(matches!(refused(&bought), FormRefusal::OtherPurpose(_)));
    let elsewhere = html.replace("/search", "https://b.example/search");
    assert!(matches!(refused(&elsewhere), FormRefusal::OtherSite { .. }));
    // good enough for a link, but not for something that may change the site
    let unsure = "<form action=/go method=post><input name=x><button>Go</button></form>";
    assert!(matches!(refused(unsure), FormRefusal::Uncertain { .. } | FormRefusal::NotASearch(_)));
}

#[test]
fn mandatory_fields_get_suggestions_then_examples_then_what_the_domain_knows() {
    let html = "<form action=/find><label>Location <input name=location list=l placeholder='e.g. Oxford or OX1' \
        required></label><datalist id=l><option value=Leeds><option value=York></datalist>\
        <button>Search</button></form>";
    let examples = [("location".to_owned(), vec!["London".to_owned(), "oxford".to_owned()])];
    let seen = ["Bath".to_owned()];
    let context = FillContext { examples: &examples, seen_values: &seen, ..FillContext::default() };
    let choices: Vec<String> =
        plans(html, context).remove(0).submissions.into_iter().map(|one| one.choice).collect();
    let expected = ["Leeds", "York", "Oxford", "Bath", "London"].map(|town| format!("location = {town}"));
    assert_eq!(choices, expected);
    let unknown = "<form action=/find><label>Location <input name=location required></label>\
        <button>Search</button></form>";
    let plan = plans(unknown, FillContext::default()).remove(0);
    let refused = plan.refused.map(|why| why.to_string());
    assert_eq!(refused.as_deref(), Some("no value is known for the field \"Location\""));
}

#[test]
fn results_are_split_by_choices() {
    let html = "<form action=/find><input name=q type=search><select name=town><option value=''>Any<option>A<option>B\
        <option>C</select><button>Search</button></form>";
    let plan = plans(html, FillContext::default()).remove(0);
    assert_eq!(plan.submissions.len(), 1);
    assert_eq!(plan.splits[0].len(), 3);
    assert_eq!(plan.splits[0][2].url, "https://a.example/find?q=&town=C");
}
