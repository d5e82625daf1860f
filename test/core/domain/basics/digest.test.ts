import { expect, it } from "vitest";
import { sha256 } from "../../../../core/domain/basics/digest.ts";

it("SHA-256 matches the test vectors of the standard", async () => {
  expect(Buffer.from(await sha256("abc")).toString("hex")).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});
