import { fileURLToPath } from "node:url";
import { mergeConfig } from "vitest/config";
import base from "../../vitest.config.ts";
import { mutantByName } from "./list.ts";
import { MUTANT, mutate, root } from "./mutant.ts";

const mutant = mutantByName(process.env[MUTANT] ?? "");
const target = fileURLToPath(new URL(mutant.at[0], root));

/** The tests as they are, on code that has the mutant in it. */
export default mergeConfig(base, {
  root: fileURLToPath(root),
  // What it keeps of a mutant would be taken for the next one's code.
  test: { fsModuleCache: false },
  plugins: [
    {
      name: "mutant",
      enforce: "pre",
      transform: (code: string, id: string) => (id.split("?")[0] === target ? mutate(mutant, code) : undefined),
    },
  ],
});
