import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);

/** A program that prints its own usage with --help and then does nothing; the Node version may be checked before. */
const TOOL = /^(?:node local\/check-node\.cjs && )?(?:\w+=\S+ )*(?:vitest|oxlint|oxfmt|knip|cdk)(?: [^&|;]*)?$/;
const OURS = /^(?:exec )?node (?<args>[^&|;]+)$/;

const scripts = Object.entries(packageJson.scripts).map(([name, command]) => ({
  name,
  command,
  args: OURS.exec(command)?.groups?.["args"]?.split(" "),
}));

test("every npm script is a single command, so that --help reaches the program", () => {
  expect(scripts.filter(({ command, args }) => args === undefined && !TOOL.test(command))).toEqual([]);
});

/** A program that has not answered within this time has started its work. */
const WITHIN_MS = 50_000;

test.concurrent.each(scripts.filter(({ args }) => args !== undefined))(
  "the script npm run $name prints its usage with --help, and does nothing",
  async ({ args = [] }) => {
    const { stdout, stderr } = await run(process.execPath, [...args, "--help"], { cwd: root, timeout: WITHIN_MS });

    expect(stderr).toBe("");
    // The output begins with the usage of the command, not with a report of its work.
    expect(stdout).toMatch(/^(?:npm |.*\n\n(?:alerts|operator) COMMAND)/);
  },
);
