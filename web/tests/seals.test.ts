import { expect, test } from "vitest";
import { sealOf } from "../src/seals.ts";

test("a table keeps its seal for ever, and others have others", () => {
  expect(sealOf("table-1")).toBe(sealOf("table-1"));
  // Held here because people know their table by it.
  expect(["table-1", "table-2", "pit-1", "蘭"].map(sealOf).join("")).toBe("柳月月櫻");
  const many = new Set(Array.from({ length: 500 }, (_, number) => sealOf(`table-${number}`)));
  expect(many.size).toBe(24);
});
