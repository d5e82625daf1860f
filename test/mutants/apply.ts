import { registerHooks } from "node:module";
import { findMutant } from "./list.ts";
import { MUTANT, mutate, root } from "./mutant.ts";

/* This module is loaded before a program, and applies a mutant's change to one file that the program loads. */

const mutant = findMutant(process.env[MUTANT] ?? "");
const target = new URL(mutant.at[0], root).href;

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (url !== target) return loaded;
    const { source } = loaded;
    const text = typeof source === "string" ? source : Buffer.from(source as Uint8Array).toString("utf8");
    return { ...loaded, source: mutate(mutant, text) };
  },
});
