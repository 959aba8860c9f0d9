import { words } from "./language.ts";

export const roadWords = words({
  roads: ["Roads", "路单", "路單"],
  banker: ["Banker", "庄", "莊"],
  player: ["Player", "闲", "閒"],
  tie: ["Tie", "和", "和"],
  bankerPair: ["Banker pair", "庄对子", "莊對子"],
  playerPair: ["Player pair", "闲对子", "閒對子"],
  beadPlate: ["Bead plate", "珠盘路", "珠盤路"],
  bigRoad: ["Big road", "大路", "大路"],
  bigEyeBoy: ["Big eye boy", "大眼仔", "大眼仔"],
  smallRoad: ["Small road", "小路", "小路"],
  cockroachPig: ["Cockroach pig", "曱甴路", "曱甴路"],
  noRounds: ["no rounds yet", "尚无牌局", "尚無牌局"],
  bigRoadEmpty: ["Big road, no winner yet", "大路，尚未有赢家", "大路，尚未有贏家"],
  bigRoadOne: ["Big road, 1 run, {side} {depth} deep", "大路，1列，{side}连{depth}", "大路，1列，{side}連{depth}"],
  bigRoadSays: ["Big road, {runs} runs, latest {side} {depth} deep", "大路，{runs}列，最近{side}连{depth}", "大路，{runs}列，最近{side}連{depth}"],
});
