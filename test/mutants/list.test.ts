import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { mutants } from "./list.ts";
import { mutate, root } from "./mutant.ts";

it.each(mutants)("$name still finds its place", async (mutant) => {
  const source = await readFile(new URL(mutant.at[0], root), "utf8");

  expect(mutate(mutant, source)).not.toBe(source);
});

it("gives every mutant a name of its own", () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
});
