import { expect, it } from "vitest";
import { AGAIN, retryChange } from "../../../../core/domain/basics/attempt.ts";

const changeWithConflicts = (others: number) => {
  const done = { times: 0 };
  return { done, change: async () => ((done.times += 1) <= others ? AGAIN : "changed") };
};

it.each([0, 1, 9])("a write that meets %d conflicts is retried until it succeeds", async (others) => {
  const { done, change } = changeWithConflicts(others);

  expect(await retryChange({ item: "the counter" }, change)).toBe("changed");
  expect(done.times).toBe(others + 1);
});

it("after ten conflicts, a write fails with an error that names the item", async () => {
  const { done, change } = changeWithConflicts(10);

  await expect(retryChange({ item: "the counter" }, change)).rejects.toThrow(
    /^the counter changed during all 10 attempts to write it$/,
  );
  expect(done.times).toBe(10);
});

it("a retried write takes the number of attempts and the final error from its caller, and retries only conflicts", async () => {
  const { done, change } = changeWithConflicts(2);
  const error = () => new RangeError("busy");

  await expect(retryChange({ item: "it", tries: 2, error }, change)).rejects.toThrow(RangeError);
  expect(done.times).toBe(2);
  await expect(retryChange({ item: "it", tries: 3 }, changeWithConflicts(3).change)).rejects.toThrow(
    "it changed during all 3 attempts",
  );
  await expect(retryChange({ item: "it" }, async () => Promise.reject(new TypeError("broken")))).rejects.toThrow(
    "broken",
  );
});
