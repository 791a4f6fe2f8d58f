//! Forms as sites write them: what they are for, what their fields want, and what hostile pages do.

use copal_dom::{Limits, Page};
use copal_forms::{FieldType as F, Form, FormType, find_forms};
use proptest::prelude::*;

fn forms(html: &str) -> Vec<Form> {
    find_forms(&Page::from_text(html, &Limits::default()))
}

fn types(form: &Form) -> Vec<F> {
    form.fields.iter().map(|field| field.field_type).collect()
}

#[test]
fn each_kind_of_form_is_recognised() {
    let cases = [
        ("<form action=/suche><input name=q><button>Suchen</button></form>", FormType::Search),
        (
            "<form action=/cars><select name=make><option>Any</select><select name=model><option>Any</select>
             <select name=fuel><option>Any</select><input type=submit value=Search></form>",
            FormType::Search,
        ),
        (
            "<form method=post action=/session><input name=user><input type=password name=p>
             <input type=checkbox name=remember_me><button>Log in</button></form>",
            FormType::Login,
        ),
        (
            "<form method=post action=/register><input name=first_name><input name=last_name><input name=email>
             <input type=password name=password><input type=password name=password2>
             <input type=checkbox name=terms><button>Create account</button></form>",
            FormType::Registration,
        ),
        (
            "<form method=post action=/newsletter><input name=email placeholder='Your e-mail'>
             <button>Subscribe</button></form>",
            FormType::MailingList,
        ),
        (
            "<form method=post action=/users/password-reset><h2>Forgot your password?</h2><input name=email>
             <button>Reset password</button></form>",
            FormType::PasswordRecovery,
        ),
        (
            "<form method=post action=/contact><input name=name><input name=email>
             <textarea name=message></textarea><button>Send</button></form>",
            FormType::Contact,
        ),
        (
            "<form method=post action=/cart/add><input name=quantity value=1><button>Add to cart</button></form>",
            FormType::Order,
        ),
        ("<form action=/language><select name=lang><option>English</select></form>", FormType::Other),
    ];
    for (html, expected) in cases {
        let found = forms(html);
        assert_eq!((found.len(), found[0].form_type), (1, expected), "{html}");
    }
}

#[test]
fn fields_are_read_by_label_name_and_standard() {
    let html = "<form method=post action=/signup><label for=a>Vorname</label><input id=a name=x1>
        <table><tr><td>Postleitzahl:</td><td><input name=x2></td></tr></table>
        <input name=x3 autocomplete='section-a family-name'><input name=x4 placeholder='E-Mail-Adresse'>
        <input name=x5 type=tel><select name=country><option>DE</select>
        <input type=radio name=sex value=f> Frau <input type=radio name=sex value=m> Herr
        <input type=password name=x6><input type=password name=x7 placeholder='Passwort wiederholen'>
        <input type=checkbox name=agb>Ich stimme den Nutzungsbedingungen zu
        <input type=checkbox name=news> Newsletter <button name=go>Registrieren</button></form>";
    let form = &forms(html)[0];
    let expected = [
        F::FirstName,
        F::PostalCode,
        F::LastName,
        F::Email,
        F::Phone,
        F::Country,
        F::Gender,
        F::Password,
        F::PasswordConfirmation,
        F::AcceptTerms,
        F::ReceiveEmails,
        F::Submit,
    ];
    assert_eq!(types(form), expected);
    let radio = &form.fields[6];
    let choices: Vec<(&str, &str)> =
        radio.options.iter().map(|option| (option.value.as_str(), option.text.as_str())).collect();
    assert_eq!(choices, [("f", "Frau"), ("m", "Herr")]);
    assert_eq!(form.fields[1].label.as_deref(), Some("Postleitzahl"));
}

#[test]
fn controls_belong_to_their_form_wherever_html_puts_them() {
    // A form between rows is emptied by the parser, and a control can name its form.
    let html =
        "<table><form action=/find><tr><td><input name=q></td><td><input type=submit value=Find></td></tr>
        </form></table><form id=f action=/login method=post><input type=password name=p></form>
        <input form=f name=user>";
    let found = forms(html);
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].index, found[0].form_type), (Some(0), FormType::Search));
    assert_eq!(types(&found[1]), [F::Password, F::Username]);
}

#[test]
fn a_form_without_an_element_has_controls_and_something_to_press() {
    let html = "<body><p>News</p><div class=box><input id=where placeholder='City or zip'>
        <select name=type><option>Rent<option>Buy</select><a href=# class='btn big'>Search</a></div>
        <div><input type=checkbox name=lonely></div></body>";
    let found = forms(html);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].index, found[0].form_type, found[0].fields.len()), (None, FormType::Search, 2));
}

#[test]
fn hidden_inputs_are_not_fields() {
    let form = &forms("<form><input type=hidden name=csrf value=1><input name=q></form>")[0];
    assert_eq!(form.hidden, [("csrf".to_owned(), "1".to_owned())]);
    assert_eq!(form.fields.len(), 1);
}

#[test]
fn large_forms_are_bounded() {
    let options = "<option>x".repeat(5_000);
    let html = format!("<form><select name=s>{options}</select>{}</form>", "<input name=a>".repeat(2_000));
    let found = forms(&html);
    assert_eq!(found[0].fields[0].options.len(), 1_000);
    assert_eq!(found[0].fields.len(), 500);
    assert_eq!(forms(&"<form><input name=q></form>".repeat(1_000)).len(), 300);
    // a label around everything is not the label of each control, and is not read for each of them
    let words = "lamp ".repeat(100_000);
    let form = &forms(&format!("<label>{words}<form>{}</form></label>", "<input name=q>".repeat(500)))[0];
    assert!(form.fields.iter().all(|field| field.label.is_none()), "{:?}", form.fields[0].label);
    // loose controls below ever deeper containers
    let deep = format!("{}{}", "<div>".repeat(400), "<input name=q>".repeat(3_000));
    assert!(forms(&deep).len() <= 300);
}

proptest! {
    #[test]
    fn nothing_panics(html in "(<(form|input|select|option|label|table|tr|button|/form|/table|div)( (name|id|for|form|type|role)=[a-z]{1,6}){0,3}>|[a-z ]{0,8}){0,60}") {
        for form in forms(&html) {
            prop_assert!(form.confidence > 0.0 && form.confidence <= 1.0);
        }
    }
}
