/** A spot of the felt: before the deal what it pays, afterwards what it paid. Its place never changes. */
import type { ComponentChildren } from "preact";
import { Chip } from "../cards/chip.tsx";
import { stackOf } from "../cards/chips.ts";
import { Icon } from "../icons.tsx";
import { amount, partsOf, signed } from "../money.ts";
import type { PaymentTold, Spot as Staked, SpotLimits, WagerSettled, WagerTold } from "../types/api.ts";
import { language } from "../words/language.ts";
import { said } from "../words/said.ts";
import { table } from "../words/table.ts";
import { gathered, handOf, printedPayments, type Ratio, ratioOf, shortened, sideOf } from "./payments.ts";

/** The character of a hand beside its name, for who reads it at a glance. */
const CHARACTERS = { P: "閒", B: "莊", T: "和" } as const;

export interface SpotMoney {
  currency: string;
  chips: readonly number[];
}

export function ratioSaid({ pays, to }: Ratio): string {
  return table.toOne({ pays: pays.toLocaleString("en"), to: to.toLocaleString("en") });
}

/** A label on its own spot: shorter in English, where every line repeats the wager's name. */
function labelOn(label: string, name: string, isPaid = false): string {
  return language.value === "en" ? shortened(label, name, isPaid) : said(label);
}

export function Payments({ wager, currency }: { wager: WagerTold; currency: string }) {
  const { ratios, besides, labels, amounts } = printedPayments(wager);
  const [first] = ratios;
  const scale = ratios.length > 1 && first
    ? table.toOne({ pays: ratios.map(({ pays }) => pays.toLocaleString("en")).join(" · "), to: 1 })
    : first ? ratioSaid(first) : "";
  const together = gathered(labels.map((label) => said(label)), table.or());
  return (
    <>
      <span class="pays">{scale}</span>
      {together && <span class="fine together">{together}</span>}
      {besides.map(({ line, ratio }) => {
        const label = labelOn(line, wager.name);
        return <span class="fine" key={line}>{ratio ? table.paysAlso({ line: label, ratio: ratioSaid(ratio) }) : table.isReturned({ line: label })}</span>;
      })}
      {amounts.length > 0 && (
        <span class="fine">{table.bonus({ amounts: amounts.map((each) => amount(each, currency)).join(` ${table.or()} `) })}</span>
      )}
    </>
  );
}

export function Stack({ value, money: { currency, chips } }: { value: number; money: SpotMoney }) {
  const parts = partsOf(currency), stack = stackOf(value, chips, 4).chips;
  return (
    <span class="stack">
      {(stack.length ? stack : [value]).map((chip, place) => (
        <span class="layer" style={{ "--n": place }} key={place}><Chip value={chip / parts} /></span>
      ))}
    </span>
  );
}

function Name({ wager, told }: { wager: string; told: WagerTold }) {
  const hand = handOf(wager), side = sideOf(wager);
  return (
    <span class="name">
      {hand && <span class={`tag ${hand}`} aria-hidden="true">{hand}</span>}
      {side && <i class={`pd ${side}`} />}
      <span>{said(told.name)}</span>
      {hand && language.value === "en" && <span class="han zh" aria-hidden="true">{CHARACTERS[hand]}</span>}
    </span>
  );
}

interface SpotProperties {
  wager: string;
  told: WagerTold;
  limits: SpotLimits | undefined;
  money: SpotMoney;
  all: Staked | undefined;
  accepted: number;
  /** What is wanted and not accepted; null where nothing is. */
  pending: number | null;
  note: string | null;
  /** How the wager was settled; null while the round runs. */
  settled: WagerSettled | "none" | null;
  /** The line that paid on this round, whoever had a stake there. */
  paidLine: string | null;
  /** The round was void, and so much came back. */
  cameBack: number | null;
  /** There is little height here: the chip goes beside the words. */
  isLow: boolean;
  isOpen: boolean;
  isTabStop: boolean;
  style: Record<string, string>;
  onPlace: () => void;
  onFocus: () => void;
}

export function Spot(given: SpotProperties) {
  const { wager, told, settled, cameBack, note, money } = given, hand = handOf(wager);
  const isOver = settled !== null || cameBack !== null;
  const kind = settled === null || settled === "none" ? (isOver && !cameBack ? "none" : cameBack ? "push" : "")
    : settled.net > 0 ? "win" : settled.net < 0 ? "lost" : "push";
  const isMain = hand === "P" || hand === "B";
  return (
    <button
      type="button" class={`spot ${hand ?? ""} ${isMain ? "main" : ""} ${given.isLow ? "low" : ""} ${kind}`} style={given.style} data-wager={wager}
      aria-disabled={!given.isOpen} tabIndex={given.isTabStop ? 0 : -1} onClick={given.onPlace} onFocus={given.onFocus}
    >
      <Name wager={wager} told={told} />
      {isOver ? <Outcome {...given} /> : <Offer {...given} />}
      {note && <span class="note">{note}</span>}
      {!isOver && <Limits limits={given.limits} currency={money.currency} />}
      {(!isOver || kind === "none") && <Others {...given} />}
    </button>
  );
}

function Offer({ told, money, accepted, pending, limits }: SpotProperties) {
  const isPending = pending !== null && pending !== accepted, value = isPending ? pending || accepted : accepted;
  const shown = amount(isPending ? pending : accepted, money.currency);
  return (
    <>
      <Payments wager={told} currency={money.currency} />
      {value > 0 ? (
        <span class={`stake ${isPending ? "pending" : ""}`}>
          <Stack value={value} money={money} />
          <span class="sum"><span class="vh">{isPending ? table.yourPending({ amount: shown }) : table.yourStake({ amount: shown })}</span><span aria-hidden="true">{shown}</span></span>
        </span>
      ) : limits && <span class="place" />}
    </>
  );
}

function Limits({ limits, currency }: { limits: SpotLimits | undefined; currency: string }) {
  if (!limits) return null;
  const values = { minimum: amount(limits.minimum, currency), maximum: amount(limits.maximum, currency) };
  return <span class="limits"><span class="vh">{table.limitsSaid(values)}</span><span aria-hidden="true">{table.limits(values)}</span></span>;
}

/** What everybody else has there together. */
function Others({ all, accepted, money }: SpotProperties) {
  const stake = (all?.stake ?? 0) - accepted, count = (all?.patrons ?? 0) - (accepted > 0 ? 1 : 0);
  if (stake <= 0 || count <= 0) return null;
  const values = { count, amount: amount(stake, money.currency) };
  return <span class="others"><Icon name="people" size={17} />{count === 1 ? table.othersOne(values) : table.others(values)}</span>;
}

/** A payment as it is written on the felt and on the receipt: the line, its ratio and its clause. */
export function PaidBy({ paid, told, short = false }: { paid: PaymentTold; told: WagerTold | undefined; short?: boolean }) {
  const line = told && [...told.lines, ...told.bonuses].find((each) => each.line === paid.line);
  const ratio = line ? ratioOf(line) : null;
  const label = short && told ? labelOn(paid.line, told.name, true) : said(paid.line);
  return (
    <span class="by">
      {label}{ratio && `, ${ratioSaid(ratio)}`}{paid.rounded_from && ` (${table.rounded({ from: paid.rounded_from })})`}{" "}
      <span class="clause">{said(paid.clause)}</span>
    </span>
  );
}

function Outcome({ settled, cameBack, told, money, paidLine }: SpotProperties) {
  const { currency } = money;
  if (settled === null || settled === "none") {
    if (!cameBack) {
      return (
        <>
          <span class="fine">{table.noStake()}</span>
          {paidLine && <span class="fine">{table.paidOthers({ line: labelOn(paidLine, "", true) })}</span>}
        </>
      );
    }
    return (
      <Result amt={table.returned()}><span class="fine">{table.voidReturned({ amount: amount(cameBack, currency) })}</span></Result>
    );
  }
  const { net, pays, stake } = settled;
  return (
    <>
      <Result amt={net === 0 ? table.returned() : signed(net, currency)}>
        <span class="fine">
          {net > 0 && <span class="vh">{table.won()}. </span>}
          {pays.length === 0 && table.noLine()}
          {pays.map((paid, place) => <PaidBy paid={paid} told={told} short key={place} />)}
        </span>
        {net === 0 && <span class="fine">{table.pushReturned({ amount: amount(stake, currency) })}</span>}
      </Result>
      {net >= 0 && <span class="piles" aria-hidden="true"><Stack value={stake} money={money} />{net > 0 && <span class="paid"><Stack value={net} money={money} /></span>}</span>}
      <span class="limits">{net < 0 ? table.lost({ amount: amount(stake, currency) }) : table.staked({ amount: amount(stake, currency) })}</span>
    </>
  );
}

function Result({ amt, children }: { amt: string; children: ComponentChildren }) {
  return <><span class="amt num">{amt}</span>{children}</>;
}
