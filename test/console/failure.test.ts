import { expect, it } from "vitest";
import { Failed, undefinedIfNotFound, createRefusal } from "../../console/app/failure.ts";

it("if the API answers 404, a page gets no data; every other failure is thrown", async () => {
  expect(await undefinedIfNotFound(Promise.resolve("it"))).toBe("it");
  expect(await undefinedIfNotFound(Promise.reject(createRefusal(404)))).toBeUndefined();
  await expect(undefinedIfNotFound(Promise.reject(createRefusal(403)))).rejects.toThrow("refused");
  await expect(undefinedIfNotFound(Promise.reject(new Failed({ kind: "offline" })))).rejects.toThrow("offline");
});
