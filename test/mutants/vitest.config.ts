import { fileURLToPath } from "node:url";
import { mergeConfig } from "vitest/config";
import base from "../../vitest.config.ts";
import { mutantByName } from "./list.ts";
import { MUTANT, mutate, root } from "./mutant.ts";

const mutant = mutantByName(process.env[MUTANT] ?? "");
const target = fileURLToPath(new URL(mutant.at[0], root));

/** The unchanged tests, on code with the mutant's change. */
export default mergeConfig(base, {
  root: fileURLToPath(root),
  // Code cached for one mutant would be used for the next.
  test: { fsModuleCache: false },
  plugins: [
    {
      name: "mutant",
      enforce: "pre",
      transform: (code: string, id: string) => (id.split("?")[0] === target ? mutate(mutant, code) : undefined),
    },
  ],
});
