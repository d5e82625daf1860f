import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const workflows = globSync(".github/workflows/*.yml", { cwd: root }).map((file) => ({
  file,
  text: readFileSync(join(root, file), "utf8"),
}));

test.each(workflows)(
  "$file runs actions by their commit, and starts with the right to read and nothing else",
  ({ text }) => {
    const actions = [...text.matchAll(/uses: (.+)/g)].map(([, action]) => action ?? "");

    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m);
    expect(text).not.toMatch(/secrets\.|: write-all|pull_request_target/);
  },
);

test.each(workflows)("$file puts nothing that somebody else chose into a command", ({ text }) => {
  const commands = [...text.matchAll(/run: (\|\n(?: {10}.*\n)+|.*)/g)].map(([, command]) => command ?? "");

  expect(commands.length).toBeGreaterThan(0);
  expect(commands.join("\n")).not.toContain("${{");
});
