//! Columns: what a value is, which values form a column, how columns are named and what their cells contain.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_extract::{Answer, Cell, Method, Region, Request, extract};

fn list(html: &str) -> Region {
    let page = Page::from_text(html, &Limits::default());
    let mut options = Request::for_lists();
    options.lists.method = Method::Buw;
    let Answer { regions, .. } = extract(&page, &options);
    regions.into_iter().next().unwrap()
}

/// A list whose items have this content, with `{}` replaced by the words of each item.
fn items(inside: &str, words: &[&[&str]]) -> Region {
    let item = |words: &&[&str]| {
        let mut html = inside.to_owned();
        for word in *words {
            html = html.replacen("{}", word, 1);
        }
        format!("<li class=entry>{html}</li>")
    };
    list(&format!("<ul>{}</ul>", words.iter().map(item).collect::<String>()))
}

/// The cells of a column, with the texts of each cell joined.
fn column(region: &Region, name: &str) -> Vec<String> {
    let names: Vec<&str> = region.columns.iter().map(|column| column.name.as_str()).collect();
    let at =
        names.iter().position(|&known| known == name).unwrap_or_else(|| panic!("no {name} in {names:?}"));
    region.records.iter().map(|record| record.cells[at].join(" + ")).collect()
}

fn named_by(region: &Region, name: &str) -> &'static str {
    region.columns.iter().find(|column| column.name == name).unwrap().named_by.name()
}

fn names(region: &Region) -> Vec<&str> {
    region.columns.iter().map(|column| column.name.as_str()).collect()
}

const WORDS: &[&[&str]] =
    &[&["Oak", "12"], &["Elm", "7"], &["Birch tree", "31"], &["Old willow", "5"], &["Lime", "19"]];

#[test]
fn a_sentence_with_links_and_highlights_is_one_value() {
    let html = "<h3><a href='/{}'>{} tree</a></h3><p class=about>The <b>{}</b> grows in <a href='/w'>woods</a> of <span class=hit>hills</span>, <b>most</b>ly.</p>";
    let region = items(
        html,
        &[&["a", "Oak", "oak"], &["b", "Elm", "elm"], &["c", "Lime", "lime"], &["d", "Fir", "fir"]],
    );
    assert_eq!(column(&region, "about")[1], "The elm grows in woods of hills, mostly.");
}

#[test]
fn adjacent_elements_are_separate_values() {
    let region = items(
        "<h3>{}</h3><p><span class=likes>{}</span> <span class=views>8{}</span></p>",
        &[&["One fir", "1", "1"], &["Two firs", "2", "2"], &["Many firs", "3", "3"]],
    );
    assert_eq!(column(&region, "likes"), ["1", "2", "3"]);
    assert_eq!(column(&region, "views"), ["81", "82", "83"]);
}

#[test]
fn words_that_only_join_fields_do_not_form_a_sentence() {
    let html = "<h3>{}</h3><p><span class=score>{} points</span> by <a class=user href='/u'>{}</a> <span class=age>{} hours ago</span></p>";
    let region = items(
        html,
        &[
            &["One fir", "12", "Ann", "1"],
            &["Two firs", "7", "Bo", "2"],
            &["Many firs", "31", "Cy", "3"],
            &["No fir", "8", "Di", "4"],
        ],
    );
    assert_eq!(column(&region, "score")[0], "12 points");
    assert_eq!(column(&region, "user")[1], "Bo");
    assert_eq!(column(&region, "age")[2], "3 hours ago");
}

#[test]
fn words_before_a_value_are_its_label() {
    let region = items("<h3>{}</h3><p class=x>Rating: <span>{}%</span></p>", WORDS);
    assert_eq!(column(&region, "rating")[0], "Rating: 12%");
    assert_eq!(named_by(&region, "rating"), "label");
    let at = region.columns.iter().position(|column| column.name == "rating").unwrap();
    assert_eq!(region.columns[at].value_type, Some("percent"));
    assert!(region.records.iter().all(|record| record.cells[at].value.is_some()));
}

#[test]
fn bold_labels_are_cut_off_and_name_the_column() {
    let region = items("<h3>{}</h3><p><b>Docket:</b> A-{}</p>", WORDS);
    assert_eq!(column(&region, "docket")[..2], ["A-12", "A-7"]);
    assert_eq!(named_by(&region, "docket"), "label");
}

#[test]
fn definition_terms_are_labels() {
    let region = items("<h3>{}</h3><dl><dt>Height</dt><dd>{} or so</dd></dl>", WORDS);
    assert_eq!(column(&region, "height")[0], "12 or so");
}

#[test]
fn a_leading_link_is_separated_from_the_values_after_it() {
    let region = items(
        "<p><a href='/{}'>{} v. State</a>, Case No. {}, Filed May {}, 2024, UT {}</p><p>On {}</p>",
        &[
            &["a", "Oak", "20-1", "1", "11", "oaks"],
            &["b", "Elm", "20-2", "2", "12", "elms"],
            &["c", "Fir", "20-3", "2", "13", "firs"],
            &["d", "Ash", "20-4", "3", "14", "ashes"],
        ],
    );
    assert_eq!(column(&region, "title")[0], "Oak v. State");
    let texts: Vec<&str> = region.records[0].cell_texts().collect();
    // the comma of the date is not a separator
    for text in ["Case No. 20-1", "Filed May 1, 2024", "UT 11"] {
        assert!(texts.contains(&text), "{text}: {texts:?}");
    }
}

#[test]
fn lines_are_cut_at_separators() {
    let region = items("<h3>{}</h3><p>Wood <span>|</span> <time>{} May 2020</time></p>", WORDS);
    assert_eq!(column(&region, "date")[0], "12 May 2020");
    assert_eq!(named_by(&region, "date"), "type");
}

#[test]
fn an_optional_element_does_not_make_a_second_column() {
    let plain = |name: &str, price: &str| {
        format!("<li><h3>{name}</h3><div class=price><b class=now>{price}</b></div><p>Good {name}</p></li>")
    };
    let sale = |name: &str, was: &str, price: &str| {
        format!(
            "<li><h3>{name}</h3><div class=price><del class=was>{was}</del> <b class=now>{price}</b></div><p>Good {name}</p></li>"
        )
    };
    let html =
        [plain("Lamp", "£4"), sale("Rug", "£9", "£8"), plain("Chair", "£30"), sale("Desk", "£90", "£80")]
            .concat();
    let region = list(&format!("<ul>{html}</ul>"));
    assert_eq!(column(&region, "price"), ["£4", "£8", "£30", "£80"]);
    assert_eq!(column(&region, "old_price"), ["", "£9", "", "£90"]);
}

#[test]
fn constant_and_repeated_values_are_not_columns() {
    let html = "<a class=small href='/{}'>{}, short</a><h3><a class=full href='/{}'>{}, short and long</a></h3><span>|</span><button>Add to basket</button><a href='#'>Buy</a>";
    let words: Vec<[&str; 4]> =
        ["Oakwood", "Elmtree", "Birches", "Willows"].iter().map(|&word| [word; 4]).collect();
    let words: Vec<&[&str]> = words.iter().map(<[&str; 4]>::as_slice).collect();
    let region = items(html, &words);
    let mut names = names(&region);
    names.sort_unstable();
    assert_eq!(names, ["title", "url"]);
    assert_eq!(column(&region, "title")[0], "Oakwood, short and long");
}

#[test]
fn a_picture_that_all_records_share_is_not_a_column() {
    let html = "<img src='/i/tree-{}.jpg'><h3>{}</h3><p><img src='/i/height.svg'> {} m high</p>";
    let words: &[&[&str]] = &[
        &["1", "Oak", "12"],
        &["2", "Elm", "7"],
        &["3", "Birch tree", "31"],
        &["4", "Old willow", "5"],
        &["5", "Lime", "19"],
    ];
    let region = items(html, words);
    assert_eq!(column(&region, "image")[0], "/i/tree-1.jpg");
    let is_icon = |cell: &Cell| cell.texts.iter().any(|text| text.text.ends_with("height.svg"));
    assert!(!region.records.iter().any(|record| record.cells.iter().any(is_icon)), "{:?}", names(&region));
}

#[test]
fn screen_reader_texts_are_not_part_of_a_line() {
    let region = items(
        "<p><a href='/{}'>{} tree</a> of old<span class=sr-only>opens a window</span></p>",
        &[&["a", "Oak"], &["b", "Elm"], &["c", "Fir"], &["d", "Ash"]],
    );
    assert_eq!(column(&region, "title")[0], "Oak tree of old");
}

#[test]
fn visible_text_is_kept_instead_of_its_screen_reader_copy() {
    let region = items(
        "<h3>{} of oak</h3><label class=screen-reader-text>{} of oak, amount</label><p>{} cm</p>",
        &[
            &["A lamp", "A lamp", "10"],
            &["A chair", "A chair", "11"],
            &["A table", "A table", "12"],
            &["A desk", "A desk", "13"],
        ],
    );
    assert_eq!(column(&region, "title")[0], "A lamp of oak");
    assert_eq!(region.columns.len(), 2, "{:?}", names(&region));
}

#[test]
fn words_without_a_space_between_elements_are_two_values() {
    let html = "<h3>Room {}</h3><p class=body><span class=name>{} Lee</span>Minister of {}</p>";
    let region = items(
        html,
        &[
            &["A 1", "Ann", "trees"],
            &["A 2", "Bo", "woods"],
            &["B 1", "Cy", "hills"],
            &["B 2", "Di", "lakes"],
        ],
    );
    assert!(region.records[0].cells.iter().any(|cell| *cell == ["Ann Lee"]), "{:?}", region.records[0].cells);
    assert!(region.records[0].cells.iter().any(|cell| *cell == ["Minister of trees"]));
}

#[test]
fn types_and_values_are_found_without_a_domain() {
    let region = items(
        "<h3>{}</h3><b class=a>£{}</b><i class=b>12 May 2020</i><u class=c>{} reviews</u>",
        &[&["Lamp", "5", "10"], &["Chair", "7.50", "11"], &["Table", "8", "12"], &["Desk", "9", "13"]],
    );
    let kinds: Vec<Option<&str>> = region.columns.iter().map(|column| column.value_type).collect();
    assert_eq!(kinds, [None, Some("money"), Some("date"), Some("count")]);
    assert!(region.records.iter().all(|record| record.cells.len() == 4 && record.cells[0].value.is_none()));
    assert!(region.records.iter().all(|record| record.cells[1..].iter().all(|cell| cell.value.is_some())));
}

#[test]
fn labels_of_responsive_table_cells_name_columns() {
    let row = |name: &str, town: &str| {
        format!("<tr><td data-label='Full name'>{name}</td><td data-label='Town'>{town}</td></tr>")
    };
    let rows = [row("Ann Lee", "Leeds"), row("Bo Ek", "York"), row("Cy Day", "Hull"), row("Di Orr", "Bath")]
        .concat();
    let region = list(&format!("<table>{rows}</table>"));
    assert_eq!(names(&region), ["full_name", "town"]);
    assert_eq!(named_by(&region, "town"), "label");
}

#[test]
fn a_title_is_not_a_date_and_its_link_is_the_url() {
    let region = items(
        "<a class=cat href='/c/{}'>{} May 2020</a><h2><a href='/{}'>{} wood</a></h2>",
        &[&["1", "1", "a", "Oak"], &["2", "2", "b", "Elm"], &["3", "3", "c", "Fir"], &["4", "4", "d", "Ash"]],
    );
    assert_eq!(column(&region, "title")[2], "Fir wood");
    assert_eq!(column(&region, "url")[2], "/c");
}

#[test]
fn layout_classes_do_not_name_columns() {
    let region = items(
        "<h3>{}</h3><div class='author-name'><span class='col-left text-bold'>{} Lee</span></div>",
        WORDS,
    );
    assert_eq!(column(&region, "author_name")[0], "12 Lee");
}

#[test]
fn table_headers_may_be_plain_cells() {
    let row = |name: &str, town: &str| format!("<tr><td>{name}</td><td>{town} city</td></tr>");
    let rows = [row("Ann Lee", "Leeds"), row("Bo Ek", "York"), row("Cy Day", "Hull"), row("Di Orr", "Bath")]
        .concat();
    let region = list(&format!(
        "<table><thead><tr><td>Full name</td><td>Town</td></tr></thead><tbody>{rows}</tbody></table>"
    ));
    assert_eq!(names(&region), ["full_name", "town"]);
    assert_eq!(named_by(&region, "town"), "header");
}

#[test]
fn labelled_values_are_aligned_by_their_labels() {
    let item = |name: &str, facts: &[&str]| {
        let facts: String = facts.iter().map(|fact| format!("<div class=fact>{fact}</div>")).collect();
        format!("<li><h3>{name}</h3>{facts}</li>")
    };
    let html = [
        item("Blue car", &["Genre: Racing", "Made: 2011"]),
        item("Red car", &["Made: 2012", "Genre: Flying"]),
        item("Green car", &["Made: 2013"]),
        item("Old car", &["Genre: Puzzle", "Made: 2014"]),
    ];
    let region = list(&format!("<ul>{}</ul>", html.concat()));
    assert_eq!(column(&region, "genre"), ["Genre: Racing", "Genre: Flying", "", "Genre: Puzzle"]);
    assert_eq!(column(&region, "made")[1], "Made: 2012");
}

#[test]
fn items_inside_a_record_are_one_cell_with_several_texts() {
    let item = |name: &str, tags: &[&str]| {
        let tags: String = tags.iter().map(|tag| format!("<li>{tag}</li>")).collect();
        format!("<div class=card><h3>{name}</h3><p>Nice {name}</p><ul class=tags>{tags}</ul></div>")
    };
    let html =
        [item("Lamp", &["desk", "glass"]), item("Rug", &["floor"]), item("Vase", &["desk", "old", "new"])];
    let region = list(&html.concat());
    assert_eq!(column(&region, "tags"), ["desk + glass", "floor", "desk + old + new"]);
}

#[test]
fn many_repeated_values_are_one_cell_with_several_texts() {
    let tags = |n: usize| (0..n).map(|i| format!("<span class=tag>tag {n}.{i}</span> ")).collect::<String>();
    let item = |n: usize| format!("<li><h3>Tree {n} of all</h3><div>{}</div></li>", tags(n));
    let region = list(&format!("<ul>{}</ul>", (3..9).map(item).collect::<String>()));
    assert_eq!(region.records[5].cells.iter().map(Cell::len).max(), Some(8));
}

/// Posts with comments; each `from` gives another page.
fn posts(from: usize) -> String {
    let comment = |post: usize, i: usize| {
        format!(
            "<div class=comment><b class=who>Reader {post}{i}</b><i class=when>{i} May 2020</i><p class=words>Post {post} is good, {i}.</p></div>"
        )
    };
    let post = |post: usize| {
        let comments: String = (0..post % 4).map(|i| comment(post, i + 1)).collect();
        format!(
            "<article><h2><a href='/{post}'>Post {post} of all</a></h2><p class=lead>What {post} is about</p><a href='/u/{post}' class=author>Ann {post}</a><span title=Votes>{post}</span><u>{post} km</u><s>{post} kg</s><em>of {post}</em><div class=comments>{comments}</div></article>"
        )
    };
    format!("<main>{}</main>", (from..from + 6).map(post).collect::<String>())
}

#[test]
fn lists_inside_records_are_nested_lists() {
    let page = Page::from_text(&posts(10), &Limits::default());
    let options = Request::for_lists();
    let region = extract(&page, &options).regions.into_iter().next().unwrap();
    assert_eq!(region.records.len(), 6);
    let counts: Vec<usize> =
        region.records.iter().map(|post| post.children.iter().map(|list| list.records.len()).sum()).collect();
    assert_eq!(counts, [2, 3, 0, 1, 2, 3]);
    let comments = &region.records[1].children[0];
    assert_eq!(comments.role.name(), "secondary");
    assert!(comments.xpath().starts_with(&region.records[1].xpaths()[0]), "{}", comments.xpath());
    assert_eq!(column(comments, "title"), ["Reader 111", "Reader 112", "Reader 113"]);
    assert_eq!(column(comments, "words")[1], "Post 11 is good, 2.");
    // and the comments are not columns of the posts
    assert!(!region.records[1].cell_texts().any(|text| text.contains("good")));
}

#[test]
fn descriptions_of_an_element_name_its_column() {
    let region = items(
        "<h3>{}</h3><p><span title=Comments>{} so far</span> <span aria-label='Seen by'>{}</span></p><i title='{}'>{}</i>",
        &[
            &["One fir", "12", "1", "a", "x"],
            &["Two firs", "7", "2", "b", "y"],
            &["Many firs", "31", "3", "c", "z"],
            &["No fir", "8", "4", "d", "w"],
        ],
    );
    assert_eq!(column(&region, "comments")[0], "12 so far");
    assert_eq!(column(&region, "seen_by")[1], "2");
    assert_eq!(named_by(&region, "comments"), "label");
    // a title attribute that differs between records is not a name
    assert!(!names(&region).contains(&"a"));
}

#[test]
fn pages_of_one_template_have_the_same_column_names() {
    let read = |html: String| {
        let page = Page::from_text(&html, &Limits::default());
        let region = extract(&page, &Request::for_lists()).regions.into_iter().next().unwrap();
        names(&region).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let first = read(posts(10));
    assert_eq!(first, read(posts(71)));
    assert!(first.iter().any(|name| name == "votes"), "{first:?}");
}

#[test]
fn an_additional_wrapper_does_not_change_the_columns() {
    let inner = |n: u32| {
        format!(
            "<div class=lamp><h3><a href='/{n}'>Lamp number {n}</a></h3><p class=about>Shade {n} of oak</p></div>"
        )
    };
    let slot = |n: u32| {
        if n.is_multiple_of(3) {
            format!("<div class=slot><small>Sponsored</small>{}</div>", inner(n))
        } else {
            inner(n)
        }
    };
    let html = format!("<main><h1>Lamps</h1><div>{}</div></main>", (1..12).map(slot).collect::<String>());
    let page = Page::from_text(&html, &Limits::default());
    let region = extract(&page, &Request::for_lists()).regions.into_iter().next().unwrap();
    assert_eq!(region.records[2].text, "Sponsored Lamp number 3 Shade 3 of oak");
    assert_eq!(column(&region, "title")[..3], ["Lamp number 1", "Lamp number 2", "Lamp number 3"]);
    assert_eq!(column(&region, "about")[2], "Shade 3 of oak");
}

#[test]
fn a_bold_first_row_names_the_columns() {
    let row = |n: u32| format!("<tr><td>Peak {n}<td>{n}12 m<td>18{n}1</tr>");
    let head = "<tr><td><b>Name</b><td><b>Height</b><td><b>First climbed</b></tr>";
    let page = format!("<table>{head}{}</table>", (1..9).map(row).collect::<String>());
    let page = Page::from_text(&page, &Limits::default());
    let mut options = Request::for_lists();
    options.all = true;
    let region = extract(&page, &options).regions.remove(0);
    assert_eq!(names(&region), ["name", "height", "first_climbed"]);
    assert_eq!(region.records.len(), 8);
}
