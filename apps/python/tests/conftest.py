import pytest


def lamp(number: int) -> str:
    return f"<li><a href='/lamp/{number}'>Lamp number {number}</a> <b class='price'>£{10 + number}.50</b></li>"


def lamps(first: int = 1, count: int = 8) -> str:
    """A page with a list of lamps."""
    items = "".join(lamp(number) for number in range(first, first + count))
    return f"<html><head><title>Lamps</title></head><body><h1>Lamps</h1><ul class='list'>{items}</ul></body></html>"


@pytest.fixture
def page() -> str:
    return lamps()


@pytest.fixture
def article() -> str:
    return "<html><body><h1>About us</h1>" + "<p>We have been making things for a long time, and we like it.</p>" * 3
