"""The sessions of a system as plain values for JSON."""

from puntobanco.strategies.session_results import SessionResults
from puntobanco.strategies.sessions import SessionTerms

BARS = 20
QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


def results_json(found: SessionResults, terms: SessionTerms) -> dict[str, object]:
    """The sessions of one system, as `puntobanco systems --json` prints them."""
    ruin = found.ruin
    return {
        "wagers": list(found.wagers_staked_on),
        "mean": found.mean,
        "std": found.standard_deviation,
        "quantiles": {str(share): found.quantile(share) for share in QUANTILES},
        "histogram": [[bar.low, bar.high, bar.sessions] for bar in found.histogram(BARS)],
        "share_of_sessions_won": found.share_ahead,
        "ruin": {"sessions": ruin.sessions, "probability": ruin.share, "low": ruin.low, "high": ruin.high},
        "ended_by_stop_loss": None if terms.stop_loss is None else found.stopped,
        "ended_by_win_goal": None if terms.win_goal is None else found.reached,
        "longest_losing_run": found.longest_losing_run,
        "mean_longest_losing_run": found.mean_longest_losing_run,
        "maximum_drawdown": found.drawdown,
        "mean_drawdown": found.mean_drawdown,
        "bets": found.bets,
        "average_stake": found.average_stake,
        "total_staked": found.staked,
        "net": found.net,
        "share_of_staked": found.share_of_staked,
        "standard_error": found.standard_error,
        "exact_share": found.exact_share,
        "z": found.z,
    }
