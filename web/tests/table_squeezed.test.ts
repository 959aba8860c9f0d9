import { expect, test } from "vitest";
import type { TableState } from "../src/table/model.ts";
import { everyCard, faceDown, squeezedHands } from "../src/table/squeezed.ts";

const dealt = (player: string[], banker: string[], phase = "dealing") => ({ phase, deal: { player, banker } }) as TableState;

test("one turns the hands that one has a stake on, and both without one", () => {
  expect(squeezedHands({ banker: 10, tie: 5 })).toEqual(["banker"]);
  expect(squeezedHands({ tie: 5 })).toEqual(["player", "banker"]);
  expect([...faceDown(dealt(["a", "b"], ["c"]), { player: 10 }, new Set(["player-0"]))]).toEqual(["player-1"]);
  expect(faceDown(dealt(["a"], [], "betting"), {}, new Set()).size).toBe(0);
});

test("whoever turns all of a round is not asked again by a third card that comes later", () => {
  const all = new Set(everyCard());
  expect(faceDown(dealt(["a", "b"], ["c", "d"]), {}, all).size).toBe(0);
  expect(faceDown(dealt(["a", "b", "e"], ["c", "d", "f"]), {}, all).size).toBe(0);
});
