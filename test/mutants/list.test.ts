import { readFile } from "node:fs/promises";
import { transform } from "esbuild";
import { expect, it } from "vitest";
import { mutants } from "./list.ts";
import { mutate, root } from "./mutant.ts";

it.each(mutants)("$name still finds its place, and leaves readable code", async (mutant) => {
  const source = await readFile(new URL(mutant.at[0], root), "utf8");

  const changed = mutate(mutant, source);

  expect(changed).not.toBe(source);
  await transform(changed, { loader: "ts" });
});

it("gives every mutant its own name", () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
});
