import { expect, test } from "vitest";
import { commitmentOf, hex, unhex, written } from "../src/table/nonce.ts";

test("parts are written with their lengths, so that no two lists are alike", () => {
  expect(hex(written(["ab", 1, new Uint8Array([255])]))).toBe("00000002" + "6162" + "00000004" + "00000001" + "00000001" + "ff");
  expect(hex(written(["a", "b"]))).not.toBe(hex(written(["ab", ""])));
  expect(hex(unhex("00ff10"))).toBe("00ff10");
});

test("a commitment is the one that the service computes", async () => {
  // puntobanco.fairness.shoe.nonce_commitment("t/1", 7, "guest-é", bytes(range(32)))
  const nonce = Uint8Array.from({ length: 32 }, (_, byte) => byte);
  expect(await commitmentOf("t/1", 7, "guest-é", nonce)).toBe("37a24df7f13842a3ed876d972990d4d21370a70484ace425cb3bfcd175493e3c");
});
