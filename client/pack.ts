import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { renderTypes, listOperations, parseDocument } from "./generate.ts";

/** `npm pack` runs this file in the folder `client`. */

const here = import.meta.dirname;
const root = join(here, "..");
const document = parseDocument(readFileSync(join(root, "docs/openapi.json"), "utf8"));

mkdirSync(join(here, "lib"), { recursive: true });
buildSync({
  stdin: {
    contents: `import { ApiError, createClientFactory } from "./client.ts";
export { ApiError };
export const createClient = createClientFactory(${JSON.stringify(listOperations(document))});`,
    resolveDir: here,
    loader: "ts",
  },
  outfile: join(here, "lib/index.js"),
  bundle: true,
  platform: "neutral",
  format: "esm",
  target: "es2022",
});
writeFileSync(join(here, "lib/index.d.ts"), renderTypes(document, readFileSync(join(here, "options.ts"), "utf8")));
cpSync(join(root, "LICENSE"), join(here, "LICENSE"));
