import { chmodSync, cpSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";

/* Bundles the program into one file without other dependencies; run by `npm pack`. */

const here = import.meta.dirname;
const root = join(here, "..");
const program = join(here, "bin/alerts.js");
const EXECUTABLE = 0o755;

buildSync({
  entryPoints: [join(root, "setup/main.ts")],
  outfile: program,
  bundle: true,
  minify: true,
  platform: "node",
  format: "esm",
  target: "node22",
  legalComments: "none",
  // The YAML package uses `require` for Node's own modules.
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
});
const entry = join(here, "bin/alerts.cjs");
cpSync(join(here, "alerts.cjs"), entry);
chmodSync(entry, EXECUTABLE);
cpSync(join(root, "docs/alerts.schema.json"), join(here, "docs/alerts.schema.json"));
cpSync(join(root, "LICENSE"), join(here, "LICENSE"));
