//! Forms, their fields, and the types of both.

use copal_dom::Node;

/// A form of a page.
#[derive(Debug, Clone)]
pub struct Form {
    /// The `<form>` element, or the element around the controls of a form without one.
    pub node: Node,
    /// The number of the `<form>` element on the page, from 0; `None` for a form without one.
    pub index: Option<usize>,
    /// Where the form is sent to, as written.
    pub action: Option<String>,
    /// True if it is sent by POST.
    pub is_post: bool,
    /// What the form is for.
    pub form_type: FormType,
    /// How certain the type is, from 0 to 1.
    pub confidence: f64,
    /// Its controls in document order, except hidden inputs.
    pub fields: Vec<FormField>,
    /// Names and values of its hidden inputs.
    pub hidden: Vec<(String, String)>,
}

/// A control of a form. Radio buttons with one name are one field.
#[derive(Debug, Clone)]
pub struct FormField {
    /// The element, for radio buttons the first one.
    pub node: Node,
    /// The name under which it is sent; empty if it has none.
    pub name: String,
    /// What kind of control it is.
    pub control: Control,
    /// The text that a user reads next to it or inside it.
    pub label: Option<String>,
    /// What the field wants.
    pub field_type: FieldType,
    /// What can be chosen; empty for texts.
    pub options: Vec<ChoiceOption>,
    /// The value that is filled in already.
    pub value: Option<String>,
    /// True if the page says that it must be filled in.
    pub required: bool,
}

/// A choice of a select, a radio button or a check box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceOption {
    /// What is sent.
    pub value: String,
    /// What the user reads.
    pub text: String,
    /// True if it is chosen already.
    pub selected: bool,
}

/// The kinds of controls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// A line of text, also for e-mail addresses, numbers and dates.
    Text,
    /// A password.
    Password,
    /// Several lines of text.
    TextArea,
    /// A check box.
    Checkbox,
    /// A group of radio buttons.
    Radio,
    /// A select.
    Select,
    /// A file.
    File,
    /// A button that sends the form, or has no other purpose that is known.
    Submit,
    /// A button that empties the form.
    Reset,
}

impl Control {
    /// The name in output.
    pub fn name(self) -> &'static str {
        match self {
            Control::Text => "text",
            Control::Password => "password",
            Control::TextArea => "textarea",
            Control::Checkbox => "checkbox",
            Control::Radio => "radio",
            Control::Select => "select",
            Control::File => "file",
            Control::Submit => "submit",
            Control::Reset => "reset",
        }
    }
}

macro_rules! named_types {
    ($(#[$doc:meta])* $type:ident { $($variant:ident $name:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $type {
            $(#[doc = concat!("`", $name, "`")] $variant),*
        }

        impl $type {
            /// All types.
            pub const ALL: &[$type] = &[$($type::$variant),*];

            /// The name in output. The names are those of the Formasaurus data set.
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name),*
                }
            }
        }
    };
}

named_types! {
    /// What a form is for.
    FormType {
        Search "search",
        Login "login",
        Registration "registration",
        PasswordRecovery "password/login recovery",
        MailingList "join mailing list",
        Contact "contact/comment",
        Order "order/add to cart",
        Other "other",
    }
}

named_types! {
    /// What a field wants.
    FieldType {
        SearchQuery "search query",
        SearchRefinement "search category / refinement",
        Sorting "sorting option",
        Username "username",
        UsernameOrEmail "username or email",
        Email "email",
        EmailConfirmation "email confirmation",
        Password "password",
        PasswordConfirmation "password confirmation",
        RememberMe "remember me checkbox",
        AcceptTerms "TOS confirmation",
        ReceiveEmails "receive emails confirmation",
        FirstName "first name",
        MiddleName "middle name",
        LastName "last name",
        FullName "full name",
        Organisation "organization name",
        Gender "gender",
        Day "day",
        Month "month",
        Year "year",
        FullDate "full date",
        TimeZone "timezone",
        Country "country",
        State "state",
        City "city",
        Address "address",
        PostalCode "postal code",
        Phone "phone",
        Fax "fax",
        Url "url",
        AboutMe "about me text",
        CommentText "comment text",
        CommentSubject "comment title or subject",
        SecurityQuestion "security question",
        SecurityAnswer "answer to security question",
        Quantity "product quantity",
        ProductStyle "style select",
        Captcha "captcha",
        Honeypot "honeypot",
        Number "other number",
        ReadOnly "other read-only",
        Submit "submit button",
        Cancel "cancel button",
        Reset "reset/clear button",
        Other "other",
    }
}

impl FieldType {
    /// True for the types that identify or describe a person; forms with them are not searches.
    pub fn is_personal(self) -> bool {
        matches!(
            self,
            FieldType::Email
                | FieldType::EmailConfirmation
                | FieldType::Username
                | FieldType::UsernameOrEmail
                | FieldType::FirstName
                | FieldType::MiddleName
                | FieldType::LastName
                | FieldType::FullName
                | FieldType::Phone
                | FieldType::Fax
                | FieldType::Organisation
                | FieldType::Gender
                | FieldType::SecurityAnswer
        )
    }
}
