"""Templates: learned once from some pages of a site, and used for its other pages."""

import copal
import pytest
from conftest import lamps


def shop_pages(numbers: range) -> list[tuple[str, str]]:
    return [(lamps(number), f"https://shop.example/{number}") for number in numbers]


def test_pages_of_a_template_are_read_as_in_full():
    known = copal.learn_templates(shop_pages(range(6)), template_pages=4)
    assert len(known) == 1
    pages = [*shop_pages(range(20, 24)), (lamps(1), "https://other.example/1")]
    answers = list(copal.extract_many(pages, templates=known, workers=1))
    for answer, (html, url) in zip(answers, pages):
        full = copal.extract(html, url=url)
        assert list(answer) == list(full)
        by_template = answer.document["regions"][0]["methods"] != full.document["regions"][0]["methods"]
        assert by_template == url.startswith("https://shop.example/")


def test_few_pages_have_no_template_and_wrong_templates_are_refused():
    assert copal.learn_templates(shop_pages(range(6)), template_pages=7) == []
    assert copal.learn_templates([("\x89PNG", "https://shop.example/1")], template_pages=4) == []
    with pytest.raises(copal.PageError, match="took longer"):
        copal.learn_templates(shop_pages(range(2)), timeout=0.01)
    with pytest.raises(ValueError, match="not both"):
        wrapper = copal.learn(shop_pages(range(1)))
        list(copal.extract_many(shop_pages(range(1)), templates=["{}"], wrapper=wrapper))
