"""Sessions at a table: a bankroll, limits, a system, and what became of them beside the exact odds.

>>> from puntobanco import find_game
>>> from puntobanco.simulate import prepare
>>> from puntobanco.strategies.systems import find_system
>>> terms = SessionTerms(bankroll=200_000, base=2_000, minimum=2_000, maximum=200_000, step=20)
>>> study = SessionStudy(prepare(find_game("manila"), seed=1), [find_system("flat")], "banker", terms, rounds=80)
>>> study.play(500)
>>> study.results()[0].sessions
500
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from threading import Lock
from typing import NamedTuple, TypeVar

from puntobanco.cards import shown
from puntobanco.dealing import CARDS_FOR_A_ROUND
from puntobanco.errors import InputError, Unlawful, nearest
from puntobanco.extras import optional_package
from puntobanco.odds import odds
from puntobanco.rules.facts import read_facts
from puntobanco.rules.wagers import Fixed, Outcome, Ratio
from puntobanco.simulate import jobs
from puntobanco.simulate.jobs import Job
from puntobanco.strategies.session_columns import COLUMNS, Codes, Flags, PaymentColumns, PlayedColumns, play_columns
from puntobanco.strategies.session_results import SessionResults
from puntobanco.strategies.systems import SIDES, Bet, NamedSystem, RoundResult, State, System, told

with optional_package("numpy", "Sessions are played"):
    import numpy as np

ROUNDS_AT_ONCE = 4_000_000
"""How many rounds are dealt into memory at a time, for each thread; the results do not depend on it."""
LETTERS = "PBT"

Given = TypeVar("Given")
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class SessionTerms:
    """What a patron brings and what the table allows."""

    bankroll: int
    base: int
    minimum: int
    maximum: int
    step: int = 1
    stop_loss: int | None = None
    """The patron leaves when at least so much has been lost of the bankroll."""
    win_goal: int | None = None
    """The patron leaves when at least so much has been won."""

    def __post_init__(self) -> None:
        if not 1 <= self.step <= self.minimum <= self.maximum or self.minimum % self.step or self.maximum % self.step:
            raise InputError(
                "bad-limits",
                f"A minimum of {self.minimum:,} and a maximum of {self.maximum:,} are not whole steps of {self.step:,} "
                "with the lesser first.",
            )
        if not self.minimum <= self.base <= self.maximum or self.base % self.step:
            raise InputError(
                "bad-limits",
                f"A base stake of {self.base:,} is not a whole number of steps of {self.step:,} "
                f"from {self.minimum:,} to {self.maximum:,}.",
            )
        if self.bankroll < self.minimum:
            raise InputError(
                "bad-bankroll", f"A bankroll of {self.bankroll:,} is below the minimum of {self.minimum:,}."
            )

        for name, amount in (("stop-loss", self.stop_loss), ("win goal", self.win_goal)):
            if amount is not None and (type(amount) is not int or amount < 1):
                raise InputError("bad-limits", f"A {name} of {shown(amount)} is not a whole number from 1 on.")
        if self.stop_loss is not None and self.stop_loss > self.bankroll:
            raise InputError(
                "bad-limits", f"A stop-loss of {self.stop_loss:,} is more than the bankroll of {self.bankroll:,}."
            )

    @property
    def stops_at(self) -> int:
        """The patron leaves with a bankroll of so much or less; with less than nothing there is none."""
        return -1 if self.stop_loss is None else self.bankroll - self.stop_loss

    @property
    def goal_at(self) -> int:
        """The patron leaves with a bankroll of so much or more, which without a goal is more than there can be."""
        return 2**63 - 1 if self.win_goal is None else self.bankroll + self.win_goal

    def placed(self, wanted: int, bankroll: int) -> int:
        """What is staked in fact where a system wants to stake so much; 0 if it wants nothing or cannot."""
        if wanted <= 0 or bankroll < self.minimum:
            return 0
        stake = min(wanted, self.maximum, bankroll)
        return max(stake - stake % self.step, self.minimum)


class CodedRound(NamedTuple):
    """All that a session can see of a round."""

    winner: str
    outcomes: tuple[Outcome, ...]
    """Of the wagers of the study, in their order."""


class SessionStudy:
    """Sessions by several systems on the same rounds. The same seed gives the same results on any number of threads."""

    def __init__(
        self,
        job: Job,
        systems: Sequence[NamedSystem],
        wager: str,
        terms: SessionTerms,
        rounds: int,
        checkpoints: Sequence[int] = (),
    ) -> None:
        """`checkpoints` are numbers of rounds after which the results so far are kept, for systems of the house."""
        game = job.game
        self.checkpoints = tuple(checkpoints)
        if wager not in game.paytables:
            meant = nearest(wager, list(game.paytables))
            raise InputError("unknown-wager", f"{game.id} has no wager {shown(wager)}{meant}")
        self.job, self.systems, self.wager, self.terms, self.rounds = job, tuple(systems), wager, terms, rounds
        self.wagers = tuple(game.paytables)
        needed = {wager} | {side for system in systems if system.follows_road for side in SIDES.values()}
        if not self.is_own:
            self.wagers = tuple(each for each in self.wagers if each in needed)
        self._places = [list(game.paytables).index(each) for each in self.wagers]
        self._paytables = [game.paytables[each] for each in self.wagers]
        self._known: dict[CodedRound, int] = {}
        self._code_of_cell = np.full(1 << 16, -1, np.int32)
        self._lock = Lock()
        self.shoes_each = -(-rounds // _least_rounds(job))
        """Every session has so many shoes of its own, more than enough."""
        self._played: list[list[PlayedColumns]] = [[] for _ in systems]
        self.sessions = 0

    @property
    def is_own(self) -> bool:
        """Whether a system has no columns and is played round by round."""
        return any(system.name not in COLUMNS for system in self.systems)

    def staked_on(self, system: NamedSystem) -> tuple[str, ...]:
        """The wagers that a system of the house stakes on; a patron's own may ask for others."""
        return tuple(SIDES.values()) if system.follows_road else (self.wager,)

    @property
    def staked_words(self) -> str:
        """What is staked on: the name of the wager, and both hands where a system goes by a road."""
        paytables, by_road = self.job.game.paytables, [system.follows_road for system in self.systems]
        if not any(by_road):
            return paytables[self.wager].name
        hands = " or ".join(paytables[side].name for side in SIDES.values())
        return f"{hands} by the road" if all(by_road) else f"{paytables[self.wager].name}; road systems: {hands}"

    def pieces(self, sessions: int) -> list[int]:
        """So many sessions in pieces to play one after another, each soon done and yet worth its while."""
        least = 1 if self.is_own else jobs.cores() * ROUNDS_AT_ONCE // self.rounds
        piece = max(-(-sessions // 100), least)
        return [min(piece, sessions - start) for start in range(0, sessions, piece)]

    def play(self, sessions: int, threads: int | None = None) -> None:
        """Play so many sessions more; what is played when an exception comes is kept."""
        self._check_money(self.sessions + sessions)
        # A patron's own class may remember things from session to session, so its sessions keep their order.
        threads = 1 if self.is_own else threads or jobs.cores()
        at_once = max(1, min(ROUNDS_AT_ONCE // self.rounds, -(-sessions // threads)))
        first, last = self.sessions, self.sessions + sessions
        parts = [(start, min(at_once, last - start)) for start in range(first, last, at_once)]
        if threads == 1:
            self._keep(map(self._play_part, parts))
            return
        with ThreadPoolExecutor(threads) as pool:
            try:
                self._keep(pool.map(self._play_part, parts))
            finally:
                pool.shutdown(cancel_futures=True)

    def _keep(self, parts: Iterator[list[PlayedColumns]]) -> None:
        for part in parts:
            for kept, played in zip(self._played, part, strict=True):
                kept.append(played)
            self.sessions += len(part[0].net)

    def results(self) -> list[SessionResults]:
        """Of every system, in their order."""
        priced = odds(self.job.game, self.job.tables.shoe).wagers
        values = {}
        for wager in self.wagers:
            bonuses = [(each.probability, each.line.pays) for each in priced[wager].lines]
            worth = [share * pays.money for share, pays in bonuses if isinstance(pays, Fixed)]
            values[wager] = (priced[wager].ev, sum(worth, Fraction(0)))
        return [
            SessionResults(system, values, PlayedColumns.joined(parts))
            for system, parts in zip(self.systems, self._played, strict=True)
        ]

    def _check_money(self, sessions: int) -> None:
        """Raise InputError if sums could leave 64 bits, whatever is dealt."""
        terms, highest, denominator = self.terms, 0, 1
        for wager in self._paytables:
            pays = [line.pays for line in wager.all_lines]
            ratios = [each for each in pays if isinstance(each, Ratio)]
            denominator = lcm(denominator, *(ratio.denominator for ratio in ratios))
            units = sum(-(-ratio.numerator // ratio.denominator) for ratio in ratios)
            units += sum(-(-each.money // terms.minimum) for each in pays if isinstance(each, Fixed))
            highest = max(highest, 1 + units)
        all_won = terms.bankroll * sessions + terms.maximum * highest * self.rounds * sessions
        if max(all_won, terms.maximum * highest * denominator) >= 2**63:
            raise InputError("too-much-money", "More money could move in these sessions than 64 bits can count.")

    def _play_part(self, part: tuple[int, int]) -> list[PlayedColumns]:
        first, sessions = part
        codes, fresh = self._deal(first, sessions)
        with self._lock:
            rounds = list(self._known)
        played = []
        for system in self.systems:
            if system.name not in COLUMNS:
                played.append(self._play_one_by_one(system, codes, fresh, rounds))
                continue
            wagers = self.staked_on(system)
            columns = COLUMNS[system.name](self.terms, sessions, self.rounds)
            found = play_columns(columns, self.terms, self._payments(wagers, rounds), codes, fresh, self.checkpoints)
            places = [self.wagers.index(wager) for wager in wagers]
            staked, bets = found.staked, found.bets
            found.staked, found.bets = (np.zeros((len(self.wagers), sessions), np.int64) for _ in range(2))
            found.staked[places], found.bets[places] = staked, bets
            played.append(found)
        return played

    # --- The rounds ----------------------------------------------------------------------------------------------

    def _deal(self, first: int, sessions: int) -> tuple[Codes, Flags]:
        """The codes of the rounds of some sessions, and where a new shoe begins; a row for each round."""
        job, compiled = self.job, jobs.compiled_kernel
        if compiled is None or not job.tables.fits:
            return self._deal_one_by_one(first, sessions)
        cells = np.empty((sessions, self.rounds), np.uint16)
        fresh = np.empty((sessions, self.rounds), np.bool_)
        deal_sessions: Callable[..., None] = vars(compiled)["sessions"]
        deal_sessions(
            *job.for_kernel,
            first * self.shoes_each,
            self.shoes_each,
            self.rounds,
            cells,
            fresh,
        )
        seen = np.flatnonzero(np.bincount(cells.ravel(), minlength=1 << 16))
        with self._lock:
            for cell in seen[self._code_of_cell[seen] < 0].tolist():
                player, banker = divmod(cell % 128, 10)
                winner = "T" if player == banker else "P" if player > banker else "B"
                self._code_of_cell[cell] = self._code(winner, job.tables.outcomes(cell))
        table = self._code_of_cell.astype(np.uint16)
        return np.take(table, cells.T), np.ascontiguousarray(fresh.T)

    def _deal_one_by_one(self, first: int, sessions: int) -> tuple[Codes, Flags]:
        tables = self.job.tables
        codes = np.zeros((self.rounds, sessions), np.uint16)
        fresh = np.zeros((self.rounds, sessions), np.bool_)
        for session in range(sessions):
            row, shoe = 0, (first + session) * self.shoes_each
            while row < self.rounds:
                fresh[row, session] = True
                for dealt in jobs.deal(self.job, shoe):
                    if row == self.rounds:
                        break
                    facts = read_facts(dealt.deal)
                    with self._lock:
                        outcomes = tables.outcomes(dealt.cell) if tables.fits else tables.decide(facts)
                        codes[row, session] = self._code(facts.winner.value[0].upper(), outcomes)
                    row += 1
                shoe += 1
        return codes, fresh

    def _code(self, winner: str, outcomes: tuple[Outcome, ...]) -> int:
        coded = CodedRound(winner, tuple([outcomes[place] for place in self._places]))
        return self._known.setdefault(coded, len(self._known))

    def _payments(self, wagers: Sequence[str], rounds: Sequence[CodedRound]) -> PaymentColumns:
        """What the codes pay on these wagers, for whole columns."""
        places = [self.wagers.index(wager) for wager in wagers]
        paid = [[self._paytables[place].lines_of(coded.outcomes[place]) for coded in rounds] for place in places]
        every = [lines for codes in paid for lines in codes]
        pays = [line.pays for lines in every for line in lines]
        denominator = lcm(*(each.denominator for each in pays if isinstance(each, Ratio)))
        most = max([1, *map(len, every)])
        ratios = np.zeros((most, len(wagers), len(rounds)), np.int64)
        fixed = np.zeros((len(wagers), len(rounds)), np.int64)
        for wager, codes in enumerate(paid):
            for code, lines in enumerate(codes):
                if not lines:
                    ratios[0, wager, code] = -denominator
                for place, line in enumerate(lines):
                    if isinstance(line.pays, Ratio):
                        ratios[place, wager, code] = line.pays.numerator * denominator // line.pays.denominator
                    elif isinstance(line.pays, Fixed):
                        fixed[wager, code] += line.pays.money
        winner = np.array([LETTERS.index(coded.winner) for coded in rounds], np.int8)
        return PaymentColumns(ratios, denominator, fixed, winner, self.job.game.reading["rounding"] == "up")

    # --- Round by round ------------------------------------------------------------------------------------------

    def _play_one_by_one(
        self, system: NamedSystem, codes: Codes, fresh: Flags, rounds: Sequence[CodedRound]
    ) -> PlayedColumns:
        """By the system's own class, which may bet on any wager of the study."""
        played = PlayedColumns(len(self.wagers), codes.shape[1])
        for session in range(codes.shape[1]):
            dealt = [rounds[code] for code in codes[:, session].tolist()]
            self._play_session(system, dealt, fresh[:, session].tolist(), played, session)
        return played

    def _play_session(
        self,
        named: NamedSystem,
        dealt: Sequence[CodedRound],
        fresh: Sequence[bool],
        played: PlayedColumns,
        session: int,
    ) -> None:
        terms, bankroll, shoe = self.terms, self.terms.bankroll, ""
        rounding = self.job.game.reading["rounding"]
        peak, drawdown, run, longest = bankroll, 0, 0, 0
        system = _ask(named, 0, named.make, terms.base)
        for number, (coded, is_fresh) in enumerate(zip(dealt, fresh, strict=True)):
            if bankroll < terms.minimum or bankroll <= terms.stops_at or bankroll >= terms.goal_at:
                break
            shoe = "" if is_fresh else shoe
            bet = self._bet(named, system, number, bankroll, shoe)
            place = self.wagers.index(bet.wager)
            stake = terms.placed(bet.stake, bankroll)
            net = self._paytables[place].net(coded.outcomes[place], stake, rounding) if stake else 0
            bankroll += net
            shoe += coded.winner
            played.staked[place, session] += stake
            played.bets[place, session] += stake > 0
            run = 0 if net > 0 else run + (net < 0)
            longest, peak = max(longest, run), max(peak, bankroll)
            drawdown = max(drawdown, peak - bankroll)
            _ask(named, number, system.after, RoundResult(bet.wager, stake, net, coded.winner))
        played.net[session] = bankroll - terms.bankroll
        played.ruined[session] = bankroll < terms.minimum
        played.stopped[session], played.reached[session] = bankroll <= terms.stops_at, bankroll >= terms.goal_at
        played.longest_losing_run[session], played.drawdown[session] = longest, drawdown

    def _bet(self, named: NamedSystem, system: System, number: int, bankroll: int, shoe: str) -> Bet:
        terms = self.terms
        state = State(self.wager, bankroll, terms.minimum, terms.maximum, terms.step, number, shoe)
        answer = _ask(named, number, system.next_stake, state)
        bet = answer if isinstance(answer, Bet) else Bet(self.wager, answer)
        if type(bet.stake) is not int or bet.stake < 0:
            raise InputError(
                "bad-system",
                f"The system {named.short_name} wants to stake {shown(bet.stake)}: "
                "a stake is a whole number, or 0 for none.",
            )
        if bet.wager not in self.wagers:
            raise InputError(
                "bad-system",
                f"The system {named.short_name} bets on {shown(bet.wager)}{nearest(str(bet.wager), list(self.wagers))}",
            )
        return bet


def _ask(named: NamedSystem, number: int, question: Callable[[Given], Answer], given: Given) -> Answer:
    """What a system's class answers, which may be somebody's own."""
    try:
        return question(given)
    except Exception as error:
        message = f"The system {named.short_name} failed in round {number + 1} of a session: {told(error)}."
        raise InputError("bad-system", message) from error


def _least_rounds(job: Job) -> int:
    """How many rounds every shoe has at least."""
    if job.rounds:
        return job.rounds
    cards = job.tables.shoe.size - job.dealing.most_burned
    if cards < CARDS_FOR_A_ROUND:
        raise Unlawful(
            "insufficient-cards",
            f"A shoe of {job.tables.shoe.size} cards may have no round at all.",
            job.game.procedure.insufficient_cards,
        )
    return max(1, -(-(cards - max(job.dealing.cut_depth, CARDS_FOR_A_ROUND - 1)) // CARDS_FOR_A_ROUND))
