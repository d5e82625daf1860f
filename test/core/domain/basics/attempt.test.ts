import { expect, it } from "vitest";
import { AGAIN, retryChange } from "../../../../core/domain/basics/attempt.ts";

/** A write that conflicts with another one this many times. */
const meeting = (others: number) => {
  const done = { times: 0 };
  return { done, change: async () => ((done.times += 1) <= others ? AGAIN : "changed") };
};

it.each([0, 1, 9])("a conflicting write is retried until it succeeds: after %d conflicts", async (others) => {
  const { done, change } = meeting(others);

  expect(await retryChange({ of: "the counter" }, change)).toBe("changed");
  expect(done.times).toBe(others + 1);
});

it("after ten conflicts, a write fails with an error that names the item", async () => {
  const { done, change } = meeting(10);

  await expect(retryChange({ of: "the counter" }, change)).rejects.toThrow(
    /^the counter changed during all 10 attempts to write it$/,
  );
  expect(done.times).toBe(10);
});

it("a write can have its own number of attempts and its own error; an error other than a conflict is thrown at once", async () => {
  const { done, change } = meeting(2);
  const error = () => new RangeError("busy");

  await expect(retryChange({ of: "it", tries: 2, error }, change)).rejects.toThrow(RangeError);
  expect(done.times).toBe(2);
  await expect(retryChange({ of: "it", tries: 3 }, meeting(3).change)).rejects.toThrow(
    "it changed during all 3 attempts",
  );
  await expect(retryChange({ of: "it" }, async () => Promise.reject(new TypeError("broken")))).rejects.toThrow(
    "broken",
  );
});
