/** Times of the server's as people read them, where they are. */
import { language } from "./words/language.ts";

function written(options: Intl.DateTimeFormatOptions): (time: number) => string {
  // Making a format is slow, and there are as many as languages.
  const made = new Map<string, Intl.DateTimeFormat>();
  return (time) => {
    const of = language.value === "en" ? "en-GB" : language.value;
    if (!made.has(of)) made.set(of, new Intl.DateTimeFormat(of, options));
    return (made.get(of) as Intl.DateTimeFormat).format(time);
  };
}

export const dayOf = written({ weekday: "long", year: "numeric", month: "long", day: "numeric" });
export const timeOf = written({ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
export const momentOf = written({ day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** What happened, by day, in the order it is given in. */
export function byDay<Happened extends { time: number }>(all: readonly Happened[]): { day: string; all: Happened[] }[] {
  const days: { day: string; all: Happened[] }[] = [];
  for (const each of all) {
    const day = dayOf(each.time), last = days.at(-1);
    if (last?.day === day) last.all.push(each);
    else days.push({ day, all: [each] });
  }
  return days;
}
