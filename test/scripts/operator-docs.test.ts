import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../../lib/config.ts";
import { commands } from "../../scripts/operator/commands.ts";

/*
 * What the guides tell an operator to paste must be taken as it stands: every command of the operator's tool with its options, and
 * every context value.
 */

const pages = ["docs/deploy.md", "docs/runbook.md"].map((page) =>
  readFileSync(join(import.meta.dirname, "../..", page), "utf8").replaceAll(/\s*\\?\n\s*/g, " "),
);

const calls = pages.flatMap((page) =>
  [...page.matchAll(/operator -- ([a-z-]+)([^`|;]*?)(?=[`|;)]| rm | aws | npm | npx )/g)].map(
    ([, name = "", rest = ""]) => ({ name, options: [...rest.matchAll(/ --([a-z-]+)/g)].map(([, option]) => option) }),
  ),
);

test("every command of the operator's tool is explained", () => {
  expect([...new Set(calls.map(({ name }) => name))].sort()).toEqual(Object.keys(commands).sort());
});

test.each(calls)("operator -- $name $options is taken as it stands", ({ name, options }) => {
  const command = commands[name];
  const known = ["stage", ...Object.keys(command?.needs ?? {}), ...Object.keys(command?.takes ?? {})];

  expect(options.filter((option) => !known.includes(option ?? ""))).toEqual([]);
  // A call without options is a mention.
  if (options.length > 0) expect(options).toEqual(expect.arrayContaining(Object.keys(command?.needs ?? {})));
});

test("every context value in a command is one that is read, and each is explained", () => {
  const used = pages.flatMap((page) => [...page.matchAll(/-c (?!name=value)([A-Za-z]+)=/g)].map(([, key]) => key!));
  const page = pages[0]!;

  for (const key of used) expect(() => readConfig({ [key]: "" })).not.toThrow();
  const sentence = (() => {
    try {
      readConfig({ unknown: "1" });
      return "";
    } catch (error) {
      return String(error);
    }
  })();
  const keys = sentence.slice(sentence.indexOf("there are ") + 10, -1).split(", ");
  expect(keys.length).toBeGreaterThan(10);
  expect(keys.filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
});
