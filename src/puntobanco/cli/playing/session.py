"""A patron's session at a table in the terminal: a thin layer around the table, which decides everything.

The layer has what the table has not: a committed shoe, a balance, a screen and a person who types.
"""

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rich.console import RenderableType
from rich.text import Text

from puntobanco.cli import roads as road_drawing
from puntobanco.cli.playing import dealt, explained
from puntobanco.cli.playing.betting_frame import betting_frame, whole_felt_fits
from puntobanco.cli.playing.committed_shoes import CommittedShoes
from puntobanco.cli.playing.felt import felt
from puntobanco.cli.playing.patron_words import PATRON, Change, Verb, asked_changes, read_spots, read_verb
from puntobanco.cli.playing.priced import odds_of
from puntobanco.cli.playing.screen import LEAST_FRAME, Screen
from puntobanco.cli.playing.shoe_roads import ShoeRoads
from puntobanco.errors import InputError
from puntobanco.roads import results_of, roads
from puntobanco.rules.game import Game
from puntobanco.table import (
    CardsBurned,
    Command,
    CutCardAppeared,
    Event,
    OpenBetting,
    OpenShoe,
    OpenTable,
    Phase,
    Refused,
    ResultAnnounced,
    RoundSettled,
    TableSettings,
    decide,
    evolve,
    money_moved,
    refusal,
    replay,
)
from puntobanco.table.dealer import next_step
from puntobanco.tableau import DrawRule, Hand

CARD_SECONDS = 0.45
DECISION_SECONDS = 0.8
RESULT_SECONDS = 0.7
ANCHOR_SHOWN = 8
"""So many characters of the anchor are enough to recognise it in the transcript, and leave the burn on its line."""


class Session:
    """One patron at one table, shoe after shoe."""

    def __init__(self, settings: TableSettings, shoes: CommittedShoes, buy_in: int, screen: Screen) -> None:
        self.table = replay(None, decide(None, OpenTable(settings)))
        self.screen = screen
        self._shoes = shoes
        self.balance = self.bought = self.buy_in = buy_in
        self.rounds_played = 0
        self.last_stakes: dict[str, int] = {}

    @property
    def game(self) -> Game:
        return self.table.settings.game

    @property
    def stakes(self) -> dict[str, int]:
        return dict(self.table.slip(PATRON))

    def play(self) -> None:
        """Round after round until the patron leaves; whatever is under way is completed, or given back, first."""
        with self.screen.interrupts_noted():
            self.screen.begin_scene()
            self.screen.say(*explained.welcome(self.table.settings, self.screen.width))
            self._open_shoe()
            while self._take_wagers():
                self._deal_round()
                if self.screen.interrupted or (self.table.shoe_finished and not self._wants_new_shoe()):
                    break
            self._leave()

    def _carry_out(self, *steps: Command | Change) -> list[Event]:
        """Have the table carry out all the steps or, raising Refused or InputError, none of them."""
        table, balance = self.table, self.balance
        happened: list[Event] = []
        for step in steps:
            command = step.command(table) if isinstance(step, Change) else step
            for event in decide(table, command) if command else ():
                table = evolve(table, event)
                balance += money_moved(event).get(PATRON, 0)
                happened.append(event)
        if balance < 0:
            raise InputError(
                "overspent",
                f"That takes {self.balance - balance:,} and your balance is {self.balance:,}: "
                "nothing has changed. Stake less, or rebuy.",
            )
        self.table, self.balance = table, balance
        return happened

    def _step(self) -> list[Event]:
        """What the house does next."""
        return self._carry_out(next_step(self.table, self._shoes.draw, shows_burn=True))

    def _open_shoe(self) -> None:
        anchor = self._shoes.open(self.table.settings).hex()[:ANCHOR_SHOWN]
        self._carry_out(OpenShoe(self.table.settings.full_shoe))
        shuffled = f"Shoe {self.table.shoe_number} is shuffled (anchor {anchor})"
        if self.table.phase is not Phase.BURN_DUE:
            self.screen.say(f"{shuffled}; no cards are burned.")
            return
        for event in self._step():
            if isinstance(event, CardsBurned):
                first, *burned = map(str, event.shown)
                self.screen.say(f"{shuffled}; {first} burns {' '.join(burned)}.")

    def _end_shoe(self) -> None:
        """Tell what deals the shoe again, and where its transcript is."""
        seed, transcript = self._shoes.end()
        if seed is not None:
            self.screen.say(
                f"Shoe {self.table.shoe_number} is over: --seed {seed} shuffles it again as the first shoe."
            )
        if transcript is not None:
            self.screen.say(f"Its transcript is written; puntobanco verify {shlex.quote(str(transcript))} checks it.")

    def _take_wagers(self) -> bool:
        """Take wagers until the patron asks for the deal; False if the patron leaves instead."""
        self._carry_out(OpenBetting())
        first = self.rounds_played == 0
        message = explained.opening(self.table, self.balance, self.buy_in, first=first)
        if not self.screen.live:
            self.screen.say(*(felt(self.table, self.screen.console) if first else ()))
            self.screen.say(explained.status(self.table, self.balance))
        while not self.screen.interrupted:
            self._show_betting(message)
            line = self.screen.ask()
            if line is None:
                return False
            answer = self._answer(line)
            if isinstance(answer, Verb):
                return answer is Verb.DEAL
            message = answer
        return False

    def _show_betting(self, message: Text) -> None:
        if not self.screen.live:
            if message:
                self.screen.say(message)
            return
        sentences = [explained.status(self.table, self.balance), *([message] if message else ())]
        self.screen.paint(betting_frame(self.table, self.screen, sentences))

    def _answer(self, line: str) -> Text | Verb:
        """Do what the line asks. What to say is returned, or DEAL or QUIT, which are for the caller to do."""
        try:
            verb, rest = read_verb(self.game, line)
            match verb:
                case Verb.DEAL | Verb.QUIT:
                    return verb
                case Verb.FELT if self.screen.live and whole_felt_fits(self.table, self.screen):
                    # The frame has the felt as large as there is room, so the round before makes room.
                    self.screen.begin_scene()
                    return Text()
                case Verb.HELP | Verb.RULES | Verb.ROADS | Verb.FELT:
                    self.screen.answer(*self._asked_for(verb))
                    return Text()
                case Verb.ODDS:
                    self.screen.answer(*odds_of(self.table, read_spots(self.game, rest)))
                    return Text()
                case Verb.REBUY:
                    self.balance += self.buy_in
                    self.bought += self.buy_in
                    return Text(f"You buy in for {self.buy_in:,}. Balance {self.balance:,}.")
                case _:
                    self._change_stakes(verb, rest)
                    return Text() if self.screen.live else explained.stakes(self.table, self.balance)
        except (InputError, Refused) as mistake:
            return Text(str(mistake), style="yellow")

    def _change_stakes(self, verb: Verb | None, rest: str) -> None:
        changes = asked_changes(self.game, verb, rest, self.stakes, self.last_stakes)
        try:
            self._carry_out(*changes)
        except Refused as refused:
            if len(changes) == 1:
                raise
            message = f"{refused.refusal.message} Nothing has changed."
            raise Refused(replace(refused.refusal, message=message)) from None

    def _asked_for(self, verb: Verb) -> Iterator[RenderableType]:
        """What the patron wants to see."""
        console = self.screen.console
        match verb:
            case Verb.HELP:
                yield from explained.commands(self.table.settings, self.buy_in)
            case Verb.RULES:
                yield from explained.payments(self.table.settings)
            case Verb.ROADS:
                results = results_of(self.table.standing_deals)
                with console.capture() as drawn:
                    road_drawing.draw_all(console, results, roads(results))
                yield Text.from_ansi(drawn.get().rstrip())
            case _:
                yield from felt(self.table, console)

    def _deal_round(self) -> None:
        self.last_stakes = self.stakes or self.last_stakes
        self._step()
        self._shoes.begin_round()
        self.screen.say(f"No more bets. [{self.game.procedure.betting_closes}]")
        self.screen.begin_scene()
        with self.screen.dealing():
            self._deal_cards()
            self._call_and_settle()
            self.rounds_played += 1
            self.screen.pause(RESULT_SECONDS)
        if not self.screen.live:
            self.screen.say("", *ShoeRoads(self.table.standing_deals, self.screen.console).one_rank(), "")

    def _deal_cards(self) -> None:
        """Deal as the tableau says, and tell why a hand draws or stands."""
        game, told = self.game, list[Text]()
        while True:
            decision = self.table.due
            if decision.rule not in (DrawRule.INITIAL_DEAL, DrawRule.COMPLETE):
                for _, rule, why in game.tableau.explain(self.table.deal):
                    self._tell(told, Text(f"{why[0].upper()}{why[1:]}. [{game.procedure.draw(rule)}]"))
                    self.screen.pause(DECISION_SECONDS)
            if decision.hand is None:
                return
            events = self._step()
            self._show_card(told, decision.hand)
            if CutCardAppeared() in events:
                # A shoe cut very deep may have too few cards for the round after.
                cut = "The cut card appears: after this round one more is played, if the cards suffice."
                self._tell(told, Text(cut, style="yellow"))
            self.screen.pause(CARD_SECONDS)

    def _tell(self, told: list[Text], sentence: Text) -> None:
        told.append(sentence)
        if self.screen.live:
            self._paint_hands(told)
        else:
            self.screen.say(sentence)

    def _show_card(self, told: list[Text], hand: Hand) -> None:
        if self.screen.live:
            self._paint_hands(told)
        else:
            self.screen.say(dealt.hand_in_words(self.game.pack, self.table.deal, hand))

    def _paint_hands(self, told: Iterable[Text]) -> None:
        self.screen.paint([*dealt.hands(self.game.pack, self.table.deal, self.screen.console), *told])

    def _call_and_settle(self) -> None:
        deal = self.table.deal
        self._shoes.end_round(self.table.round_number, deal)
        for event in self._step():
            if isinstance(event, ResultAnnounced):
                self.screen.say(dealt.call_of(event, deal, self.game.procedure))
        self.screen.pause(RESULT_SECONDS)
        for event in self._step():
            if isinstance(event, RoundSettled) and PATRON in event.settlements:
                settled = event.settlements[PATRON]
                lines = dealt.settlement(self.game, settled)
                if self.screen.live and self.screen.height_of(lines) + LEAST_FRAME > self.screen.room:
                    lines = dealt.settlement(self.game, settled, brief=True)
                self.screen.say(lines)
                self.screen.say(Text(f"Net {_signed(settled.net)}, balance {self.balance:,}.", style="bold"))

    def _wants_new_shoe(self) -> bool:
        """Offer a new shoe and open it, unless the patron leaves."""
        finished = refusal(self.table, OpenBetting())
        self.screen.say(Text(str(finished)))
        self._end_shoe()
        while True:
            self.screen.say("Enter opens a new shoe; quit leaves.")
            line = self.screen.ask()
            if line is None or line.strip().lower() in ("n", "no"):
                return False
            answer = Verb.DEAL if line.strip().lower() in ("y", "yes") else self._answer(line)
            if answer is Verb.QUIT:
                return False
            if answer is Verb.DEAL:
                self._open_shoe()
                return True
            self.screen.say(*([answer] if answer else ()))

    def _leave(self) -> None:
        returned = sum(self.stakes.values())
        if returned:
            self._change_stakes(Verb.CLEAR, "")
            self.screen.say(f"{returned:,} on the felt goes back to you.")
        self._end_shoe()
        rounds = f"{self.rounds_played:,} round{'' if self.rounds_played == 1 else 's'}"
        net = _signed(self.balance - self.bought)
        self.screen.say(f"Goodbye: {rounds}, balance {self.balance:,}, net {net}.")


def _signed(amount: int) -> str:
    return f"{amount:+,}" if amount else "0"
