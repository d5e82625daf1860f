import {
  expect,
  inject,
  TestRunner,
  type RunnerTask,
  type RunnerTestCase,
  type RunnerTestFile,
  type RunnerTestSuite,
} from "vitest";
import { waitForMessage, openChannel, sendMessage, type Request, type Verdict } from "./messages.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The mode, as Stryker's runner passes it to its setup file. */
    mode: "dry-run" | "mutant";
    files: number;
  }
}

/** The global state that Stryker's changed code reads. */
type Switch = { activeMutant?: string | undefined; hitCount?: number | undefined; hitLimit?: number | undefined };
const getMutantSwitch = (): Switch => {
  const all = globalThis as { __stryker__?: Switch };
  return (all.__stryker__ ??= {});
};

const listTests = (task: RunnerTask): RunnerTestCase[] =>
  task.type === "suite" ? task.tasks.flatMap(listTests) : [task];

/** Returns the id of a test as Stryker forms it, but with the whole path. */
const toId = (test: RunnerTestCase): string => {
  const names = [test.name];
  for (let { suite } = test; suite !== undefined; suite = suite.suite) names.unshift(suite.name);
  return `${test.file.filepath}#${names.join(" > ").trim()}`;
};

/** Runs a test, with the hooks around it, as if it were the first time. */
const runAgain = async (test: RunnerTestCase): Promise<void> => {
  expect.setState({ assertionCalls: 0, currentTestName: test.name });
  const suites: RunnerTestSuite[] = [];
  for (let { suite } = test; suite !== undefined; suite = suite.suite) suites.unshift(suite);
  const hooks = [test.file, ...suites].map((suite) => ({ suite, ...TestRunner.getSuiteHooks(suite) }));
  for (const { suite, beforeEach } of hooks) for (const hook of beforeEach) await hook(test.context, suite);
  try {
    await TestRunner.getTestFn(test)();
  } finally {
    for (const { suite, afterEach } of hooks) for (const hook of afterEach) await hook(test.context, suite);
  }
};

const runAndGetError = async (test: RunnerTestCase): Promise<string | undefined> => {
  try {
    await runAgain(test);
    return undefined;
  } catch (error) {
    return String(error);
  }
};

/**
 * Loads the code of an area once, and runs all of its tests. Then runs the requested tests with one mutant after the other.
 */
// oxlint-disable-next-line import/no-default-export -- so Vitest finds it
export default class Session extends TestRunner {
  /** Tests by their ids; tests of a file with the same title share an id. */
  readonly #tests = new Map<string, RunnerTestCase[]>();
  #files = 0;

  // oxlint-disable-next-line typescript/no-misused-promises -- Vitest awaits it
  override async onAfterRunFiles(files: RunnerTestFile[]): Promise<void> {
    super.onAfterRunFiles(files);
    if (inject("mode") !== "mutant") return;
    for (const test of files.flatMap(listTests))
      this.#tests.set(toId(test), [...(this.#tests.get(toId(test)) ?? []), test]);
    this.#files += files.length;
    if (this.#files === inject("files")) await this.#serve();
  }

  async #serve(): Promise<void> {
    const channel = openChannel();
    let request = waitForMessage<Request>(channel);
    sendMessage(channel, "ready");
    for (let next = await request; next !== "end"; next = await request) {
      request = waitForMessage(channel);
      sendMessage(channel, await this.#judge(next));
    }
    channel.close();
  }

  async #judge({ mutant, tests, hitLimit }: Exclude<Request, "end">): Promise<Verdict> {
    const unknown = tests.find((id) => !this.#tests.has(id));
    if (unknown !== undefined) return { unknown, tests: 0, hits: 0, isSpoilt: false };
    const found = tests.flatMap((id) => this.#tests.get(id) ?? []);
    const fastestFirst = found.toSorted((one, other) => (one.result?.duration ?? 0) - (other.result?.duration ?? 0));
    let ran = 0;
    for (const test of fastestFirst) {
      ran += 1;
      Object.assign(getMutantSwitch(), {
        activeMutant: mutant,
        hitCount: ran === 1 ? 0 : getMutantSwitch().hitCount,
        hitLimit,
      });
      const message = await runAndGetError(test);
      getMutantSwitch().activeMutant = undefined;
      if (message === undefined) continue;
      const isSpoilt = (await runAndGetError(test)) !== undefined;
      return { killedBy: { test: toId(test), message }, tests: ran, hits: getMutantSwitch().hitCount ?? 0, isSpoilt };
    }
    return { tests: ran, hits: getMutantSwitch().hitCount ?? 0, isSpoilt: false };
  }
}
