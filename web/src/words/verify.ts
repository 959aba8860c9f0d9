import { words } from "./language.ts";

/** What does not follow: the sentences are those of `puntobanco verify`. */
export const failures = words({
  unreadable: ["The transcript is not JSON.", "记录不是 JSON。", "記錄不是 JSON。"],
  unusual: [
    "The transcript has a field twice, or a value that is not written in the usual way.",
    "记录中有重复的字段，或有不按通常方式书写的值。",
    "記錄中有重複的欄位，或有不按通常方式書寫的值。",
  ],
  shape: [
    "The transcript: '{name}' is missing, unknown or not written as it should be.",
    "记录：“{name}”缺失、未知或写法不正确。",
    "記錄：「{name}」缺失、未知或寫法不正確。",
  ],
  roundShape: [
    "Round {round}: '{name}' is missing, unknown or not written as it should be.",
    "第{round}局：“{name}”缺失、未知或写法不正确。",
    "第{round}局：「{name}」缺失、未知或寫法不正確。",
  ],
  notAnObject: ["The transcript: this is not an object.", "记录：这不是一个对象。", "記錄：這不是一個物件。"],
  roundNotAnObject: ["Round {round}: this is not an object.", "第{round}局：这不是一个对象。", "第{round}局：這不是一個物件。"],
  tableOfPlay: ["The reading names an unknown table of play.", "所用规则指定了未知的补牌表。", "所用規則指定了未知的補牌表。"],
  pack: ["The cards are not a known pack in its canonical order.", "牌不是已知的一副牌，或顺序不正确。", "牌不是已知的一副牌，或順序不正確。"],
  anchor: ["The anchor does not follow from terms and commitments.", "锚值与条款及承诺不符。", "錨值與條款及承諾不符。"],
  signature: ["The signature of the anchor was not made by this public key.", "锚值的签名不是由此公钥作出。", "錨值的簽名不是由此公鑰作出。"],
  otherTable: ["The shoe is called after another table.", "此靴以另一张赌桌命名。", "此靴以另一張賭桌命名。"],
  chain: [
    "Shoe '{shoe}' does not follow '{before}': its anchor holds another final state.",
    "“{shoe}”靴不接续“{before}”靴：其锚值含另一终态。",
    "「{shoe}」靴不接續「{before}」靴：其錨值含另一終態。",
  ],
  place: ["Round {round}: it has the place of round {other}.", "第{round}局：占了第{other}局的位置。", "第{round}局：佔了第{other}局的位置。"],
  nonce: [
    "Round {round}: the nonce of '{patron}' is not the one committed to.",
    "第{round}局：“{patron}”的随机数与其承诺不符。",
    "第{round}局：「{patron}」的隨機數與其承諾不符。",
  ],
  state: [
    "Round {round}: the state does not follow from the nonces and the round before.",
    "第{round}局：状态与随机数及上一局不符。",
    "第{round}局：狀態與隨機數及上一局不符。",
  ],
  key: [
    "Round {round}: the key is not the one committed to, or one that was known before.",
    "第{round}局：密钥与其承诺不符，或此前已公开。",
    "第{round}局：密鑰與其承諾不符，或此前已公開。",
  ],
  drawn: ["Round {round}: the key draws {cards}.", "第{round}局：密钥抽出的是 {cards}。", "第{round}局：密鑰抽出的是 {cards}。"],
  count: [
    "Round {round}: {drawn} cards are drawn where {due} are due.",
    "第{round}局：应抽{due}张，却抽了{drawn}张。",
    "第{round}局：應抽{due}張，卻抽了{drawn}張。",
  ],
  deal: ["Round {round}: the cards make the deal {deal}.", "第{round}局：这些牌构成的牌局是 {deal}。", "第{round}局：這些牌構成的牌局是 {deal}。"],
  number: ["Round {round}: the table's number does not rise.", "第{round}局：赌桌局号没有递增。", "第{round}局：賭桌局號沒有遞增。"],
  unused: [
    "The unused keys are not those committed to for the rounds that were not played.",
    "未用密钥与未进行牌局的承诺不符。",
    "未用密鑰與未進行牌局的承諾不符。",
  ],
  final: ["The final state does not follow from the last round.", "终态与最后一局不符。", "終態與最後一局不符。"],
  seal: [
    "The seal does not fit: a field that is in no other hash was changed.",
    "封印不符：某个不在其他哈希中的字段被改动。",
    "封印不符：某個不在其他雜湊中的欄位被改動。",
  ],
  sealSignature: ["The signature of the seal was not made by this public key.", "封印的签名不是由此公钥作出。", "封印的簽名不是由此公鑰作出。"],
});
export type FailureCode = keyof typeof failures;
