import { expect, test } from "vitest";
import { Latest } from "../src/odds/latest.ts";

function setup() {
  const asked: number[] = [], told: string[] = [], failed: number[] = [];
  const answers: ((answer: string | Error) => void)[] = [];
  const latest = new Latest<number, string>(
    (question) => new Promise((resolve, reject) => {
      asked.push(question);
      answers.push((answer) => (typeof answer === "string" ? resolve(answer) : reject(answer)));
    }),
    (answer) => told.push(answer),
    (_, question) => failed.push(question),
  );
  const answer = async (text: string | Error) => {
    answers.shift()?.(text);
    await new Promise((done) => setTimeout(done));
  };
  return { latest, asked, told, failed, answer };
}

test("one is under way, and only the last that waits is asked", async () => {
  const { latest, asked, told, answer } = setup();
  for (const question of [1, 2, 3, 4]) latest.want(question);
  expect(asked).toEqual([1]);
  await answer("one");
  expect([asked, told]).toEqual([[1, 4], ["one"]]);
  await answer("four");
  latest.want(5);
  await answer("five");
  expect([asked, told]).toEqual([[1, 4, 5], ["one", "four", "five"]]);
});

test("a failure is told, and the next is asked all the same", async () => {
  const { latest, asked, failed, told, answer } = setup();
  latest.want(1);
  latest.want(2);
  await answer(new Error("no"));
  await answer("two");
  expect([asked, failed, told]).toEqual([[1, 2], [1], ["two"]]);
});

test("whoever has left is told nothing", async () => {
  const { latest, asked, told, answer } = setup();
  latest.want(1);
  latest.want(2);
  latest.stop();
  await answer("one");
  expect([asked, told]).toEqual([[1], []]);
});
