// @ts-check
/** Pages to try the studio with. They are part of it, so that nothing has to be fetched. */

/** The train table of the DEUDS paper, with its layout. */
const TRAINS = `<!DOCTYPE html><html lang="en"><head><title>Trains between stations</title><style>
body { font: 15px sans-serif; margin: 2em } td, th { padding: 4px 12px; border: 1px solid #bbb } th { background: #eef }
.menu a { margin-right: 1em }</style></head><body>
<div class="menu"><a href="/">Home</a><a href="/fares">Fares</a><a href="/help">Help</a></div>
<h1>Trains between stations</h1><p>Six trains run on this day.</p>
<table width="100%" class="trains"><tr><th>Train no</th><th>Name</th><th>Departs</th><th>Arrives</th><th>Fare</th></tr>
${[["12951", "Rajdhani Express", "16:35", "08:35", "2,085"], ["12009", "Shatabdi Express", "06:25", "12:45", "1,020"],
    ["12953", "August Kranti", "17:40", "10:55", "1,980"], ["12471", "Swaraj Express", "11:10", "06:20", "640"],
    ["19023", "Janata Express", "07:25", "12:35", "385"], ["12903", "Golden Temple Mail", "21:25", "18:00", "610"]]
    .map(row => `<tr>${row.map(cell => `<td>${cell}</td>`).join("")}</tr>`).join("\n")}
</table><p>Fares in rupees.</p></body></html>`;

const LAMPS = ["Brass desk lamp", "Paper floor lamp", "Clip-on reading light", "Opal glass pendant", "Ceramic bedside lamp",
  "Rattan ceiling shade", "Workshop spotlight", "Travertine table lamp"];

const SHOP = `<!DOCTYPE html><html lang="en"><head><title>Lamps</title><style>
body { font: 15px sans-serif; margin: 1.5em; max-width: 60em } .grid { display: grid; grid-template-columns: repeat(4, 1fr); gap: 1em }
.card { border: 1px solid #ddd; border-radius: 8px; padding: 1em } .price { font-weight: bold } .ad { background: #fff4d6 }</style></head><body>
<nav><a href="/lamps">Lamps</a> <a href="/chairs">Chairs</a> <a href="/rugs">Rugs</a></nav><h1>Lamps</h1><div class="grid">
${LAMPS.map((name, at) => `<div class="card"><h2><a href="/lamp/${at + 1}">${name}</a></h2><p class="note">${["Oak", "Steel", "Linen"][at % 3]}, ${at + 2} in stock</p>
<p class="price">£${29 + 13 * at}.50</p></div>`).join("\n")}
<div class="card ad"><h2><a href="/club">Join our club</a></h2><p class="note">Free delivery, always</p><p class="price">£0.00</p></div>
</div></body></html>`;

const BOOK = `<!DOCTYPE html><html lang="en"><head><title>Salt and Timber</title></head><body><nav><a href="/">Harbour Books</a></nav>
<main><h1>Salt and Timber</h1><p>by <a href="/authors/holm">Mara Holm</a></p><p class="price">£14.99</p>
<dl><dt>Publisher</dt><dd>Quay &amp; Cooper</dd><dt>ISBN-13</dt><dd>9781904559016</dd><dt>Pages</dt><dd>312</dd><dt>Format</dt><dd>Paperback</dd></dl>
<p>On the winter coast of Norland a shipwright's daughter finds the plans of a boat that nobody has dared to build.</p></main></body></html>`;

/** @type {{name: string, about: string, html: string}[]} */
export const EXAMPLES = [
  { name: "Trains", about: "a table", html: TRAINS },
  { name: "Lamps", about: "a list with an advert in it", html: SHOP },
  { name: "A book", about: "a page about one thing", html: BOOK },
];
