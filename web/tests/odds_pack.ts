/** A small pack for tests, with a fact of each kind. */
import type { PackTold } from "../src/types/api.ts";

const named = (letters: string) => [...letters].map((letter) => ({ letter, name: letter }));

export const PACK: PackTold = {
  pack: "small",
  name: "small pack",
  ranks: named("A9TK"),
  suits: named("hs"),
  facts: [
    { fact: "winner", name: "Winner", kind: "points", values: ["player", "banker", "tie"], may_be_none: false },
    { fact: "banker_total", name: "Banker total", kind: "points", values: [0, 6, 7], may_be_none: false },
    { fact: "player_pair", name: "Player pair", kind: "shared rank", values: ["A", "9", "T", "K"], may_be_none: true },
    { fact: "player_ranks", name: "Player ranks", kind: "ranks", values: [], may_be_none: false },
  ],
};

export const GAME = { game: "any-game", decks: { minimum: 2, maximum: 8, default: 4 } };
