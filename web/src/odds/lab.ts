/** What the odds lab holds: the shoe as it stands, what the service says of it, and what is chosen. */
import { batch, computed, effect, signal } from "@preact/signals";
import { get, type Refusal } from "../api.ts";
import { Live } from "../live.ts";
import { address, go } from "../router.tsx";
import type { GameList, GameListed, OddsSaid, PackTold, RuleCard, SocketMessage, TableList, TableListed, Vocabulary, WagerOddsSaid } from "../types/api.ts";
import { type Play, positionOf, read, written } from "./address.ts";
import { type Answer, askEffects, askOdds, askOwn, type Effects, hasShoe, keyOf, refused } from "./asking.ts";
import { Latest } from "./latest.ts";
import { fitted, OWN_ID, type OwnWager } from "./own.ts";
import { cardsInAll, full, isFull, laid, nextSlot, NO_HANDS, ofShoe, type Position, readSeen, withDecks } from "./position.ts";

const ADDRESS_MILLISECONDS = 250;
/** The effects of every card are looked at when taps have ceased. */
const EFFECTS_MILLISECONDS = 300;

export class Lab {
  readonly games = signal<readonly GameListed[]>([]);
  readonly tables = signal<readonly TableListed[]>([]);
  readonly vocabulary = signal<Vocabulary | null>(null);
  readonly card = signal<RuleCard | null>(null);
  readonly position = signal<Position | null>(null);
  readonly answer = signal<Answer | null>(null);
  readonly fullOdds = signal<OddsSaid | null>(null);
  readonly refusal = signal<Refusal | null>(null);
  readonly effects = signal<Effects | null>(null);
  readonly wager = signal<string | null>(null);
  readonly own = signal<OwnWager | null>(null);
  readonly ownOdds = signal<WagerOddsSaid | null>(null);
  readonly ownFull = signal<WagerOddsSaid | null>(null);
  readonly ownRefusal = signal<Refusal | null>(null);
  readonly play = signal<Play | null>(null);
  /** The table whose unseen cards these are, as long as nobody changes them. */
  readonly table = signal<TableListed | null>(null);
  /** The place on the table where the next card is laid that somebody taps. */
  readonly aim = signal<number | null>(null);
  /** Whether probabilities are shown as fractions too. */
  readonly isExact = signal(false);
  /** Nothing can be shown at all. */
  readonly failure = signal<Refusal | null>(null);

  readonly game = computed(() => this.games.value.find((each) => each.game === this.position.value?.game) ?? null);
  readonly pack = computed<PackTold | null>(() => this.packOf(this.game.value));
  /** The game and the size of the shoe, by which everything of a full shoe is known. */
  private readonly shoe = computed(() => {
    const position = this.position.value;
    return position && JSON.stringify([position.game, position.decks]);
  });
  /** For whoever need not follow every card. */
  readonly hasPosition = computed(() => this.position.value !== null);
  readonly decksNow = computed(() => this.position.value?.decks ?? 0);
  readonly cardsInAll = computed(() => (this.position.value && this.pack.value ? cardsInAll(this.position.value, this.pack.value) : 0));

  private readonly known = new Map<string, Promise<OddsSaid>>();
  private readonly stops: (() => void)[] = [];
  /** What is asked before it is wanted, while a finger is still down. */
  private foreseen: { key: string; said: Promise<OddsSaid> } | null = null;
  private readonly asksOdds = new Latest((of: Position) => this.ask(of), (said, of) => this.told(said, of), (error) => (this.refusal.value = refused(error)));
  private readonly asksOwn = new Latest(
    askOwn,
    (said) => batch(() => ((this.ownOdds.value = said), (this.ownRefusal.value = null))),
    (error) => batch(() => ((this.ownOdds.value = null), (this.ownRefusal.value = refused(error)))),
  );
  private readonly asksOwnFull = new Latest(askOwn, (said) => (this.ownFull.value = said), () => (this.ownFull.value = null));
  private readonly asksEffects = new Latest(
    askEffects,
    (said, of) => {
      if (of.game === this.position.value?.game) this.effects.value = said;
    },
    () => (this.effects.value = null),
  );
  private readonly asksTable = new Latest((id: string) => this.look(id), () => undefined, (error) => this.notThere(refused(error)));
  private live: Live<SocketMessage> | null = null;
  private lastAddress = "";

  constructor(private readonly firstGame: string | null) {}

  async start(): Promise<void> {
    try {
      const [games, vocabulary] = await Promise.all([get<GameList>("/api/games"), get<Vocabulary>("/api/vocabulary")]);
      batch(() => ((this.games.value = games.games), (this.vocabulary.value = vocabulary)));
    } catch (error) {
      this.failure.value = refused(error);
      return;
    }
    void get<TableList>("/api/tables").then((found) => (this.tables.value = found.tables), () => undefined);
    this.stops.push(
      effect(() => {
        const search = address.value.search;
        if (search !== this.lastAddress) this.restore(search);
      }),
      effect(() => this.askAll()),
      effect(() => this.askFull()),
      effect(() => this.askCard()),
      this.writesAddress(),
    );
  }

  stop(): void {
    for (const stop of this.stops) stop();
    for (const each of [this.asksOdds, this.asksOwn, this.asksOwnFull, this.asksEffects, this.asksTable]) each.stop();
    this.unfollow();
  }

  /** Another shoe by somebody's hand: it is no longer the table's. */
  change(next: Position): void {
    if (next === this.position.value) return;
    batch(() => {
      this.unfollow();
      this.position.value = next;
    });
  }

  /** A card is being touched: by the time it is let go, the odds without it may be known. */
  foresee(next: Position): void {
    const key = keyOf(next);
    if (next === this.position.value || this.foreseen?.key === key) return;
    const said = askOdds(next);
    said.catch(() => undefined);
    this.foreseen = { key, said };
  }

  private ask(of: Position): Promise<OddsSaid> {
    const { foreseen } = this;
    this.foreseen = null;
    return foreseen?.key === keyOf(of) ? foreseen.said : askOdds(of);
  }

  choose(game: string): void {
    const found = this.games.value.find((each) => each.game === game), now = this.position.value;
    if (!found) return;
    batch(() => {
      this.aim.value = null;
      const decks = Math.min(found.decks.maximum, Math.max(found.decks.minimum, now?.decks ?? found.decks.default));
      this.change({ game, decks, out: {}, hands: NO_HANDS });
      this.fitOwn(found);
      if (this.wager.value !== OWN_ID && !found.wagers.includes(this.wager.value ?? "")) this.wager.value = null;
    });
  }

  decks(by: number): void {
    const now = this.position.value, game = this.game.value;
    if (!now || !game) return;
    const decks = now.decks + by;
    if (decks >= game.decks.minimum && decks <= game.decks.maximum) this.change(withDecks(now, decks));
  }

  refill(): void {
    const now = this.position.value;
    this.aim.value = null;
    if (now && !isFull(now)) this.change(full(now));
  }

  /** Lay a card where the next is to lie. */
  lay(card: string): void {
    const now = this.position.value, slot = this.aim.value;
    if (!now || slot === null) return;
    const next = laid(now, slot, card);
    if (next === now) return;
    batch(() => {
      this.change(next);
      this.aim.value = nextSlot(next.hands);
    });
  }

  /** The cards that nobody has seen at a table, from now on as they are dealt. */
  follow(id: string): void {
    this.unfollow();
    const live = new Live<SocketMessage>(`/api/tables/${id}/live`, (message) => {
      if (message.type === "snapshot" || (message.type === "event" && message.event !== "stakes-changed")) this.asksTable.want(id);
    });
    this.live = live;
    live.start();
    this.asksTable.want(id);
  }

  private unfollow(): void {
    this.live?.stop();
    this.live = null;
    this.table.value = null;
  }

  private async look(id: string): Promise<void> {
    const table = await get<TableListed>(`/api/tables/${id}`);
    const game = this.games.value.find((each) => each.game === table.game), pack = this.packOf(game ?? null);
    if (!game || !pack) return;
    const whole: Position = { game: game.game, decks: table.decks, out: {}, hands: NO_HANDS };
    const said = hasShoe(table) ? await get<OddsSaid>(`/api/tables/${id}/odds`) : await askOdds(whole);
    // Somebody has taken a card out meanwhile: the shoe is theirs.
    if (!this.live) return;
    const { shoe } = said.provenance as { shoe?: Record<string, number> };
    const position = shoe ? ofShoe(game.game, table.decks, pack, shoe, readSeen(said.seen)) : whole;
    batch(() => {
      this.table.value = table;
      this.position.value = position;
      this.fitOwn(game);
      this.told(said, position);
    });
  }

  /** A table that has no shoe in play, or is no table: the first game is shown instead. */
  private notThere(refusal: Refusal): void {
    const game = this.games.value[0];
    batch(() => {
      this.refusal.value = refusal;
      if (this.position.value || !game) return;
      this.unfollow();
      this.choose(this.firstGame ?? game.game);
    });
  }

  private restore(search: string): void {
    this.lastAddress = search;
    const at = read(search);
    const game = this.games.value.find((each) => each.game === (at.game ?? this.firstGame)) ?? this.games.value[0];
    const pack = this.packOf(game ?? null);
    if (!game || !pack) return;
    batch(() => {
      this.aim.value = null;
      this.wager.value = at.wager;
      this.own.value = at.own && fitted(at.own, pack);
      this.play.value = at.play;
      if (at.table) this.follow(at.table);
      else {
        this.unfollow();
        this.position.value = positionOf(at, game, pack);
      }
    });
  }

  private packOf(game: GameListed | null): PackTold | null {
    return this.vocabulary.value?.packs.find((each) => each.pack === game?.pack) ?? null;
  }

  private fitOwn(game: GameListed): void {
    const pack = this.packOf(game), own = this.own.value;
    if (own && pack) this.own.value = fitted(own, pack);
  }

  private told(said: OddsSaid, of: Position): void {
    if (of.game !== this.position.value?.game) return;
    batch(() => ((this.answer.value = { of, said }), (this.refusal.value = null)));
  }

  private askAll(): void | (() => void) {
    const position = this.position.value, own = this.own.value;
    if (!position) return;
    if (this.answer.peek()?.of.game !== position.game) batch(() => ((this.answer.value = null), (this.effects.value = null)));
    if (!this.table.peek()) this.asksOdds.want(position);
    if (own) {
      this.asksOwn.want({ position, own });
      this.asksOwnFull.want({ position: full(position), own });
    } else batch(() => ((this.ownOdds.value = null), (this.ownFull.value = null), (this.ownRefusal.value = null)));
    const later = setTimeout(() => this.asksEffects.want(position), this.effects.peek() ? EFFECTS_MILLISECONDS : 0);
    return () => clearTimeout(later);
  }

  private askFull(): void {
    const key = this.shoe.value, position = this.position.peek();
    if (!key || !position) return;
    const found = this.known.get(key) ?? askOdds(full(position));
    this.known.set(key, found);
    void found.then(
      (said) => {
        if (this.shoe.peek() === key) this.fullOdds.value = said;
      },
      () => this.known.delete(key),
    );
  }

  private askCard(): void {
    const game = this.game.value?.game;
    if (!game || this.card.peek()?.game === game) return;
    this.card.value = null;
    void get<RuleCard>(`/api/games/${game}`).then((card) => {
      if (this.game.peek()?.game === card.game) this.card.value = card;
    }, () => undefined);
  }

  /** Not at every tap: browsers count how often a page changes its address. */
  private writesAddress(): () => void {
    let later: ReturnType<typeof setTimeout> | undefined;
    const stop = effect(() => {
      const position = this.position.value;
      if (!position) return;
      const search = written({
        ...position, wager: this.wager.value, own: this.own.value, play: this.play.value, table: this.table.value?.id ?? null,
      });
      clearTimeout(later);
      later = setTimeout(() => this.write(search), this.lastAddress === search ? 0 : ADDRESS_MILLISECONDS);
    });
    return () => {
      clearTimeout(later);
      stop();
    };
  }

  private write(search: string): void {
    if (search === this.lastAddress) return;
    this.lastAddress = search;
    go(location.pathname + search, { replace: true });
  }
}
