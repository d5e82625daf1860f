import { expect, it } from "vitest";
import { Failed, ifFound, refusal } from "../../console/app/failure.ts";

it("a missing answer is undefined, and any other failure is thrown", async () => {
  expect(await ifFound(Promise.resolve("it"))).toBe("it");
  expect(await ifFound(Promise.reject(refusal(404)))).toBeUndefined();
  await expect(ifFound(Promise.reject(refusal(403)))).rejects.toThrow("refused");
  await expect(ifFound(Promise.reject(new Failed({ kind: "offline" })))).rejects.toThrow("offline");
});
