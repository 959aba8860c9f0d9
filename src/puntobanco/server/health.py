"""Whether the process lives, and whether it may be sent requests; `health_routes` answers who asks.

    /healthz   200 as long as the process answers at all. Restart it when it does not.
    /readyz    200 when requests are served; 503 with the reason while it starts, stops, or its record cannot be
               written. Send it no new patrons then, and do not restart it for that.
    /metrics   the figures, for the addresses that the setting metrics-to names.

A table that has stopped does not make the process unready, because the other tables play on: `stopped` counts them.
"""

from dataclasses import dataclass
from typing import Any

from puntobanco.server.problems import Problem


@dataclass(frozen=True)
class Readiness:
    """How the process stands: serving, or why not."""

    starting: bool = False
    stopping: bool = False
    writing: bool = True
    """Whether the record can be written: its writer lives, and its database answers."""
    routes: bool = True
    """Whether it answers all that can be asked, as far as that was tried."""
    tables: int = 0
    """The tables that this process knows."""
    stopped: int = 0
    """Those of them that a fault has stopped."""

    def problem(self) -> Problem | None:
        """Why no requests should be sent here, if so."""
        if self.stopping:
            return Problem(503, "stopping", "This process is stopping.")
        if self.starting:
            return Problem(503, "starting", "This process is still starting.")
        if not self.writing:
            return Problem(503, "storage", "The record cannot be written.")
        if not self.routes:
            return Problem(503, "fault", "The service could not be loaded whole.")
        return None

    def said(self) -> dict[str, Any]:
        """What /readyz answers; its problem where it is not ready."""
        if problem := self.problem():
            raise problem
        return {"status": "ready", "tables": self.tables, "stopped": self.stopped}
