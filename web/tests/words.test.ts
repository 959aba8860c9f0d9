import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Refusal, unanswered } from "../src/api.ts";
import { Live, type Open } from "../src/live.ts";
import { language, type Language } from "../src/words/language.ts";
import { learn, said } from "../src/words/said.ts";
import simplified from "../../src/puntobanco/server/translations/zh-Hans.json";
import traditional from "../../src/puntobanco/server/translations/zh-Hant.json";

afterEach(() => (language.value = "en"));

describe("a list of translations", () => {
  beforeEach(() => {
    learn("zh-Hans", {
      "No more bets.": "停止下注。", "{0} draws on {1}.": "{1}点，{0}补牌。", Banker: "庄家", "banker-pair": "庄对子", tie: "和局",
      "No card is due: {0}.": "无须发牌：{0}。", "{0} has {1}.": "{0}有：{1}。", "Ruling {0}": "裁定 {0}", "Ruling {0}: {1}": "裁定 {0}：{1}",
      "{0} on {1} is below the minimum of {2}.": "{1}的 {0:money} 低于 {2:money}。",
      "The balance is {0}; {1} more is not there.": "余额为 {0:money}，不足以再下 {1:money}。",
    });
    learn("en", {
      "{0} on {1} is below the minimum of {2}.": "{0:money} on {1} is below the minimum of {2:money}.",
      "The balance is {0}; {1} more is not there.": "The balance is {0:money}; {1:money} more is not there.",
      "banker-pair": "Banker Pair",
    });
  });

  test("translates what the service says, with what was put in", () => {
    expect(said("No more bets.")).toBe("No more bets.");
    language.value = "zh-Hans";
    expect(said("No more bets.")).toBe("停止下注。");
    expect(said("Banker draws on 3.")).toBe("3点，庄家补牌。");
    expect(said("Something new.")).toBe("Something new.");
    expect(said("constructor")).toBe("constructor");
  });

  test("translates what is put in, be it a sentence, a quoted name or several names", () => {
    language.value = "zh-Hans";
    expect(said("No card is due: Banker draws on 3..")).toBe("无须发牌：3点，庄家补牌。。");
    expect(said("Banker has 'banker-pair'.")).toBe("庄家有：庄对子。");
    expect(said("Banker has tie, banker-pair.")).toBe("庄家有：和局、庄对子。");
    expect(said("Banker has SGD or tie.")).toBe("庄家有：SGD或和局。");
    expect(said("Banker has this, that.")).toBe("庄家有：this, that。");
  });

  test("takes the pattern that says most", () => {
    language.value = "zh-Hans";
    expect(said("Ruling 14")).toBe("裁定 14");
    expect(said("Ruling 14: tie")).toBe("裁定 14：和局");
  });

  test("shows money as the page does, where its currency is known", () => {
    const english = "2,050 on banker-pair is below the minimum of 500,000.";
    expect(said(english, "SGD")).toBe("20.50 on Banker Pair is below the minimum of 5,000.");
    expect(said(english, "CHIPS")).toBe("2,050 on Banker Pair is below the minimum of 500,000.");
    expect(said(english)).toBe("2,050 on Banker Pair is below the minimum of 500,000.");
    language.value = "zh-Hans";
    expect(said(english, "SGD")).toBe("庄对子的 20.50 低于 5,000。");
  });

  test("takes the currency from a sentence that names it", () => {
    const english = "The balance is 2,000 cents = 20.00 SGD; 5,010 more is not there.";
    expect(said(english)).toBe("The balance is 20 SGD; 50.10 more is not there.");
    expect(said("The balance is 2,000 of the smallest unit of CHIPS; 5,010 more is not there."))
      .toBe("The balance is 2,000 CHIPS; 5,010 more is not there.");
    language.value = "zh-Hans";
    expect(said(english)).toBe("余额为 20 SGD，不足以再下 50.10。");
  });
});

describe("what is refused", () => {
  const english = "2,000 on banker-pair is below the minimum of 5,000.";

  test("is said with the table's money", () => {
    expect(new Refusal("below-minimum", null, english, 0, null, "SGD").sentence)
      .toBe("20 on Banker Pair is below the minimum of 50.");
  });

  test("on a socket, in the currency of the table that is listened to", async () => {
    let hears: (text: string) => void = () => undefined;
    const sent: string[] = [];
    const open: Open = (_, told) => {
      hears = told.message;
      queueMicrotask(told.open);
      return { send: (text) => sent.push(text), close: () => undefined };
    };
    const live = new Live("/api/tables/main/live", () => undefined, open).start();
    await Promise.resolve();
    hears(JSON.stringify({ type: "snapshot", time: 1, version: 1, table: { currency: "SGD" } }));
    const answer = live.ask({ do: "stake", wager: "banker-pair", amount: 2000 }, "an-id");
    hears(JSON.stringify({ type: "refused", time: 1, id: "an-id", reason: "below-minimum", clause: null, message: english }));
    live.stop();
    const refusal = await answer.then(() => null, (error: unknown) => error as Refusal);
    expect(refusal?.sentence).toBe("20 on Banker Pair is below the minimum of 50.");
  });

  test("by nobody at all is said by the page itself", () => {
    language.value = "zh-Hant";
    expect(unanswered().sentence).toBe("無法連接服務。您的下注已在那裡保留。");
  });
});

describe("the lists of the service", () => {
  beforeEach(() => {
    learn("zh-Hans", simplified.words);
    learn("zh-Hant", traditional.words);
  });

  test.each<[Language, string, string]>([
    ["zh-Hant", "No card is due: both hands are complete.", "無須發牌：雙方手牌已齊。"],
    ["zh-Hant", "The card does not go to the Banker: the Player draws on 5.", "此牌不應發給莊家：閒家 5 點，補牌。"],
    ["zh-Hans", "the Banker stands on 3 against the Player's third card 8h", "庄家 3 点，对闲家第三张牌 8h，停牌"],
    ["zh-Hans", "the Player has a natural 8 and the Banker has a natural 9, so no more cards are dealt", "闲家例牌 8 点，庄家例牌 9 点，不再发牌"],
    ["zh-Hans", "the Banker has a natural 9, so no more cards are dealt", "庄家例牌 9 点，不再发牌"],
    ["zh-Hans", "The table is paused (void asked for: a supervisor is called); no wager changes.", "此桌暂停中（已申请作废：正请主管到场）；不可更改投注。"],
    ["zh-Hans", "A shoe of 8 decks has 416 cards; 414 were counted: 1 extra Ah, 3 missing Kd.", "8 副牌的牌靴应有 416 张；点得 414 张：多 1 张 Ah、缺 3 张 Kd。"],
    ["zh-Hant", "The Banker's third card is missing in P Kc 2h 3h | B Kc 4c: the Banker draws on 4 against the Player's third card 3h.",
      "P Kc 2h 3h | B Kc 4c 之中缺少莊家的第三張牌：莊家 4 點，對閒家第三張牌 3h，補牌。"],
    ["zh-Hant", "6 Star No Commission Baccarat is played with 4 to 10 decks, not 3 (clause 2.1).", "六星免佣百家樂使用 4 至 10 副牌，而非 3 副（條款 2.1）。"],
    ["zh-Hant", "A table of Baccarat, City of Dreams Manila is played in PHP or HKD, not in SGD (ruling 19).", "馬尼拉新濠天地百家樂的賭桌以 PHP或HKD 進行，而非 SGD（裁定 19）。"],
    ["zh-Hans", "Baccarat Tournament is read with rounding down or up.", "百家乐比赛的选项“取整”可取 向下或向上。"],
    ["zh-Hans", "You set a limit of 10,000 cents = 100.00 SGD for a round.", "您为每局设置的限额是 100 SGD。"],
    ["zh-Hant", "Ruling 14: tie", "裁定 14：和局"],
    ["zh-Hant", "How to Play 5", "玩法 5"],
    ["zh-Hant", "Player 7, Banker 3. Player wins.", "閒 7 點，莊 3 點。閒家勝。"],
  ])("say it in %s: %s", (of, english, text) => {
    language.value = of;
    expect(said(english)).toBe(text);
  });
});
