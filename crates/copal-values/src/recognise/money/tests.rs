//! Texts with amounts of money, and texts without.

use super::*;
use crate::recognise::test_support::{check_spans_of_any_text, check_table, matched_texts};

fn show(value: &Value) -> String {
    let Value::Money { amount, max, currency, per, from } = value else { return format!("{value:?}") };
    let max = max.as_ref().map_or(String::new(), |max| format!("-{max}"));
    let per = per.map_or(String::new(), |per| format!("/{per}"));
    format!("{}{amount}{max} {}{per}", if *from { "from " } else { "" }, currency.unwrap_or("?"))
}

#[test]
fn amounts() {
    let cases = "
        £995 => 995 GBP
        995 £ => 995 GBP
        £1,250.00 => 1250.00 GBP
        EUR 12,50 => 12.50 EUR
        12.50 USD => 12.50 USD
        12,50 € => 12.50 EUR
        12,50€ => 12.50 EUR
        US$ 5 => 5 USD
        US$5.99 => 5.99 USD
        $19.99 => 19.99 USD
        19,99 $ => 19.99 USD
        $5 CAD => 5 CAD
        $1,200 AUD => 1200 AUD
        C$25 => 25 CAD
        A$ 49.95 => 49.95 AUD
        NZ$30 => 30 NZD
        HK$ 1,280 => 1280 HKD
        R$ 1.234,56 => 1234.56 BRL
        S/. 120 => 120 PEN
        S/ 89.90 => 89.90 PEN
        499 kr => 499 ?
        kr 499,- => 499 ?
        499 kr (SEK) => 499 SEK
        499 SEK => 499 SEK
        499:- => 499 ?
        1 299,00 zł => 1299.00 PLN
        2 490 Kč => 2490 CZK
        12 990 Ft => 12990 HUF
        ₹ 1,29,999 => 129999 INR
        Rs. 500 => 500 INR
        Rs 45 lakh => 4500000 INR
        ₹2.5 Cr => 25000000 INR
        ¥ 1,200 => 1200 ?
        1200円 => 1200 JPY
        ¥1,200円 => 1200 JPY
        1200元 => 1200 CNY
        ￥99 => 99 ?
        ฿1,500 => 1500 THB
        1,500 บาท => 1500 THB
        1 500 ₽ => 1500 RUB
        1500 руб. => 1500 RUB
        ₺250 => 250 TRY
        1.250 TL => 1250 TRY
        ₩12,000 => 12000 KRW
        12,000원 => 12000 KRW
        120.000₫ => 120000 VND
        RM 12.50 => 12.50 MYR
        Rp 150.000 => 150000 IDR
        R 1 200 => 1200 ZAR
        R1200 => 1200 ZAR
        CHF12.50 => 12.50 CHF
        Rs500 => 500 INR
        Rp150.000 => 150000 IDR
        kr499 => 499 ?
        Fr. 12.50 => 12.50 CHF
        CHF 12.– => 12 CHF
        CHF 1'250.- => 1250 CHF
        12,- € => 12 EUR
        €1.250,- => 1250 EUR
        12,- => 12 ?
        5€99 => 5.99 EUR
        99¢ => 0.99 USD
        20 euros => 20 EUR
        15 Euro => 15 EUR
        5 dollars => 5 USD
        1.2万円 => 12000 JPY
        Price: £20 => 20 GBP
        €10 €20 => 10 EUR; 20 EUR
        10 € 20 € => 10 EUR; 20 EUR
        € 10 € 20 => 10 EUR; 20 EUR
        Was £50 Now £35 => 50 GBP; 35 GBP
        售价1200元 => 1200 CNY";
    check_table(&MoneyRecogniser, show, cases, "");
}

#[test]
fn ranges_bounds_and_units() {
    let cases = "
        £10 - £20 => 10-20 GBP
        $10–20 => 10-20 USD
        10 to 20 EUR => 10-20 EUR
        10€-20€ => 10-20 EUR
        10 - 20 € => 10-20 EUR
        $10-20k => 10000-20000 USD
        £25,000 - £30,000 per annum => 25000-30000 GBP/year
        CDN $33.95 => 33.95 CAD
        $3.7 bln => 3700000000 USD
        from $1,200 to $3,100 => 1200-3100 USD
        CAD 4.31 - \u{feff}CAD 22.86 => 4.31-22.86 CAD
        £450k => 450000 GBP
        $1.2m => 1200000 USD
        $1.2 million => 1200000 USD
        €1,5 Mio. => 1500000 EUR
        £450 - 2 bed flat => 450 GBP
        £450 - 600 pcm => 450-600 GBP/month
        from £10 => from 10 GBP
        From: £10 => from 10 GBP
        ab 12,50 € => from 12.50 EUR
        desde 100 € => from 100 EUR
        à partir de 49 € => from 49 EUR
        от 1500 руб. => from 1500 RUB
        £10+ => from 10 GBP
        £995 pcm => 995 GBP/month
        £995pcm => 995 GBP/month
        £230 pw => 230 GBP/week
        $1,500/mo => 1500 USD/month
        $1,500 per month => 1500 USD/month
        $65,000 a year => 65000 USD/year
        £30,000 p.a. => 30000 GBP/year
        $25 an hour => 25 USD/hour
        $25/hr => 25 USD/hour
        $120/night => 120 USD/night
        $120 per night => 120 USD/night
        80 € la nuit => 80 EUR/night
        750 € pro Monat => 750 EUR/month
        750 € par mois => 750 EUR/month
        750 €/mois => 750 EUR/month
        750 € al mes => 750 EUR/month
        £20 per person => 20 GBP/person
        £20pp => 20 GBP/person
        £3 each => 3 GBP/item
        £5.00/kg => 5.00 GBP/kg
        £5 per kg => 5 GBP/kg
        (1,20 € / 100 g) => 1.20 EUR/100g
        3.500 €/m² => 3500 EUR/m2
        450 EUR/kg => 450 EUR/kg
        $5 (each) => 5 USD/item
        2015 - £4,000 => 4000 GBP";
    check_table(&MoneyRecogniser, show, cases, "");
}

#[test]
fn other_texts_do_not_match() {
    let misses = "
        995
        2017
        R2-D2
        £
        kr
        12 kraft
        krona 5x
        C$
        $C$1
        foo$5
        +44 20 7946 0958
        020 7946 0958
        free
        POA
        12 minutes
        3 in stock
        PHP 7
        PHP 8.1
        R16 tyre
        Mercedes R-Class R350 BLUETEC
        Sport 2.0 P250 Dynamic
        6 Ft tall
        RM5 2AB
        2017-01-26
        12 May 2017
        450k
        1.2 million people
        5 TLC
        12%
        Rs
        3 USDs
        10 - 20
        1,374 reviews
        14:05
        EURO 2016x";
    check_table(&MoneyRecogniser, show, "", misses);
}

#[test]
fn a_span_covers_from_and_per() {
    assert_eq!(matched_texts(&MoneyRecogniser, "Rent: from £995 pcm (no fees)"), ["from £995 pcm"]);
    assert_eq!(matched_texts(&MoneyRecogniser, "£10 - £20 / $5 CAD"), ["£10 - £20", "$5 CAD"]);
    assert_eq!(matched_texts(&MoneyRecogniser, "价格1200元起"), ["1200元"]);
}

#[test]
fn any_text_is_safe() {
    check_spans_of_any_text(
        &MoneyRecogniser,
        "£ € $ US$ kr ,- k lakh from ab pcm /mo 元 ¢ R C$ - to per EUR SEK İ :- 万",
    );
}
