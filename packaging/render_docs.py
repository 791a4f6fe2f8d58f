"""Renders README.md, CHANGELOG.md and the documents in docs/ to static HTML pages, and checks their links.

In: a folder to write to. Out: one page per document, with a table of contents of the guide, and the images that they
show; links to other documents point to their pages, and links to other files of the repository are kept as texts. Fails
if a link or an anchor leads nowhere. Understands the Markdown that the documents use: headings, paragraphs, lists, tables, code blocks, quotes,
emphasis, code, links and images. Standard library only.
"""

import html
import os
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IMAGES = {".png", ".svg", ".jpg"}

STYLE = """
:root { --text: #1c1c1c; --ground: #fff; --soft: #f4f4f1; --line: #d6d6d0; --quiet: #5c5c58; --link: #0b57b0; }
@media (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --text: #e4e4e0; --ground: #16181a; --soft: #22262a; --line: #41464b; --quiet: #a3a39e;
    --link: #8ab8ff; }
}
body { font: 17px/1.6 system-ui, sans-serif; margin: 0; color: var(--text); background: var(--ground); }
a { color: var(--link); }
.page { display: grid; grid-template-columns: 15rem minmax(0, 50rem); gap: 3rem; padding: 1.5rem; max-width: 72rem;
  margin: 0 auto; }
nav { font-size: .9rem; } nav ul { list-style: none; padding: 0; margin: 0; } nav li { margin: .3rem 0; }
nav p { margin: 1.1rem 0 .2rem; color: var(--quiet); } nav p:first-child { margin-top: 0; } nav a { text-decoration: none; }
nav a:hover, h2 a:hover, h3 a:hover { text-decoration: underline; }
nav a[aria-current] { font-weight: 600; color: inherit; }
pre { background: var(--soft); padding: .8rem 1rem; overflow-x: auto; line-height: 1.35; font-size: .8rem;
  border-left: 3px solid transparent; }
pre.sh, pre.python { border-left-color: var(--link); }
code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .9em; overflow-wrap: anywhere; }
code.word { white-space: nowrap; } pre code { font-size: inherit; overflow-wrap: normal; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
td, th { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
h1, h2, h3 { line-height: 1.25; } h1 { margin-top: 0; } h2 { margin-top: 2.2rem; }
h2 a, h3 a, h4 a { color: inherit; text-decoration: none; } h2 a a, h3 a a { color: var(--link); }
img { max-width: 100%; height: auto; }
blockquote { border-left: 3px solid var(--line); margin-left: 0; padding-left: 1rem; }
.here { font-size: .9rem; color: var(--quiet); }
footer { display: flex; justify-content: space-between; gap: 1rem; margin-top: 3rem; padding-top: 1rem;
  border-top: 1px solid var(--line); }
nav { position: sticky; top: 1.5rem; align-self: start; max-height: calc(100vh - 3rem); overflow-y: auto; }
.to-contents { display: none; }
@media (max-width: 60rem) {
  .page { grid-template-columns: minmax(0, 1fr); gap: 1rem; padding: 1rem; }
  nav { position: static; max-height: none; order: 2; border-top: 1px solid var(--line); padding-top: 1rem; }
  .to-contents { display: block; margin: 0 0 1rem; font-size: .9rem; }
}
"""


def anchor(heading):
    """The name of a heading, as GitHub makes it."""
    text = re.sub(r"`([^`]*)`|\[([^\]]*)\]\([^)]*\)", lambda match: match.group(1) or match.group(2) or "", heading)
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


class Document:
    def __init__(self, source, documents):
        self.source = source
        self.documents = documents
        self.text = source.read_text(encoding="utf-8")
        self.anchors = set()
        self.problems = []
        self.images = set()
        found = {}
        for heading in headings(self.text):
            name = anchor(heading)
            count = found.get(name, 0)
            found[name] = count + 1
            self.anchors.add(name if count == 0 else f"{name}-{count}")

    @property
    def output(self):
        return self.source.relative_to(ROOT).with_suffix(".html")

    @property
    def is_guide_page(self):
        return self.source.parent == ROOT / "docs/guide" and self.source.name != "README.md"

    @property
    def title(self):
        return next(iter(headings(self.text)), self.source.stem)

    def target(self, address):
        """What a link points to on the rendered pages; None if it is only a text there."""
        if re.match(r"[a-z]+:", address):
            return address
        path, _, fragment = address.partition("#")
        file = (self.source.parent / path).resolve() if path else self.source
        if not file.exists():
            self.problems.append(f"{self.source.relative_to(ROOT)}: {address} does not exist")
            return None
        if file.is_dir() and (file / "README.md").exists():
            file = file / "README.md"
        document = self.documents.get(file)
        if file.suffix in IMAGES:
            self.images.add(file)
            return os.path.relpath(file.relative_to(ROOT), self.output.parent)
        if document is None:
            return None
        if fragment and fragment not in document.anchors:
            self.problems.append(f"{self.source.relative_to(ROOT)}: {address} has no such heading")
        relative = os.path.relpath(document.output, self.output.parent)
        return relative + (f"#{fragment}" if fragment else "")

    def inline(self, text):
        pieces = re.split(r"(`+[^`]+`+)", text)
        return "".join(
            inline_code(piece.strip("`")) if number % 2 else self.marked(piece) for number, piece in enumerate(pieces)
        )

    def marked(self, text):
        text = html.escape(text, quote=False)
        text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
        return re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"<em>\1</em>", text)

    def with_links(self, text):
        """Links may contain code, and code may contain brackets: links are replaced first, by marks."""
        parts = []

        def keep(match):
            is_image, label, address = match.group(1), match.group(2), match.group(3)
            target = self.target(address)
            if is_image:
                shown = f'<img alt="{html.escape(label)}" src="{html.escape(target or address)}">'
            elif target is None:
                shown = self.inline(label)
            else:
                shown = f'<a href="{html.escape(target)}">{self.inline(label)}</a>'
            parts.append(shown)
            return f"\x00{len(parts) - 1}\x00"

        codes = []

        def hide(match):
            codes.append(match.group(0))
            return f"\x01{len(codes) - 1}\x01"

        link = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
        hidden = re.sub(r"`+[^`]+`+", hide, text)
        shown = re.compile("\x01(\\d+)\x01")

        def restore(value):
            return shown.sub(lambda match: codes[int(match.group(1))], value)

        marked = link.sub(
            lambda match: keep(_Restored(match.group(1), restore(match.group(2)), restore(match.group(3)))), hidden
        )
        result = self.inline(restore(marked))
        return re.sub("\x00(\\d+)\x00", lambda match: parts[int(match.group(1))], result)


class _Restored:
    """A match whose groups have their code back."""

    def __init__(self, *groups):
        self.groups = groups

    def group(self, number):
        return self.groups[number - 1]


def inline_code(text):
    """Code in a sentence; an option is not cut after its hyphens."""
    mark = ' class="word"' if len(text) <= 30 and " " not in text else ""
    return f"<code{mark}>{html.escape(text)}</code>"


def headings(text):
    return (heading for _, heading in leveled_headings(text))


def leveled_headings(text):
    inside = False
    for line in text.splitlines():
        if line.startswith("```") or line.startswith("````"):
            inside = not inside
        match = None if inside else re.match(r"(#{1,6}) (.*)", line)
        if match:
            yield len(match.group(1)), match.group(2).strip()


def is_block_start(line):
    return bool(re.match(r"(#{1,6} |```|\||> |\s*([-*]|\d+\.) |<)", line)) or not line.strip()


def render(document):
    lines = document.text.splitlines()
    out, at, used = [], 0, {}
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            at += 1
        elif line.startswith("```"):
            fence = re.match(r"`+", line).group(0)
            at += 1
            code, language = [], re.match(r"`+\s*(\w*)", line).group(1)
            while at < len(lines) and not lines[at].startswith(fence):
                code.append(lines[at])
                at += 1
            at += 1
            out.append(f'<pre class="{language or "text"}"><code>{html.escape(chr(10).join(code))}</code></pre>')
        elif match := re.match(r"(#{1,6}) (.*)", line):
            level, name = len(match.group(1)), anchor(match.group(2).strip())
            count = used.get(name, 0)
            used[name] = count + 1
            identifier = name if count == 0 else f"{name}-{count}"
            heading = document.with_links(match.group(2))
            if "<a " not in heading and level > 1:
                heading = f'<a href="#{identifier}">{heading}</a>'
            out.append(f'<h{level} id="{identifier}">{heading}</h{level}>')
            if level == 1 and document.is_guide_page:
                out.append(sections(document))
            at += 1
        elif line.startswith("|"):
            rows = []
            while at < len(lines) and lines[at].startswith("|"):
                rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", lines[at].strip().strip("|"))])
                at += 1
            cells = lambda row, tag: "".join(
                f"<{tag}>{document.with_links(cell.replace(chr(92) + '|', '|'))}</{tag}>" for cell in row
            )
            has_head = len(rows) > 1 and all(re.fullmatch(r":?-+:?", cell) for cell in rows[1])
            head = f"<thead><tr>{cells(rows[0], 'th')}</tr></thead>" if has_head else ""
            body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows[2 if has_head else 0 :])
            out.append(f"<table>{head}<tbody>{body}</tbody></table>")
        elif line.startswith("> "):
            quote = []
            while at < len(lines) and lines[at].startswith(">"):
                quote.append(lines[at].lstrip("> "))
                at += 1
            out.append(f"<blockquote><p>{document.with_links(' '.join(quote))}</p></blockquote>")
        elif match := re.match(r"\s*([-*]|\d+\.) ", line):
            at, text = render_list(document, lines, at)
            out.append(text)
        else:
            paragraph = [line]
            at += 1
            while at < len(lines) and not is_block_start(lines[at]):
                paragraph.append(lines[at])
                at += 1
            out.append(f"<p>{document.with_links(' '.join(part.strip() for part in paragraph))}</p>")
    return "\n".join(out)


def render_list(document, lines, at):
    """A list, with lists inside its items."""
    out, open_lists = [], []
    while at < len(lines):
        match = re.match(r"(\s*)([-*]|\d+\.) (.*)", lines[at])
        if not match:
            break
        indent, tag = len(match.group(1)), "ol" if match.group(2)[0].isdigit() else "ul"
        item = [match.group(3)]
        at += 1
        while at < len(lines) and lines[at].startswith(" ") and not is_block_start(lines[at]):
            item.append(lines[at].strip())
            at += 1
        while open_lists and indent < open_lists[-1][0]:
            out.append(f"</li></{open_lists.pop()[1]}>")
        if not open_lists or indent > open_lists[-1][0]:
            open_lists.append((indent, tag))
            out.append(f"<{tag}>")
        else:
            out.append("</li>")
        out.append(f"<li>{document.with_links(' '.join(item))}")
    while open_lists:
        out.append(f"</li></{open_lists.pop()[1]}>")
    return at, "".join(out)


def sections(document):
    """The sections of a page, below its title; nothing for a page with few of them."""
    found, used = [], {}
    for level, heading in leveled_headings(document.text):
        name = anchor(heading)
        count = used.get(name, 0)
        used[name] = count + 1
        if level == 2:
            found.append(f'<a href="#{name if count == 0 else f"{name}-{count}"}">{document.inline(heading)}</a>')
    return f'<p class="here">{" · ".join(found)}</p>' if len(found) > 3 else ""


def guide_groups(guide):
    """The groups of the guide, each with its name and its pages as (label, document)."""
    groups = []
    for line in guide.text.splitlines():
        if match := re.match(r"## (.*)", line):
            groups.append((match.group(1), []))
        for label, address in re.findall(r"\[([^\]]+)\]\(([^)]+\.md)\)", line):
            document = guide.documents.get((guide.source.parent / address).resolve())
            if document is not None and groups:
                groups[-1][1].append((label, document))
    return groups


def link(label, document, current, mark=""):
    relative = os.path.relpath(document.output, current.output.parent)
    return f'<a href="{relative}"{mark}>{html.escape(label)}</a>'


def contents(guide, readme, current):
    def entry(label, document):
        mark = ' aria-current="page"' if document is current else ""
        return f"<li>{link(label, document, current, mark)}</li>"

    entries = [f'<ul>{entry("Copal", readme)}{entry("Guide", guide)}</ul>']
    for name, pages in guide_groups(guide):
        entries.append(f"<p>{html.escape(name)}</p><ul>{''.join(entry(*page) for page in pages)}</ul>")
    return f'<nav id="contents" aria-label="Guide">{"".join(entries)}</nav>'


def neighbours(guide, current):
    """Links to the pages of the guide before and after a page."""
    pages = [page for _, pages in guide_groups(guide) for page in pages]
    at = next((at for at, (_, document) in enumerate(pages) if document is current), None)
    if at is None:
        return ""
    before = f"← {link(*pages[at - 1], current)}" if at > 0 else ""
    after = f"{link(*pages[at + 1], current)} →" if at + 1 < len(pages) else ""
    return f"<footer><span>{before}</span><span>{after}</span></footer>"


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: render_docs.py FOLDER")
    folder = Path(sys.argv[1])
    names = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md"]
    sources = [ROOT / name for name in names if (ROOT / name).exists()]
    sources += sorted((ROOT / "docs").rglob("*.md"))
    documents = {}
    for source in sources:
        documents[source.resolve()] = Document(source.resolve(), documents)
    guide, readme = documents[ROOT / "docs/guide/README.md"], documents[ROOT / "README.md"]
    problems = []
    for document in documents.values():
        body = render(document)
        path = folder / document.output
        path.parent.mkdir(parents=True, exist_ok=True)
        title = html.escape(re.sub(r"[`*]", "", document.title))
        path.write_text(
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>'
            f'<style>{STYLE}</style></head><body><div class="page">{contents(guide, readme, document)}<main>\n'
            f'<p class="to-contents"><a href="#contents">Contents</a></p>\n{body}\n'
            f"{neighbours(guide, document)}</main></div></body></html>\n",
            encoding="utf-8",
        )
        for image in document.images:
            copied = folder / image.relative_to(ROOT)
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(image, copied)
        problems += document.problems
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    print(f"{folder}: {len(documents)} pages, {len(problems)} broken links")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
