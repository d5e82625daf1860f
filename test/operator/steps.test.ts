import { describe, expect, it } from "vitest";
import { runSteps, pollUntil } from "../../operator/first-day/steps.ts";

const aClock = () => {
  let time = 1_000_000;
  const slept: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    slept.push(ms);
    time += ms;
  };
  return { now: () => time, sleep, slept };
};

it("each step of an operator's run is executed, even after a failed one, and reported with outcome and duration", async () => {
  const { now, sleep } = aClock();
  const lines: string[] = [];

  const outcomes = await runSteps({ now, say: (line) => lines.push(line) }, [
    { name: "one", help: "ask Ann.", run: async () => ({ kind: "ok", says: "done." }) },
    {
      name: "two",
      help: "ask Bob.",
      run: async () => {
        await sleep(2_600);
        throw new Error("No answer.");
      },
    },
    { name: "three", help: "ask Cyd.", run: () => Promise.reject("a text") },
    { name: "four", help: "ask Dan.", run: async () => ({ kind: "skipped", says: "not here." }) },
  ]);

  expect(outcomes).toEqual([
    { step: "one", result: "ok", seconds: 0, says: "done." },
    { step: "two", result: "failed", seconds: 3, says: "No answer. What to do: ask Bob." },
    { step: "three", result: "failed", seconds: 0, says: "a text What to do: ask Cyd." },
    { step: "four", result: "skipped", seconds: 0, says: "not here." },
  ]);
  expect(lines).toEqual([
    "ok      one (0 s): done.",
    "failed  two (3 s): No answer. What to do: ask Bob.",
    "failed  three (0 s): a text What to do: ask Cyd.",
    "skipped four (0 s): not here.",
  ]);
});

describe("waiting for a condition", () => {
  it("checks at once, and then at a fixed interval", async () => {
    const { slept, ...clock } = aClock();
    const answers = [undefined, undefined, ""];

    expect(
      await pollUntil(clock, { what: "The push", seconds: 60, everySeconds: 5 }, async () => answers.shift()),
    ).toBe("");
    expect(slept).toEqual([5_000, 5_000]);
  });

  it("checks once more when the time is over", async () => {
    const { slept, ...clock } = aClock();
    let asked = 0;

    await expect(pollUntil(clock, { what: "The push", seconds: 3 }, async () => void (asked += 1))).rejects.toThrow(
      /^The push did not arrive within 3 s\.$/,
    );
    expect([asked, slept]).toEqual([4, [1_000, 1_000, 1_000]]);
  });
});
