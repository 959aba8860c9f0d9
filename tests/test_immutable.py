"""Maps that nobody who holds one can change, against plain dictionaries."""

import pickle
import random
from collections.abc import Callable, Mapping, MutableMapping
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.immutable import LEAVES, FrozenMap, PersistentMap

CHANGES: dict[str, Callable[[FrozenMap[str, int]], object]] = {
    "set": lambda found: found.__setitem__("a", 2),
    "delete": lambda found: found.__delitem__("a"),
    "clear": lambda found: found.clear(),
    "pop": lambda found: found.pop("a"),
    "popitem": lambda found: found.popitem(),
    "setdefault": lambda found: found.setdefault("b", 2),
    "update": lambda found: found.update({"b": 2}),
    "or": lambda found: found.__ior__({"b": 2}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_frozen_map_refuses_every_change(change: Callable[[FrozenMap[str, int]], object]) -> None:
    found = FrozenMap({"a": 1})
    with pytest.raises(TypeError, match="cannot be changed"):
        change(found)
    assert found == {"a": 1}


def test_every_way_to_change_a_dict_is_tried() -> None:
    new = {name for name in dir(MutableMapping) if name not in dir(Mapping)}
    changing = {name for name in new if callable(getattr(MutableMapping, name))} | {"__ior__"}
    assert len(changing) == len(CHANGES)
    assert all(getattr(FrozenMap, name) is not getattr(dict, name) for name in changing)


def test_a_frozen_map_is_a_value() -> None:
    found = FrozenMap({"a": 1, "b": 2})
    assert hash(found) == hash(FrozenMap({"b": 2, "a": 1}))
    assert pickle.loads(pickle.dumps(found)) == deepcopy(found) == found
    assert type(pickle.loads(pickle.dumps(found))) is FrozenMap


@given(st.lists(st.tuples(st.text(max_size=2), st.integers(0, 3))))
def test_a_persistent_map_is_what_a_dictionary_is(steps: list[tuple[str, int]]) -> None:
    """Any number of changes; every map on the way stays what it was."""
    expected: dict[str, int] = {}
    found = PersistentMap[str, int]()
    history = [(dict(expected), found)]
    for key, value in steps:
        if value:
            expected[key], found = value, found.set(key, value)
        elif key in expected:
            del expected[key]
            found = found.without(key)
        history.append((dict(expected), found))
    for before, kept in history:
        assert kept == before
        assert list(kept) == sorted(before)
        assert list(kept.in_order().items()) == sorted(before.items())
        assert len(kept) == len(before)
        assert PersistentMap(before) == kept
        assert hash(PersistentMap(before)) == hash(kept)
        assert all(kept[key] == value for key, value in before.items())
        assert "missing" not in kept


def test_thousands_of_entries() -> None:
    draw = random.Random(5)
    expected: dict[str, int] = {}
    found = PersistentMap[str, int]()
    for step in range(3 * LEAVES):
        key = f"patron {int(draw.random() * LEAVES)}"
        if draw.random() < 0.3 and key in expected:
            del expected[key]
            found = found.without(key)
        else:
            expected[key], found = step, found.set(key, step)
    assert found == expected
    assert list(found) == sorted(expected)
    assert pickle.loads(pickle.dumps(found)) == expected


def test_what_is_not_there_is_not_taken_out() -> None:
    with pytest.raises(KeyError):
        PersistentMap({"a": 1}).without("b")
    assert "a" in PersistentMap({"a": 1})
    assert repr(PersistentMap({"b": 1, "a": 2})) == "PersistentMap({'a': 2, 'b': 1})"
