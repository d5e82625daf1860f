import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { transform } from "esbuild";
import { expect, it } from "vitest";
import { scenarios } from "../faults/scenarios/index.ts";
import { mutants } from "./list.ts";
import { mutate, root } from "./mutant.ts";

it.each(mutants)(
  "the texts of the mutant $name still occur in the source, and the changed code is valid",
  async (mutant) => {
    const source = await readFile(new URL(mutant.at[0], root), "utf8");

    const changed = mutate(mutant, source);

    expect(changed).not.toBe(source);
    await transform(changed, { loader: "ts" });
  },
);

it("every mutant has a unique name", () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
});

it("every test and every scenario that must catch a mutant exists", () => {
  const names = new Set(scenarios.map(({ name }) => name));

  const missing = mutants.filter(({ caughtBy }) =>
    "test" in caughtBy ? !existsSync(new URL(caughtBy.test, root)) : !names.has(caughtBy.scenario),
  );

  expect(missing.map(({ name, caughtBy }) => ({ name, caughtBy }))).toEqual([]);
});
