/** How somebody has done at a game, kept by this browser. */
import { keep, kept } from "../kept.ts";

export interface Score {
  asked: number;
  right: number;
  streak: number;
  best: number;
}

export const NOTHING_ASKED: Score = { asked: 0, right: 0, streak: 0, best: 0 };

export function counted(score: Score, isRight: boolean): Score {
  const streak = isRight ? score.streak + 1 : 0;
  return { asked: score.asked + 1, right: score.right + (isRight ? 1 : 0), streak, best: Math.max(score.best, streak) };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** What was kept, if it can be a score: anybody may have written there. */
export function readScore(text: string | null): Score {
  try {
    const { asked, right, streak, best } = JSON.parse(text ?? "{}") as Partial<Score>;
    if (isCount(asked) && isCount(right) && isCount(streak) && isCount(best) && right <= asked && streak <= best && best <= right) {
      return { asked, right, streak, best };
    }
  } catch {
    // What cannot be read is begun anew.
  }
  return NOTHING_ASKED;
}

export const keptScore = (game: string): Score => readScore(kept(`trainer.${game}`));
export const keepScore = (game: string, score: Score): void =>
  keep(`trainer.${game}`, score.asked ? JSON.stringify(score) : null);
