import { registerHooks } from "node:module";
import { mutantByName } from "./list.ts";
import { MUTANT, mutate, root } from "./mutant.ts";

/* Loaded before a program, this module replaces one file by its mutant. */

const mutant = mutantByName(process.env[MUTANT] ?? "");
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
