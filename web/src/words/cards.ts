import { words } from "./language.ts";

/** Ranks by their letter; the last three are the stars of the five-element pack. */
export const ranks = words({
  A: ["Ace", "A", "A"], "2": ["two", "2", "2"], "3": ["three", "3", "3"], "4": ["four", "4", "4"], "5": ["five", "5", "5"],
  "6": ["six", "6", "6"], "7": ["seven", "7", "7"], "8": ["eight", "8", "8"], "9": ["nine", "9", "9"], T: ["ten", "10", "10"],
  J: ["Jack", "J", "J"], Q: ["Queen", "Q", "Q"], K: ["King", "K", "K"],
  S: ["Sau", "寿", "壽"], L: ["Luk", "禄", "祿"], F: ["Fuk", "福", "福"],
});

export const suits = words({
  clubs: ["Clubs", "梅花", "梅花"], diamonds: ["Diamonds", "方块", "方塊"],
  hearts: ["Hearts", "红心", "紅心"], spades: ["Spades", "黑桃", "黑桃"],
  fire: ["Fire", "火", "火"], gold: ["Gold", "金", "金"], earth: ["Earth", "土", "土"], wood: ["Wood", "木", "木"], water: ["Water", "水", "水"],
});

export const cards = words({
  card: ["{rank} of {suit}", "{suit}{rank}", "{suit}{rank}"],
  back: ["a card face down", "一张暗牌", "一張暗牌"],
  slot: ["no card yet", "尚未发牌", "尚未發牌"],
  chip: ["{printed}, {amount}", "{printed}，{amount}", "{printed}，{amount}"],
  title: ["Cards and chips", "纸牌与筹码", "紙牌與籌碼"],
  fiveElements: ["The five-element pack", "五行牌", "五行牌"],
  fiveElementsText: [
    "Sixty-five faces. Each element has its shape in the pips and its character in the index, so colour is never alone. The three stars stand on their own grounds: Sau on a round, Luk on a seal, Fuk on a square set on its corner.",
    "共六十五张牌面。每种五行以牌上图形和牌角汉字区分，从不只靠颜色。三星各有底纹：寿为圆，禄为印，福为菱形。",
    "共六十五張牌面。每種五行以牌上圖形和牌角漢字區分，從不只靠顏色。三星各有底紋：壽為圓，祿為印，福為菱形。",
  ],
  standard: ["The 52-card pack", "五十二张牌", "五十二張牌"],
  standardText: [
    "Kings with a beard and a sceptre, Queens with long hair and a flower, Jacks with a cap and a feather: each is known by its outline.",
    "国王有须、持权杖，王后长发、持花，侍从戴帽、插羽：各凭轮廓即可辨认。",
    "國王有鬚、持權杖，王后長髮、持花，侍從戴帽、插羽：各憑輪廓即可辨認。",
  ],
  back52: ["Back", "牌背", "牌背"],
  chips: ["Chips", "筹码", "籌碼"],
  chipsText: [
    "Each value has its own colour, its own edge and its number in print.",
    "每种面值各有颜色、边纹，并印有数字。",
    "每種面值各有顏色、邊紋，並印有數字。",
  ],
  options: ["How cards are drawn", "牌面选项", "牌面選項"],
  fourColour: ["Four colours", "四色花色", "四色花色"],
  fourColourText: ["Clubs green and diamonds blue", "梅花绿色，方块蓝色", "梅花綠色，方塊藍色"],
  largeIndex: ["Large index", "大字牌角", "大字牌角"],
  largeIndexText: ["Rank and suit large in the corner", "牌角的点数与花色放大", "牌角的點數與花色放大"],
});
