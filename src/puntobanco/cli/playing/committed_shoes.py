"""The shoes of a session in the terminal, each committed to before its first wager, and their transcripts."""

import re
from pathlib import Path

from puntobanco.cards import Card, Deal, shown
from puntobanco.cli.playing.patron_words import PATRON
from puntobanco.errors import Fault, InputError
from puntobanco.fairness import (
    NO_STATE,
    Drawing,
    FinishedRound,
    Nonce,
    ShoeTerms,
    Transcript,
    nonce_commitment,
    open_shoe,
    round_state,
    seeded_keys,
    seeded_nonce,
)
from puntobanco.fairness.seeds import new_seed
from puntobanco.table import TableSettings

TABLE = "terminal"


class CommittedShoes:
    """Deals all shoes from the seed given, or each from a seed of its own, which is told when the shoe is over."""

    def __init__(self, seed: int | None, transcript: str | None = None) -> None:
        if transcript == "":
            raise InputError("bad-usage", "--transcript takes the name of a file, and not nothing.")
        self._session_seed = seed
        self._path = None if transcript is None else Path(transcript)
        self._shoes = 0
        self._seed = 0
        self._shoe: _Shoe | None = None
        self._previous = NO_STATE
        if self._path is not None:
            # Not after an hour of play: a file that cannot be written is told before it begins.
            _check_writable(self._path)

    def open(self, settings: TableSettings) -> bytes:
        """Commit to the next shoe and begin its burn. Its anchor."""
        self._shoes += 1
        if self._session_seed is None:
            # One seed for all the shoes would, told after the first, give the others away. Each is the first of its
            # seed, and of its chain, so that the seed deals it again.
            self._seed = new_seed()
            self._shoe = _Shoe(settings, self._seed, 1, NO_STATE)
        else:
            self._seed = self._session_seed
            self._shoe = _Shoe(settings, self._seed, self._shoes, self._previous)
        return self._shoe.opened.anchor

    def draw(self) -> Card:
        return self._open_shoe.draw()

    def begin_round(self) -> None:
        """Betting is closed: the next card is drawn from the key of the next round."""
        self._open_shoe.begin_round()

    def end_round(self, number: int, deal: Deal) -> None:
        self._open_shoe.end_round(number, deal)

    def end(self) -> tuple[int | None, Path | None]:
        """End the shoe, if one is open: the seed to tell, and the file to which its transcript is written."""
        shoe, self._shoe = self._shoe, None
        if shoe is None:
            return None, None
        transcript = shoe.transcript()
        self._previous = transcript.final or NO_STATE
        return (self._seed if self._session_seed is None else None), self._write(transcript)

    def _write(self, transcript: Transcript) -> Path | None:
        if self._path is None:
            return None
        path = self._path
        if self._shoes > 1:
            path = path.with_name(f"{path.stem}-{self._shoes}{path.suffix}")
        try:
            # Made anew: another may have made it during play. What is no file, such as a pipe, cannot be.
            with path.open("x" if path.is_file() or not path.exists() else "w", encoding="utf-8", newline="\n") as file:
                file.write(transcript.text())
        except OSError as error:
            raise Fault(
                "unwritable-file", f"The transcript cannot be written to {shown(path)}: {error.strerror}."
            ) from None
        return path

    @property
    def _open_shoe(self) -> "_Shoe":
        assert self._shoe is not None, "cards are drawn from an open shoe"
        return self._shoe


class _Shoe:
    """One shoe, from its opening to its transcript."""

    def __init__(self, settings: TableSettings, seed: int, number: int, previous: bytes) -> None:
        terms = ShoeTerms.of(
            settings.game,
            table=TABLE,
            shoe=f"{TABLE}-{number}",
            decks=settings.decks,
            burn_and_cut=settings.burn_and_cut,
            previous=previous,
        )
        self._seed, self._number = seed, number
        self._keys = seeded_keys(seed, number)
        self.opened = open_shoe(terms, self._keys)
        self._drawing = Drawing(self.opened)
        self._drawn: list[Card] = []
        self._nonces: tuple[Nonce, ...] = ()
        self._finished: list[FinishedRound] = []
        self._begin(NO_STATE, ())

    def _begin(self, previous_state: bytes, nonces: tuple[Nonce, ...]) -> None:
        place = len(self._finished)
        self._nonces, self._drawn = nonces, []
        self._state = round_state(self.opened, place, previous_state, nonces)
        self._drawing.begin(place, self._keys[place], self._state)

    def draw(self) -> Card:
        self._drawn.append(self._drawing.draw())
        return self._drawn[-1]

    def begin_round(self) -> None:
        self._finish_burn()
        place = len(self._finished)
        nonce = seeded_nonce(self._seed, self._number, place)
        committed = nonce_commitment(self.opened.terms.shoe, place, PATRON, nonce)
        self._begin(self._state, (Nonce(PATRON, committed, nonce),))

    def _finish_burn(self) -> None:
        if not self._finished:
            self.end_round(None, None)

    def end_round(self, number: int | None, deal: Deal | None) -> None:
        place = len(self._finished)
        self._finished.append(
            FinishedRound(place, number, self._nonces, self._state, self._keys[place], tuple(self._drawn), deal)
        )

    def transcript(self) -> Transcript:
        self._finish_burn()
        unused = {place: key for place, key in enumerate(self._keys) if place >= len(self._finished)}
        return Transcript(self.opened, tuple(self._finished), unused)


def _check_writable(path: Path) -> None:
    """Raise unless the file, and those of later shoes, can be made: a transcript that is there is kept."""
    try:
        numbered = re.compile(rf"{re.escape(path.stem)}-([2-9]|[1-9][0-9]+){re.escape(path.suffix)}")
        later = [each for each in path.parent.glob("*") if numbered.fullmatch(each.name)]
        for each in (path, *sorted(later)):
            # A link to what is not there is somebody's too. What is no file, such as a pipe, is written to.
            if each.is_file() or (each.is_symlink() and not each.exists()):
                raise InputError("bad-usage", f"{str(each)!r} is there already: name another file for the transcript.")
        is_new = not path.exists()
        with path.open("x" if is_new else "a", encoding="utf-8"):
            pass
    except InputError:
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no name of a file"
        raise Fault("unwritable-file", f"The transcript cannot be written to {shown(path)}: {reason}.") from None
    if is_new:
        path.unlink()
