"""What is answered to whoever asks: under the id that they gave, with the reason that the rules give."""

import itertools
from collections.abc import Iterator

import pytest

from server.attacked import Attacked


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with Attacked(tmp_path_factory.mktemp("data")) as found:
        yield found


@pytest.mark.parametrize(
    "message",
    [
        b'{"id": "refused-0001", "do": "stake", "wager": "tie", "amount": 1e3}',
        b'{"id": "refused-0001", "do": "stake", "wager": "tie", "amount": "1000"}',
        b'{"id": "refused-0001", "do": "stake", "wager": "tie", "amount": 1, "amount": 2}',
        b'{"id": "refused-0001", "do": "stake", "wager": "tie", "amount": 1, "id2": {"id": "another-0001"}}',
        b'{"id": "refused-0001", "do": "none such"}',
        b'{"do": 1, "id": "refused-0001"}',
        b'{"id": "refused-0001"}',
        b'{"id": "refused-0001", "do": "pause", "reason": "\\u202e"}',
        b'{"id": "refused-0001", "do": "stake", "wager": "tie", "amount": ' + b"9" * 3_000 + b"}",
        b'{"\\u0069d": "refused-0001", "do": "none such"}',
    ],
    ids=itertools.count(),
)  # fmt: skip
def test_a_refusal_carries_the_id_of_a_message_that_cannot_be_read(service: Attacked, message: bytes) -> None:
    with service.socket("patron") as wire:
        heard = wire.ask(message)
    assert (heard["type"], heard["id"], heard["reason"]) == ("refused", "refused-0001", "malformed")


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"not JSON",
        b'"refused-0001"',
        b'["id", "refused-0001"]',
        b'[["id", "refused-0001"]]',
        b'{"id": "refused-0001", "do": "stake"',
        b'{"do": "stake", "wager": "tie", "amount": 1000}',
        b'{"id": "short", "do": "stake"}',
        b'{"id": "' + b"x" * 65 + b'", "do": "stake"}',
        b'{"id": "unseen\\u202e-0001", "do": "stake"}',
        b'{"id": "half\\ud800-0001", "do": "stake"}',
        b'{"id": "        ", "do": "stake"}',
        b'{"id": 12345678, "do": "stake"}',
        b'{"id": ["refused-0001"], "do": "stake"}',
        b'{"id": "refused-0001", "id": "refused-0002", "do": "stake", "wager": "tie", "amount": 2000}',
        b'{"of": {"id": "refused-0001"}}',
        b'{"id": "refused-\xff001"}',
        b"[" * 4_000,
    ],
    ids=itertools.count(),
)  # fmt: skip
def test_what_is_no_id_is_not_given_back(service: Attacked, message: bytes) -> None:
    with service.socket("patron") as wire:
        heard = wire.ask(message)
    assert (heard["type"], heard["id"], heard["reason"]) == ("refused", None, "malformed")
