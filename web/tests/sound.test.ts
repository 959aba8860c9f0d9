import { expect, test } from "vitest";
import { isLoud, play, SOUNDS, VOICES } from "../src/sound.ts";

test("every sound has voices that end, and none is loud", () => {
  for (const sound of SOUNDS) {
    expect(VOICES[sound].length).toBeGreaterThan(0);
    for (const { at, lasts, loud, hertz } of VOICES[sound]) {
      expect(at + lasts).toBeLessThan(1.5);
      expect(loud).toBeLessThanOrEqual(0.5);
      expect(hertz).toBeGreaterThan(100);
    }
  }
});

test("it is off until somebody asks for it, and silent where there is no sound to be had", () => {
  expect(isLoud.value).toBe(false);
  isLoud.value = true;
  expect(() => play("chip")).not.toThrow();
});
