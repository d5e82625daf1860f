import { fileURLToPath } from "node:url";
import { mergeConfig } from "vitest/config";
import type { VitestPluginContext } from "vitest/node";
import base from "../../vitest.config.ts";
import { findMutant } from "./list.ts";
import { MUTANT, mutate, root } from "./mutant.ts";

const mutant = findMutant(process.env[MUTANT] ?? "");
const target = fileURLToPath(new URL(mutant.at[0], root));

/** Runs the unchanged tests on code with a mutant's change. */
export default mergeConfig(base, {
  root: fileURLToPath(root),
  test: { env: { CALL_STRIDE: "1", GROUP_RUNS: "40" } },
  plugins: [
    {
      name: "mutant",
      enforce: "pre",
      // Without this key, code cached for one mutant would be used for other mutants, and by tests without a mutant.
      configureVitest: ({ defineCacheKeyGenerator }: VitestPluginContext) =>
        defineCacheKeyGenerator(({ id }) => (id.split("?")[0] === target ? JSON.stringify(mutant) : undefined)),
      transform: (code: string, id: string) => (id.split("?")[0] === target ? mutate(mutant, code) : undefined),
    },
  ],
});
