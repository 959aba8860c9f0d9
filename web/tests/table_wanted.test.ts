import { expect, test } from "vitest";
import { Refusal } from "../src/api.ts";
import type { Asked } from "../src/live.ts";
import type { Slip } from "../src/table/model.ts";
import { type Refused, Wanted } from "../src/table/wanted.ts";

/** A felt whose service answers when it is told to. */
function felt() {
  const asked: Asked[] = [], waits: { resolve: () => void; reject: (error: Refusal) => void }[] = [];
  const at = { slip: {} as Slip, round: 7, refused: [] as readonly Refused[] };
  const wanted = new Wanted({
    accepted: () => at.slip,
    round: () => at.round,
    ask: (command) => new Promise<void>((resolve, reject) => {
      asked.push(command);
      waits.push({ resolve, reject });
    }),
    refused: (those) => (at.refused = those),
  });
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  return {
    asked, at, wanted,
    async accept(slip: Slip) {
      at.slip = slip;
      waits.shift()?.resolve();
      await settled();
    },
    async refuse(reason: string) {
      waits.shift()?.reject(new Refusal(reason, "5.6", "No.", 0, 1234));
      await settled();
    },
  };
}

test("quick taps are one command under way and one that follows", async () => {
  const { asked, wanted, accept } = felt();
  wanted.want({ banker: 100 });
  wanted.want({ banker: 200 });
  wanted.want({ banker: 300, tie: 20 });
  expect(asked).toEqual([{ do: "stake", wager: "banker", amount: 100, round: 7 }]);
  expect(wanted.slip).toEqual({ banker: 300, tie: 20 });
  await accept({ banker: 100 });
  expect(asked[1]).toEqual({ do: "stakes", stakes: { banker: 300, tie: 20 }, round: 7 });
  expect(wanted.pending.value).toEqual({ banker: 300, tie: 20 });
  await accept({ banker: 300, tie: 20 });
  expect(asked).toHaveLength(2);
  expect(wanted.pending.value).toEqual({});
});

test("what is taken back while it is under way is taken back after it", async () => {
  const { asked, wanted, accept } = felt();
  wanted.want({ banker: 100 });
  wanted.want({});
  expect(wanted.slip).toEqual({});
  await accept({ banker: 100 });
  expect(asked[1]).toEqual({ do: "stake", wager: "banker", amount: 0, round: 7 });
  await accept({});
  expect(wanted.pending.value).toEqual({});
});

test("one wager is set alone, so that what another tab staked stays", async () => {
  const { asked, at, wanted, accept } = felt();
  at.slip = { banker: 100 };
  wanted.want({ banker: 100, tie: 20 });
  expect(asked).toEqual([{ do: "stake", wager: "tie", amount: 20, round: 7 }]);
  await accept({ banker: 100, player: 50, tie: 20 });
  expect(wanted.slip).toEqual({ banker: 100, player: 50, tie: 20 });
  expect(asked).toHaveLength(1);
});

test("a refusal takes back what is pending and is told at its spots", async () => {
  const { asked, at, wanted, refuse } = felt();
  at.slip = { banker: 100 };
  wanted.want({ banker: 100, tie: 500 });
  wanted.want({ banker: 100, tie: 600 });
  await refuse("late-wager");
  expect(wanted.slip).toEqual({ banker: 100 });
  expect(asked).toHaveLength(1);
  expect(at.refused.map(({ wager, amount, refusal }) => [wager, amount, refusal.closedAt])).toEqual([["tie", 500, 1234]]);
});

test("what lay there already is no refusal", async () => {
  const { at, wanted, refuse } = felt();
  wanted.want({ banker: 100 });
  at.slip = { banker: 100 };
  await refuse("nothing-to-change");
  expect(wanted.pending.value).toEqual({});
  expect(at.refused).toEqual([]);
});

test("an answer for the round before takes nothing from the new one", async () => {
  const { asked, at, wanted, accept, refuse } = felt();
  wanted.want({ banker: 100 });
  at.round = 8;
  wanted.forget();
  wanted.want({ banker: 100 });
  await accept({});
  expect(asked[1]).toEqual({ do: "stake", wager: "banker", amount: 100, round: 8 });
  at.round = 9;
  wanted.forget();
  wanted.want({ tie: 20 });
  await refuse("late-wager");
  expect(asked[2]).toEqual({ do: "stake", wager: "tie", amount: 20, round: 9 });
});
