"""Answers: records, values, frames, pickles."""

import pickle

import copal
import pandas
import polars
import pyarrow
import pytest


def test_records_are_dicts(page):
    answer = copal.extract(page, url="https://shop.example/lamps")
    assert answer.kind == "list"
    assert len(answer) == 8
    assert answer.columns == ["url", "title", "price"]
    assert answer[1] == {"url": "https://shop.example/lamp/2", "title": "Lamp number 2", "price": "£12.50"}
    assert answer.values[1] == {"price": {"amount": "12.50", "currency": "GBP"}}
    assert [record["title"] for record in answer][-1] == "Lamp number 8"
    assert answer and answer.is_certain


def test_bytes_are_decoded_and_paths_are_read(page, tmp_path):
    text = page.replace("Lamp number 1<", "Lampe für Größen<")
    encoded = text.replace("<head>", "<head><meta charset='iso-8859-15'>").encode("iso-8859-15")
    assert copal.extract(encoded)[0]["title"] == "Lampe für Größen"
    file = tmp_path / "page.html"
    file.write_bytes(encoded)
    assert copal.extract(file)[0]["title"] == "Lampe für Größen"
    assert copal.extract(bytearray(encoded))[0]["title"] == "Lampe für Größen"


def test_frames_have_typed_columns(page):
    answer = copal.extract(page, url="https://shop.example/lamps")
    table = pyarrow.table(answer)
    assert table.num_rows == 8
    assert table.schema.field("price_amount").type == pyarrow.float64()
    assert table.column("price_amount").to_pylist()[:2] == [11.5, 12.5]
    frame = answer.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.price_currency.unique().tolist() == ["GBP"]
    assert answer.to_polars().select(polars.col("price_amount").sum()).item() == table.column("price_amount").to_pandas().sum()


def test_cells_have_the_same_columns_for_every_page(page, article):
    columns = pyarrow.table(copal.extract(page).cells).column_names
    assert columns[:3] == ["page", "url", "kind"] and columns[-1] == "xpath"
    assert pyarrow.table(copal.extract(article, kind="object").cells).column_names == columns
    cells = pyarrow.table(copal.extract(page).cells).to_pylist()
    assert len(cells) == 24
    assert cells[2]["column"] == "price" and cells[2]["text"] == "£11.50"
    assert cells[2]["xpath"] == "/html/body/ul[1]/li[1]/b[1]"


def test_answers_survive_a_pickle(page):
    answer = copal.extract(page, url="https://shop.example/lamps")
    copied = pickle.loads(pickle.dumps(answer))
    assert copied.document == answer.document
    assert pyarrow.table(copied) == pyarrow.table(answer)
    assert pyarrow.table(copied.cells) == pyarrow.table(answer.cells)


def test_objects_are_read_with_their_template():
    def book(name: str, price: str) -> str:
        return f"<html><title>{name}</title><body><h1>{name}</h1><p>Price: {price}</p><p>Pages: 320</p></body></html>"

    answers = copal.objects([book("Emma", "£7.50"), (book("Persuasion", "£8.00"), "https://books.example/2")])
    assert [answer.kind for answer in answers] == ["object", "object"]
    assert answers[0].object["price"] == "£7.50"
    assert answers[1].object_values["price"] == {"amount": "8.00", "currency": "GBP"}
    assert answers[1].url == "https://books.example/2"
    assert answers[0].columns == list(answers[0].object)


def test_a_page_without_a_list_is_an_empty_answer(article):
    answer = copal.extract(article, kind="list")
    assert not answer and len(answer) == 0 and answer.records == [] and answer.columns == []
    assert "nothing found" in repr(answer)
    assert pyarrow.table(answer).num_rows == 0


def test_a_notebook_shows_text_and_no_markup(page):
    shown = copal.extract(page.replace("Lamp number 1<", "&lt;script&gt;alert(1)&lt;/script&gt;<"))._repr_html_()
    assert "&lt;script&gt;" in shown and "<script>" not in shown


def test_options_choose_lists_and_fields(page):
    other = "<h2>Shades</h2><ol>" + "".join(f"<li><i>Shade {n}</i> <em>{n} cm</em></li>" for n in range(1, 7)) + "</ol>"
    both = page.replace("</body>", other + "</body>")
    assert len(copal.extract(both, all=True).regions) >= 2
    assert copal.extract(both, near="Shade 3")[0] != copal.extract(both)[0]
    assert len(copal.extract(both, select="ol")) == 6
    fields = {"link": "a@href", "cost": "b"}
    assert copal.extract(page, fields=fields)[0]["cost"] == "£11.50"
    assert copal.extract(page, method="mdr").regions[0]["methods"] == ["mdr"]


def test_domains_name_the_columns():
    assert "jobs" in copal.domains()
    domain = copal.Domain("jobs")
    assert pickle.loads(pickle.dumps(domain)).name == "jobs"
    jobs = "".join(
        f"<li><a href='/{n}'>{title}</a> <span>Acme Ltd</span> <span>London</span> <span>£{n}0,000 per year</span></li>"
        for n, title in enumerate(["Nurse", "Software engineer", "Teacher", "Accountant"], 3)
    )
    answer = copal.extract(f"<ul>{jobs}</ul>", domain=domain)
    assert len(answer) == 4
    assert answer.records == copal.extract(f"<ul>{jobs}</ul>", domain="jobs").records


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "table"}, 'expected "auto", "list" or "object"'),
        ({"list": 0}, "counted from 1"),
        ({"near": " "}, "some words"),
        ({"select": "a["}, "select"),
        ({"near": "x", "select": "ul"}, "only one of"),
        ({"fields": {"": "b"}}, "expected NAME=CSS"),
        ({"method": "magic"}, "magic"),
        ({"domain": "jobz"}, "did you mean jobs?"),
        ({"min_confidence": 2}, "from 0 to 1"),
        ({"max_seconds": -1}, "positive"),
    ],
)
def test_wrong_options_are_value_errors(page, options, message):
    with pytest.raises(ValueError, match=message.replace("?", r"\?")):
        copal.extract(page, **options)


def test_wrong_types_are_type_errors(page):
    with pytest.raises(TypeError):
        copal.extract(42)
    with pytest.raises(TypeError):
        copal.extract(page, lists=True)
    with pytest.raises(TypeError, match="not one page"):
        copal.objects(page)


def test_a_picture_is_a_page_error():
    with pytest.raises(copal.PageError, match="not a web page"):
        copal.extract(b"\x89PNG\r\n\x1a\n" + bytes(100))
    assert issubclass(copal.PageError, copal.CopalError)


def test_a_page_beyond_its_limits_is_partial(page):
    for content in (page, page.encode()):
        answer = copal.extract(content, max_bytes=400)
        assert len(answer) < 8 and "bytes" in answer.warnings[0]
