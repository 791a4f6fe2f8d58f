//! The words by which forms and fields say what they are, in the languages that many sites are written in.
//!
//! Stems are looked for anywhere in an identifier or a text, so they must be long or unmistakable; words must occur
//! whole. The lists come from dictionaries, the HTML standard (`autocomplete`) and the names that common web software
//! gives its fields.

/// The words for one meaning.
#[derive(Debug)]
pub(crate) struct Meaning {
    /// Parts of compounds, without separators.
    pub(crate) stems: &'static [&'static str],
    /// Whole words; words that belong together are separated by a space.
    pub(crate) words: &'static [&'static str],
}

macro_rules! meaning {
    ($(#[$doc:meta])* $name:ident: stems [$($stem:literal),* $(,)?], words [$($word:literal),* $(,)?]) => {
        $(#[$doc])*
        pub(crate) static $name: Meaning = Meaning { stems: &[$($stem),*], words: &[$($word),*] };
    };
}

meaning! { /// Search, and the usual names of query parameters.
    SEARCH: stems [
        "search", "suche", "recherche", "chercher", "buscar", "busca", "cerca", "ricerca", "zoek", "szuka", "wyszukiw",
        "hledat", "hledan", "hledej", "pesquis", "procura", "поиск", "искать", "търс", "пошук", "tìm", "arama", "etsi",
        "haku", "søg", "sökning", "cautare", "keres", "finder", "搜索", "搜尋", "検索", "검색", "بحث", "חיפוש", "ค้นหา",
    ], words [
        "q", "query", "find", "keyword", "keywords", "kw", "srch", "sok", "sök", "søk", "ara", "s", "term", "terms", "lookup", "mots",
    ]
}
meaning! { /// Names of query fields that are too general for a form as a whole.
    QUERY_FIELD: stems ["keyword", "suchbegriff", "stichwort", "motcle"], words [
        "q", "query", "s", "k", "kw", "term", "terms", "phrase", "text", "words", "word", "what", "find",
    ]
}
meaning! { /// Logging in.
    LOG_IN: stems [
        "login", "logon", "signin", "anmelden", "einloggen", "connexion", "connecter", "identifiez", "iniciarsesi",
        "acceder", "accedi", "inloggen", "zaloguj", "logowan", "přihlá", "prihlas", "войти", "вход", "entrar", "logind",
        "loggain", "logginn", "kirjaudu", "bejelentkez", "giriş", "登录", "登入", "ログイン", "로그인",
    ], words ["log in", "sign in", "log on", "auth", "authenticate", "session"]
}
meaning! { /// Making an account.
    REGISTER: stems [
        "register", "registr", "signup", "createaccount", "createanaccount", "newaccount", "newuser", "inscription",
        "inscrire", "anlegen", "aanmelden", "zarejestruj", "rejestrac", "регистрац", "зарегистр", "kayıt", "cadastr",
        "crearcuenta", "créeruncompte", "opret", "注册", "登録", "회원가입",
    ], words ["sign up", "join", "create account", "new customer"]
}
meaning! { /// A forgotten password or user name.
    RECOVER: stems [
        "forgot", "lostpass", "recoverpass", "resetpass", "passwordreset", "passwordrecover", "remindpass", "vergessen",
        "oublié", "olvidad", "olvidé", "dimenticat", "vergeten", "zapomnia", "zapomen", "забыл", "восстанов", "esquec",
        "unuttum", "retrievepass", "recuper",
    ], words ["lost password", "recover", "recovery", "reset password", "remind"]
}
meaning! { /// A newsletter.
    NEWSLETTER: stems [
        "newsletter", "subscri", "mailinglist", "maillist", "emailsignup", "mailalert", "emailalert", "signupforemail",
        "abonn", "boletin", "boletín", "suscri", "iscriviti", "nieuwsbrief", "bulletin", "рассыл", "подпис", "biuletyn",
        "odber", "odběr", "mailchimp", "feedburner", "constantcontact", "listmanage", "nyhedsbrev", "nyhetsbrev",
        "hírlevél", "e-bülten", "infolettre", "メルマガ",
    ], words ["updates", "email updates", "mailing list", "stay informed", "e news", "enews", "alerts", "optin", "opt in"]
}
meaning! { /// A message to the site or its readers.
    CONTACT: stems [
        "contact", "kontakt", "feedback", "comment", "komment", "inquiry", "enquiry", "sendmessage", "kommentar",
        "nachricht", "messagebody", "guestbook", "mensaje", "messaggio", "bericht", "reply", "commentaire", "comentar",
        "wiadomość", "zpráva", "сообщени", "коммент", "отзыв", "お問い合わせ",
    ], words ["message", "ask", "request info", "quote", "postcomment", "review"]
}
meaning! { /// Buying.
    ORDER: stems [
        "addtocart", "addtobasket", "addtobag", "shoppingcart", "checkout", "warenkorb", "einkaufswagen", "panier",
        "carrello", "carrito", "winkelwagen", "winkelmand", "koszyk", "kosik", "košík", "корзин", "kundvagn", "indkobskurv",
        "sepete", "buynow", "addtoorder", "placeorder", "カート",
    ], words ["cart", "basket", "bag", "buy", "order", "purchase", "add product", "kaufen", "bestellen", "acheter", "comprar"]
}
meaning! { EMAIL: stems ["email", "correo", "courriel", "emeil", "почт", "имейл", "メール", "이메일", "邮箱", "メアド"],
words ["e mail", "mail", "posta", "mailid", "ea"] }
meaning! { USERNAME: stems [
    "username", "userid", "loginname", "nickname", "screenname", "benutzer", "utilisateur", "identifiant", "usuario",
    "nomeutente", "gebruikersnaam", "nazwauzytkownika", "uzivatel", "логин", "пользовател", "brugernavn", "användarnamn",
    "kullanıcı", "用户名", "ユーザー",
], words ["user", "login", "nick", "member name", "uname", "usr", "handle", "name or email", "account"] }
meaning! { /// A text field with these words shows them until a password field takes its place.
PASSWORD: stems ["password", "passwort", "passwd", "contrasena", "contraseña", "motdepasse", "парол", "wachtwoord", "hasło", "heslo", "senha"], words ["pwd"] }
meaning! { /// Typing something again to be safe.
AGAIN: stems ["confirm", "repeat", "retype", "reenter", "verify", "wiederhol", "bestätig", "répét", "повтор", "подтвер", "potwierd", "ripeti", "conferma", "repetir", "herhaal"],
words ["again", "re", "password2", "pass2", "email2", "2", "verification"] }
meaning! { REMEMBER: stems ["remember", "rememberme", "persist", "autologin", "cookieuser", "keepme", "stayloggedin", "staysigned", "angemeldetbleiben", "eingeloggt", "souvenir", "resterconnect", "recordar", "recuérd", "ricorda", "onthoud", "запомн", "zapamiet", "zapamięt", "pamatovat", "huskmig", "keepsigned", "beniHatırla"],
words ["remember me", "keep me", "permanent"] }
meaning! { TERMS: stems ["terms", "agree", "accept", "zustimm", "nutzungsbeding", "conditionsg", "acepto", "accetto", "akkoord", "soglas", "соглас", "условия", "regulamin", "souhlas", "privacypolic", "datenschutz", "gdpr", "legalaccept", "voorwaarden"],
words ["tos", "tac", "agb", "legal", "rules", "cgu", "cgv", "consent"] }
meaning! { FIRST_NAME: stems ["firstname", "vorname", "prénom", "prenom", "givenname", "voornaam", "fornavn", "förnamn", "imię", "имя", "primeironome", "křestní", "forename"],
words ["fname", "first name", "given", "first", "nombre"] }
meaning! { MIDDLE_NAME: stems ["middlename", "secondname", "additionalname", "отчество"], words ["middle", "mname", "mi"] }
meaning! { LAST_NAME: stems ["lastname", "nachname", "familyname", "surname", "achternaam", "efternavn", "efternamn", "nazwisko", "фамил", "cognome", "apellido", "sobrenome", "příjmení", "nomdefamille"],
words ["lname", "last name", "family", "last"] }
meaning! { FULL_NAME: stems ["fullname", "yourname", "displayname", "publicname", "realname", "contactname", "customername", "vollständigername"],
words ["name", "nom", "naam", "navn", "namn", "nome", "jméno", "author", "cname"] }
meaning! { ORGANISATION: stems ["company", "organisation", "organization", "firma", "société", "entreprise", "empresa", "azienda", "bedrijf", "компани", "institution", "employer"], words ["org", "business name"] }
meaning! { GENDER: stems ["gender", "geschlecht", "anrede", "civilite", "civilité", "salutation"], words ["sex", "sexe", "sexo"] }
meaning! { PHONE: stems ["phone", "telefon", "téléphone", "telephone", "mobile", "телефон", "cellular", "電話"], words ["tel", "cell", "handy", "gsm"] }
meaning! { FAX: stems ["telefax"], words ["fax", "faxnumber"] }
meaning! { POSTAL_CODE: stems ["zipcode", "postcode", "postalcode", "postleitzahl", "codepostal", "codigopostal", "códigopostal", "postnummer", "postnr", "psč", "почтовыйиндекс", "郵便番号"],
words ["zip", "plz", "postal", "cap", "cep", "psc", "staticzip"] }
meaning! { CITY: stems ["townname", "ortschaft", "ciudad", "miasto", "локалит", "gemeinde"], words ["city", "town", "ville", "stadt", "ort", "città", "plaats", "město", "город", "cidade"] }
meaning! { ADDRESS: stems ["streetaddress", "addressline", "adresszeile", "strasse", "straße", "dirección", "indirizzo"], words ["address", "street", "adresse", "address1", "address2", "addr", "rue", "ulica", "улица", "адрес", "adres"] }
meaning! { STATE: stems ["province", "bundesland", "provincia", "prefecture", "województwo"], words ["state", "region", "county", "kanton"] }
meaning! { COUNTRY: stems ["country", "countries", "nationality", "страна"], words ["land", "pays", "país", "paese", "kraj", "nation", "země"] }
meaning! { DAY: stems ["birthday1", "dobday", "dayofbirth"], words ["day", "tag", "jour", "dia", "día", "giorno", "dd"] }
meaning! { MONTH: stems ["dobmonth"], words ["month", "monat", "mois", "mes", "mese", "mm"] }
meaning! { YEAR: stems ["dobyear", "birthyear"], words ["year", "jahr", "année", "annee", "año", "anno", "yyyy", "rok", "ár"] }
meaning! { DATE: stems ["calendar", "datepicker", "checkin", "checkout", "arrival", "departure", "birthdate", "dateofbirth", "startdate", "enddate", "mindate", "maxdate"],
words ["date", "datum", "fecha", "data", "dob", "дата", "from date", "to date"] }
meaning! { TIME_ZONE: stems ["timezone", "zeitzone", "fuseauhoraire", "utcoffset"], words ["tz"] }
meaning! { WEB_ADDRESS: stems ["website", "homepage", "webseite", "siteweb", "weburl"], words ["url", "site", "blog url", "web"] }
meaning! { QUANTITY: stems ["quantity", "quantité", "cantidad", "quantità", "anzahl", "aantal", "количество", "množství"], words ["qty", "menge", "amount", "ilość"] }
meaning! { SORTING: stems ["sortby", "orderby", "sortorder", "sortier", "trierpar", "ordenar", "ordina", "sorteer", "сортиров"], words ["sort", "order by", "order", "sorting", "tri"] }
meaning! { CAPTCHA: stems ["captcha", "securitycode", "verificationcode", "securityimage", "sicherheitscode", "antispam", "humancheck"], words ["kaptcha", "imagecode", "security code"] }
meaning! { HONEYPOT: stems ["honeypot", "bottest", "leaveblank", "leavethisempty", "leavethisfieldempty", "donotfill", "nospam", "hpfield", "spamtrap"], words ["hp", "bot", "hny"] }
meaning! { SUBJECT: stems ["subject", "betreff", "asunto", "oggetto", "onderwerp", "temat", "předmět"], words ["topic", "sujet", "objet", "comment title", "тема"] }
meaning! { ABOUT_ME: stems ["aboutme", "aboutyou", "biograph", "signature", "introduceyourself"], words ["bio", "about", "interests"] }
meaning! { SECURITY_QUESTION: stems ["securityquestion", "secretquestion", "sicherheitsfrage"], words ["security question", "secret question"] }
meaning! { SECURITY_ANSWER: stems ["securityanswer", "secretanswer"], words ["security answer", "secret answer"] }
meaning! { NUMBER: stems ["price", "preis", "prix", "precio", "prezzo", "цена", "mileage", "minimum", "maximum"], words ["min", "max", "number", "nummer", "from", "to", "amount", "size"] }
meaning! { CANCEL: stems ["cancel", "abbrechen", "annuler", "cancelar", "annulla", "annuleren", "отмена", "disagree", "notagree", "decline", "нет согласен"], words ["not agreed", "back", "zurück"] }
meaning! { /// Texts of links and buttons that send a form.
SEND: stems ["submit", "absenden", "envoyer", "enviar", "inviare", "verzenden", "отправить", "wyślij", "odeslat", "showresults", "anzeigen"],
words ["go", "ok", "send", "apply", "show", "continue", "next", "update", "find"] }
