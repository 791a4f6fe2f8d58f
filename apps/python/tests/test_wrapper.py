"""Wrappers: learned, saved, applied, checked, repaired."""

import pickle

import copal
import pytest
from conftest import lamps

URL = "https://shop.example/lamps"


@pytest.fixture
def wrapper():
    return copal.learn([(lamps(), URL), (lamps(20), URL + "?page=2")])


def test_a_wrapper_reads_other_pages(wrapper):
    answer = wrapper.apply(lamps(40, 5), URL + "?page=3")
    assert [record["title"] for record in answer] == [f"Lamp number {n}" for n in range(40, 45)]
    assert copal.apply(wrapper, lamps(40, 5)).records[0]["price"] == "£50.50"
    assert answer.values[0] == {"price": {"amount": "50.50", "currency": "GBP"}}


def test_wrappers_are_files_and_pickles(wrapper, tmp_path):
    file = tmp_path / "shop.copal.yaml"
    wrapper.save(file)
    assert copal.Wrapper.load(file) == wrapper == pickle.loads(pickle.dumps(wrapper))
    assert [path.name for path in tmp_path.iterdir()] == ["shop.copal.yaml"]
    with pytest.raises(ValueError, match="copal"):
        copal.Wrapper.parse("a: b")


def test_columns_are_chosen_and_renamed():
    wrapper = copal.learn([(lamps(), URL)], columns=["price", "title"], rename={"title": "name"})
    assert wrapper.columns == ["price", "name"]
    with pytest.raises(ValueError, match="prise"):
        copal.learn([lamps()], columns=["prise"])


def test_a_check_tells_whether_the_site_has_changed(wrapper):
    same = [(lamps(60), URL), (lamps(70), URL), (lamps(80), URL)]
    assert not wrapper.check(same).drifted
    changed = [(page.replace("<li>", "<div class='card'>").replace("</li>", "</div>").replace("ul", "section")
                .replace("class='price'", "class='amount'"), url) for page, url in same]
    report = copal.check(wrapper, changed)
    assert report.drifted and report.alarms and str(report)
    repaired, changes = wrapper.repair(changed)
    assert changes["changes"] and len(repaired.apply(*changed[0])) == 8
    with pytest.raises(copal.NothingFoundError):
        wrapper.repair(same)


def test_nothing_to_learn_is_an_error(article):
    with pytest.raises(copal.NothingFoundError):
        copal.learn([article], kind="list")
    with pytest.raises(ValueError, match="at least one page"):
        copal.learn([])
