import { afterEach, expect, test } from "vitest";
import { language } from "../src/words/language.ts";
import { learn, said } from "../src/words/said.ts";

afterEach(() => (language.value = "en"));

test("what the service says is said in the reader's language, with what was put in", () => {
  learn("zh-Hans", { "No more bets.": "停止下注。", "{0} draws on {1}.": "{1}点，{0}补牌。", Banker: "庄家" });
  expect(said("No more bets.")).toBe("No more bets.");
  language.value = "zh-Hans";
  expect(said("No more bets.")).toBe("停止下注。");
  expect(said("Banker draws on 3.")).toBe("3点，庄家补牌。");
  expect(said("Something new.")).toBe("Something new.");
});
