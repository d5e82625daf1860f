import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);

/** A program that prints its usage itself, and does nothing then; the version of Node may be checked before. */
const TOOL = /^(?:node local\/check-node\.cjs && )?(?:\w+=\S+ )*(?:vitest|oxlint|oxfmt|knip|cdk)(?: [^&|;]*)?$/;
/** A script of ours. */
const OURS = /^(?:exec )?node (?<args>[^&|;]+)$/;

const scripts = Object.entries(packageJson.scripts).map(([name, command]) => ({
  name,
  command,
  args: OURS.exec(command)?.groups?.["args"]?.split(" "),
}));

test("every script of npm is one command, which --help cannot start", () => {
  expect(scripts.filter(({ command, args }) => args === undefined && !TOOL.test(command))).toEqual([]);
});

/** A program without an answer by then is working. */
const WITHIN_MS = 50_000;

test.concurrent.each(scripts.filter(({ args }) => args !== undefined))(
  "npm run $name prints its usage with --help, and does nothing",
  async ({ args = [] }) => {
    const { stdout, stderr } = await run(process.execPath, [...args, "--help"], { cwd: root, timeout: WITHIN_MS });

    expect(stderr).toBe("");
    // A usage names the command; no line reports an action.
    expect(stdout).toMatch(/^(?:npm |.*\n\n(?:alerts|operator) COMMAND)/);
  },
);
