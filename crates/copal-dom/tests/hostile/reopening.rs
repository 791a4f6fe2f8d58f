//! Random pages made of tags that are opened again and moved: the hardest input for limits on nodes and
//! depth.

use crate::support::{limits_with, read};
use proptest::prelude::*;

/// Tags that reopen, move and imply other elements.
const REOPENING_TAGS: &[&str] = &[
    "<a h=1>",
    "<a>",
    "</a>",
    "<b>",
    "<b a=1>",
    "<b a=2>",
    "</b>",
    "<i>",
    "</i>",
    "<i b=3>",
    "<font c=d>",
    "</font>",
    "<nobr>",
    "</nobr>",
    "<div>",
    "<div>",
    "</div>",
    "<p>",
    "</p>",
    "<ul>",
    "<li>",
    "</ul>",
    "<table>",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "</td>",
    "<caption>",
    "<select>",
    "<option>",
    "</select>",
    "<svg>",
    "<g>",
    "</svg>",
    "<title>",
    "</title>",
    "<script>",
    "</script>",
    "<style>",
    "</style>",
    "<template>",
    "</template>",
    "<button>",
    "</button>",
    "<object>",
    "</object>",
    "<h1>",
    "</h1>",
    "<form>",
    "</form>",
    "<br>",
    "<body x=y>",
    "<html z>",
    "<math>",
    "<mtext>",
    "</math>",
    "<frameset>",
    "x",
    "x",
    " ",
    "text",
    "\0",
    "<!-- -->",
    "<annotation-xml encoding=text/html>",
];

/// More than the default, because a case is cheap. `PROPTEST_CASES` may ask for even more.
fn many_cases() -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig { cases: default.cases.max(2000), failure_persistence: None, ..default }
}

proptest! {
    #![proptest_config(many_cases())]

    /// The limits are so small that most pages hit them, whatever is moved or reopened.
    #[test]
    fn pages_of_reopening_tags_stay_within_small_limits(
        parts in prop::collection::vec(prop::sample::select(REOPENING_TAGS), 0..400),
        depth in 2..24_usize,
        nodes in 10..600_usize,
        text_bytes in 0..200_usize,
    ) {
        let limits = limits_with(|l| (l.depth, l.nodes, l.text_bytes) = (depth, nodes, text_bytes));
        read(&format!("{parts:?}"), &parts.concat(), &limits);
    }
}
