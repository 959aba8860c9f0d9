"""No Commission Baccarat, City of Dreams Manila: the same game, but for what a winning Banker pays."""

from dataclasses import replace

from puntobanco.games.manila import BANKER_SIX, MANILA
from puntobanco.rules import BANKER_WINS, TIE, Wager, pays, push

BANKER = Wager("banker", "Banker", clause="How to Play 2", lines=(
    pays("1:2", "Banker wins with six", BANKER_SIX, clause="No Commission 1"),
    pays("1:1", "Banker wins otherwise", BANKER_WINS, clause="No Commission 2"),
    push("Tie returns the Banker wager", TIE, clause="Ruling 14: tie"),
))  # fmt: skip

MANILA_NO_COMMISSION = replace(
    MANILA,
    id="manila-no-commission",
    name="No Commission Baccarat, City of Dreams Manila",
    wagers=tuple(BANKER if wager.id == "banker" else wager for wager in MANILA.wagers),
    rulings=(1, 2, 3, 10),
)
