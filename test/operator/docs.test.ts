import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { settings } from "../../lib/context.ts";
import { commands } from "../../operator/commands.ts";

/*
 * An operator pastes the commands of the guides, so every command of the operator's tool must be accepted unchanged, with
 * its options. CDK commands are checked in test/lib/deploy-commands.test.ts.
 */

const pages = ["docs/deploy.md", "docs/runbook.md", "docs/operator.md"].map((page) =>
  readFileSync(join(import.meta.dirname, "../..", page), "utf8").replaceAll(/\s*\\?\n\s*/g, " "),
);

const calls = pages.flatMap((page) =>
  [...page.matchAll(/operator -- ([a-z][a-z-]+)([^`|;]*?)(?=[`|;)]| rm | aws | npm | npx )/g)].map(
    ([, name = "", rest = ""]) => {
      const options = [...rest.matchAll(/ --([a-z-]+)/g)].map(([, option]) => option);
      return { name, options, says: options.length === 0 ? "without options" : `with --${options.join(" --")}` };
    },
  ),
);

test("every command of the operator's tool is documented", () => {
  expect([...new Set(calls.map(({ name }) => name))].sort()).toEqual(Object.keys(commands).sort());
});

test.each(calls)('the operator\'s tool accepts its command "$name" $says, as the docs show', ({ name, options }) => {
  const command = commands[name];
  const known = ["stage", ...Object.keys(command?.needs ?? {}), ...Object.keys(command?.takes ?? {})];

  expect(options.filter((option) => !known.includes(option ?? ""))).toEqual([]);
  // Without any options, a page only mentions the command.
  if (options.length > 0) expect(options).toEqual(expect.arrayContaining(Object.keys(command?.needs ?? {})));
});

test("every setting of a stage is documented", () => {
  const [page = ""] = pages;

  expect(settings.filter((name) => name !== "stage" && !page.includes(`\`${name}\``))).toEqual([]);
});
