import type { Deps } from "../../core/deps.ts";

/** The outcome of a step. `says`: the message for the operator. `skipped`: the step is not possible in this environment. */
export type StepResult = { kind: "ok" | "skipped"; says: string };

export type Step = { name: string; run: () => Promise<StepResult>; help: string };

export type Outcome = { step: string; result: "ok" | "skipped" | "failed"; seconds: number; says: string };

type WalkDeps = Pick<Deps, "now"> & { say: (line: string) => void };

const runStep = async ({ run, help }: Step): Promise<Pick<Outcome, "result" | "says">> => {
  try {
    const { kind, says } = await run();
    return { result: kind, says };
  } catch (error) {
    return { result: "failed", says: `${error instanceof Error ? error.message : String(error)} What to do: ${help}` };
  }
};

/** Runs all steps, even after a failure, and returns their outcomes. */
export const runSteps = async (deps: WalkDeps, steps: readonly Step[]): Promise<Outcome[]> => {
  const outcomes: Outcome[] = [];
  for (const step of steps) {
    const began = deps.now();
    const { result, says } = await runStep(step);
    const seconds = Math.round((deps.now() - began) / 1000);
    deps.say(`${result.padEnd(7)} ${step.name} (${seconds} s): ${says}`);
    outcomes.push({ step: step.name, result, seconds, says });
  }
  return outcomes;
};

type WaitDeps = Pick<Deps, "now" | "sleep">;

/** Calls `ask` until it returns a value, and returns this value. After `seconds`, throws an error that names `what`. */
export const pollUntil = async <Value>(
  deps: WaitDeps,
  { what, seconds, everySeconds = 1 }: { what: string; seconds: number; everySeconds?: number },
  ask: () => Promise<Value | undefined>,
): Promise<Value> => {
  const until = deps.now() + seconds * 1000;
  for (;;) {
    const value = await ask();
    if (value !== undefined) return value;
    if (deps.now() >= until) throw new Error(`${what} did not arrive within ${seconds} s.`);
    await deps.sleep(everySeconds * 1000);
  }
};
