"""The par sheet as one HTML file: nothing is fetched, it prints on A4, and it reads on a phone."""

from collections.abc import Iterator
from html import escape

from puntobanco.parsheet.blocks import Block, Facts, Paragraph, Row, Section, Sheet, Table

STYLE = """
:root { --ink: #1b2420; --soft: #5b6862; --line: #d5ddd8; --tint: #f1f5f2; --green: #14532d; --paper: #fff; }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; color-scheme: light; }
body { margin: 0 auto; padding: 2rem 1.5rem 4rem; max-width: 76rem; color: var(--ink); background: var(--paper);
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums lining-nums; }
header { border-bottom: 3px solid var(--green); padding-bottom: .9rem; }
.kind { margin: 0; color: var(--green); font-weight: 600; letter-spacing: .14em; text-transform: uppercase;
  font-size: .8rem; }
h1 { margin: .1rem 0 .2rem; font-size: 1.9rem; line-height: 1.15; letter-spacing: -.01em; }
h2 { margin: 0 0 .8rem; padding-bottom: .25rem; font-size: 1.35rem; border-bottom: 1px solid var(--green); }
.subtitle, .note, footer { color: var(--soft); }
.subtitle { margin: 0; }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem .5rem; margin: 1rem 0 0; padding: 0; list-style: none; }
nav a { display: block; padding: .2rem .6rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--green);
  text-decoration: none; font-size: .85rem; }
nav a:hover, nav a:focus-visible { background: var(--green); color: #fff; }
section { margin-top: 2.6rem; }
section > p { max-width: 60rem; }
dl { margin: 0 0 1.4rem; }
dl.list { display: grid; grid-template-columns: max-content 1fr; }
dl.list > div { display: contents; }
dl.list dt, dl.list dd { padding: .3rem 0; border-bottom: 1px solid var(--line); }
dl.list dt { padding-right: 2rem; color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
dl.figures { display: flex; flex-wrap: wrap; gap: .4rem 2rem; margin: 0; padding: .5rem .6rem;
  background: var(--tint); }
dl.figures dt { color: var(--soft); font-size: .72rem; }
dl.figures dd { font-weight: 600; }
dl.figures dd.fraction { font-weight: 400; font-size: .74rem; line-height: 1.9; }
figure { margin: 0 0 1.6rem; }
.scroll { overflow-x: auto; }
table { width: 100%; table-layout: fixed; border-collapse: collapse; font-size: .84rem; }
caption { padding: 0 0 .3rem; text-align: left; font-weight: 600; font-size: 1.02rem; color: var(--green); }
th, td { padding: .28rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: baseline; }
thead th { color: var(--soft); font-weight: 600; font-size: .74rem; border-bottom: 1px solid var(--ink);
  vertical-align: bottom; }
tbody th { font-weight: 400; }
.number { text-align: right; }
td.number { white-space: nowrap; }
td.fraction { white-space: normal; font-size: .74rem; }
tr.total > * { border-top: 1px solid var(--ink); border-bottom: 0; font-weight: 600; }
tr.on-top > * { font-style: italic; }
table.grid td:not(.number) { text-align: center; }
table.grid thead th:not(:first-child):not(.number) { text-align: center; }
table.grid td.draws { background: #d9eadf; font-weight: 600; }
.note { margin: .4rem 0 0; font-size: .8rem; overflow-wrap: anywhere; }
footer { margin-top: 3rem; padding-top: .6rem; border-top: 1px solid var(--line); font-size: .8rem;
  overflow-wrap: anywhere; }
@media (max-width: 46rem) {
  body { padding: 1.2rem .9rem 3rem; }
  h1 { font-size: 1.5rem; }
  dl.list { display: block; }
  dl.list > div { display: block; padding: .35rem 0; border-bottom: 1px solid var(--line); }
  dl.list dt, dl.list dd { padding: 0; border: 0; }
  dl.figures { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem 1rem; }
  table.cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table.cards, table.cards tbody, table.cards caption { display: block; }
  table.cards tr { display: block; padding: .4rem 0; border-bottom: 1px solid var(--line); }
  table.cards tr.total { border-top: 1px solid var(--ink); }
  table.cards tr > * { display: flex; justify-content: space-between; gap: 1rem; padding: .08rem 0; border: 0;
    text-align: right; white-space: normal; overflow-wrap: anywhere; }
  table.cards tr > th { font-weight: 600; text-align: left; }
  table.cards td:empty { display: none; }
  table.cards td::before { content: attr(data-heading); color: var(--soft); text-align: left; flex: none; }
  table.cards col { display: none; }
  table.cards td.prose { display: block; text-align: left; }
  table.cards td.prose::before { display: block; }
  table.grid { width: max-content; min-width: 100%; table-layout: auto; }
  table.grid th, table.grid td { padding: .28rem .35rem; }
  table.grid tbody th, table.grid thead th:first-child { position: sticky; left: 0; background: var(--paper); }
}
@media print {
  body { max-width: none; padding: 0; font-size: 8pt; line-height: 1.25; print-color-adjust: exact;
    -webkit-print-color-adjust: exact; }
  nav { display: none; }
  h1 { font-size: 20pt; }
  h2 { font-size: 12pt; margin-bottom: 6pt; }
  section { margin-top: 12pt; }
  section.configuration { break-before: page; margin-top: 0; }
  h2 { break-after: avoid; }
  figure { break-inside: avoid; overflow: visible; margin-bottom: 7pt; }
  table { font-size: 7pt; }
  caption { padding-bottom: 1pt; font-size: 8.5pt; }
  thead th, dl.figures dt { font-size: 6.2pt; }
  td.fraction, dl.figures dd.fraction { font-size: 6pt; line-height: inherit; white-space: nowrap; }
  td.fraction { vertical-align: middle; }
  th, td { padding: 1.3pt 4pt; }
  dl.list dt, dl.list dd { padding: 1.6pt 16pt 1.6pt 0; }
  dl { margin-bottom: 8pt; }
  dl.figures { padding: 2.5pt 5pt; gap: 1pt 13pt; }
  dl.figures > div { display: flex; align-items: baseline; gap: 4pt; }
  dl.figures dd { font-size: 7pt; }
  p { margin: 0 0 5pt; }
  .note { margin: 2pt 0 0; font-size: 6.6pt; }
  .scroll { overflow: visible; }
  section > p { max-width: none; }
  footer { display: none; }
}
"""
PROSE = 40
"""From how many letters on a cell is a text to read rather than a value."""
PAGE = """@page { size: A4 landscape; margin: 12mm 12mm 15mm;
  @bottom-right { content: "page " counter(page) " of " counter(pages); font: 7pt sans-serif; color: #5b6862; } }
"""


def as_html(sheet: Sheet) -> str:
    """The whole page."""
    digests = list(dict.fromkeys(section.digest for section in sheet.sections))
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        # The file must be the same whoever opens it: nothing is run and nothing is fetched.
        """<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">""",
        f"<title>Par sheet: {escape(sheet.title)}</title>",
        f"<style>{STYLE}{PAGE}{''.join(map(_printed_page, digests))}</style>",
        "</head>",
        # From the first line on the same page as the first part: another name would begin another sheet of paper.
        f'<body style="page: {_page_name(digests[0])}">',
        "<header>",
        '<p class="kind">Par sheet</p>',
        f"<h1>{escape(sheet.title)}</h1>",
        f'<p class="subtitle">{escape(sheet.subtitle)}</p>',
        f'<p class="subtitle">{escape(sheet.issue)}</p>',
        "</header>",
        '<nav aria-label="Contents"><ul>',
        *(
            f'<li><a href="#part-{place}">{escape(section.title)}</a></li>'
            for place, section in enumerate(sheet.sections, start=1)
        ),
        "</ul></nav>",
        "<main>",
    ]
    for place, section in enumerate(sheet.sections, start=1):
        lines += _section(section, place)
    lines += [
        "</main>",
        f"<footer>Rules digest{'s' if len(digests) > 1 else ''} {' and '.join(digests)}</footer>",
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(lines)


def _printed_page(digest: str) -> str:
    """Every printed page names the digest of the rules that its figures are for."""
    return (
        f'@page {_page_name(digest)} {{ @bottom-left {{ content: "rules digest {digest}"; font: 7pt sans-serif; '
        "color: #5b6862; white-space: nowrap; } }\n"
    )


def _page_name(digest: str) -> str:
    return f"rules-{digest[:12]}"


def _section(section: Section, place: int) -> Iterator[str]:
    kind = ' class="configuration"' if section.is_configuration else ""
    yield f'<section id="part-{place}"{kind} style="page: {_page_name(section.digest)}">'
    yield f"<h2>{escape(section.title)}</h2>"
    for block in section.blocks:
        yield from _block(block)
    yield "</section>"


def _block(block: Block) -> Iterator[str]:
    match block:
        case Paragraph(text):
            yield f"<p>{escape(text)}</p>"
        case Facts():
            yield from _facts(block)
        case Table():
            yield from _table(block)


def _facts(facts: Facts) -> Iterator[str]:
    yield f'<dl class="{"figures" if facts.side_by_side else "list"}">'
    for name, value in facts.pairs:
        kind = ' class="fraction"' if facts.side_by_side and "/" in value else ""
        yield f"<div><dt>{escape(name)}</dt><dd{kind}>{_breakable(value)}</dd></div>"
    yield "</dl>"


def _table(table: Table) -> Iterator[str]:
    yield f'<figure><div class="scroll"><table class="{"grid" if table.is_grid else "cards"}">'
    yield f"<caption>{escape(table.title)}</caption>"
    yield "".join(f'<col style="width: {column.width:.1%}">' for column in table.columns)
    headings = [
        f'<th scope="col"{" class=number" if column.numeric else ""}>{escape(column.heading)}</th>'
        for column in table.columns
    ]
    yield f"<thead><tr>{''.join(headings)}</tr></thead>"
    yield "<tbody>"
    yield from (_row(table, row) for row in table.rows)
    yield "</tbody></table></div>"
    if table.key_figures:
        yield from _facts(table.key_figures)
    if table.note:
        yield f'<p class="note">{_breakable(table.note)}</p>'
    yield "</figure>"


def _row(table: Table, row: Row) -> str:
    cells = [f'<th scope="row">{escape(row.cells[0])}</th>']
    for column, cell in zip(table.columns[1:], row.cells[1:], strict=True):
        classes = []
        if column.numeric:
            classes.append("number")
        if column.numeric and "/" in cell:
            classes.append("fraction")
        if len(cell) > PROSE and not column.numeric:
            classes.append("prose")
        if table.is_grid and cell == "D":
            classes.append("draws")
        attributes = f' class="{" ".join(classes)}"' if classes else ""
        if not table.is_grid:
            attributes += f' data-heading="{escape(column.heading)}"'
        cells.append(f"<td{attributes}>{_breakable(cell)}</td>")
    kind = ' class="total"' if row.is_total else ' class="on-top"' if row.on_top else ""
    return f"<tr{kind}>{''.join(cells)}</tr>"


def _breakable(text: str) -> str:
    """A long fraction may break after its bar."""
    return escape(text).replace("/", "/<wbr>")
