"""The figures for Prometheus: every method is seen in the text, and labels stay few."""

from collections.abc import Callable

import pytest
from prometheus_client.parser import text_string_to_metric_families

from puntobanco.server.metrics import MOST_REASONS, Dropped, Metrics, Reading


def figures(metrics: Metrics, reading: Reading | None = None) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """By name and labels; the times at which series began are left out."""
    text = metrics.text(reading or Reading()).decode()
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if not sample.name.endswith("_created")
    }


@pytest.mark.parametrize(
    ("happens", "name", "labels", "figure"),
    [
        (lambda m: m.socket_opened(), "puntobanco_sockets", {}, 1),
        (lambda m: (m.socket_opened(), m.socket_closed()), "puntobanco_sockets", {}, 0),
        (lambda m: m.socket_dropped(Dropped.SLOW), "puntobanco_sockets_dropped_total", {"reason": "slow"}, 1),
        (lambda m: m.command_accepted("stakes", 0.002), "puntobanco_wagers_accepted_total", {}, 1),
        (lambda m: m.command_accepted("commit", 0.002), "puntobanco_wagers_accepted_total", {}, 0),
        (lambda m: m.command_accepted("deal", 0.002), "puntobanco_commands_accepted_total", {"kind": "deal"}, 1),
        (lambda m: m.command_accepted("stake", 0.002), "puntobanco_acknowledged_seconds_bucket", {"le": "0.0025"}, 1),
        (lambda m: m.command_accepted("stake", 0.002), "puntobanco_acknowledged_seconds_bucket", {"le": "0.001"}, 0),
        (lambda m: m.command_accepted("stake", 0.2), "puntobanco_acknowledged_seconds_sum", {}, 0.2),
        (lambda m: m.command_refused("stake", "late-wager", 1), "puntobanco_commands_refused_total",
         {"kind": "stake", "reason": "late-wager"}, 1),
        (lambda m: m.unreadable("malformed"), "puntobanco_commands_refused_total",
         {"kind": "unreadable", "reason": "malformed"}, 1),
        (lambda m: m.unreadable("malformed"), "puntobanco_acknowledged_seconds_count", {}, 0),
        (lambda m: m.command_refused("stake", "late-wager", 1), "puntobanco_acknowledged_seconds_count", {}, 1),
        (lambda m: m.committed(40, 0.003), "puntobanco_commit_group_commands_bucket", {"le": "50.0"}, 1),
        (lambda m: m.committed(40, 0.003), "puntobanco_commit_group_commands_bucket", {"le": "20.0"}, 0),
        (lambda m: m.committed(40, 0.003), "puntobanco_commit_seconds_sum", {}, 0.003),
        (lambda m: m.answered(409, 0.1), "puntobanco_request_seconds_count", {"status": "4xx"}, 1),
        (lambda m: m.sign_in_failed(), "puntobanco_sign_ins_failed_total", {}, 1),
        (lambda m: m.too_often("commands"), "puntobanco_too_often_total", {"what": "commands"}, 1),
        (lambda m: m.fault("storage"), "puntobanco_faults_total", {"reason": "storage"}, 1),
        (lambda m: m.table_taken_over(), "puntobanco_tables_taken_over_total", {}, 1),
        (lambda m: m.round_settled(), "puntobanco_rounds_settled_total", {}, 1),
        (lambda m: m.round_voided(), "puntobanco_rounds_voided_total", {}, 1),
    ],
)  # fmt: skip
def test_what_happens_is_counted(
    happens: Callable[[Metrics], None], name: str, labels: dict[str, str], figure: float
) -> None:
    metrics = Metrics()
    happens(metrics)
    assert figures(metrics)[name, tuple(labels.items())] == pytest.approx(figure)


def test_how_things_stand_is_read_when_it_is_asked_for() -> None:
    metrics = Metrics()
    first = Reading(phases={"betting": 2, "stopped": 1}, held={"SGD": 5_000, "CHIPS": 7}, inbox=3, patrons=9)
    found = figures(metrics, first)
    assert found["puntobanco_tables", (("phase", "betting"),)] == 2
    assert found["puntobanco_tables", (("phase", "stopped"),)] == 1
    assert found["puntobanco_held_money", (("unit", "SGD"),)] == 5_000
    assert found["puntobanco_inbox_commands", ()] == 3
    assert found["puntobanco_patrons", ()] == 9
    later = figures(metrics, Reading(phases={"resting": 3}))
    assert [key for key in later if key[0] == "puntobanco_tables"] == [("puntobanco_tables", (("phase", "resting"),))]
    assert not [key for key in later if key[0] == "puntobanco_held_money"]


def test_what_comes_from_outside_makes_no_series() -> None:
    metrics = Metrics()
    for strange in ('a"b', "anna's secret", "", "x" * 41, "Late", "\n"):
        metrics.command_refused("stake", strange, 0.001)
    for number in range(MOST_REASONS + 50):
        metrics.command_refused("stake", f"reason-{number}", 0.001)
    refused = {key[1][1][1]: each for key, each in figures(metrics).items() if "refused_total" in key[0]}
    assert len(refused) == MOST_REASONS + 1
    assert refused["other"] == 6 + 50


def test_two_processes_in_one_count_apart() -> None:
    first, second = Metrics(), Metrics()
    first.round_settled()
    assert figures(second)["puntobanco_rounds_settled_total", ()] == 0
