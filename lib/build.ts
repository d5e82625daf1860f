import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildSync, type Metafile } from "esbuild";
import { buildConsole } from "./console/build.ts";
import { put } from "./put.ts";
import { fallback, routes, site } from "./routes.ts";
import { timers, workers } from "./workers.ts";

const root = join(import.meta.dirname, "..");

/** Where the bundles are: `dist/<function>/index.js`, whose handler is `index.handler`. */
export const distDir = join(root, "dist");

/** A function's name: the last part of its entry. */
export const functionName = (entry: string): string => basename(entry);

const PACKAGE = "package.json";

const entries = (): string[] => [
  ...new Set([...routes, fallback, site, ...workers, ...timers].map(({ entry }) => entry)),
];

const fileOf = (entry: string): string => join(root, "functions", `${entry}.ts`);

/** What the bundles hold instead of a package that would make them start slower for nothing. */
const leaner = {
  "@aws-sdk/credential-provider-node": join(root, "lib/leaner/credentials.ts"),
  "@aws-sdk/endpoint-cache": join(root, "lib/leaner/endpoint-cache.ts"),
  // The clients import it when they meet a stream of events, which no command here sends or gets. That one `import()`
  // would make esbuild wrap whatever the two sides share, so that it is parsed twice and nothing of it is shaken off.
  "@smithy/core/event-streams": join(root, "lib/leaner/nothing.ts"),
  // firebase-admin loads it for its own kinds of credentials; the sender brings an access token.
  "google-auth-library": join(root, "lib/leaner/nothing.ts"),
  // firebase-admin loads it for answers in parts, which only its batches of messages get.
  "@fastify/busboy": join(root, "lib/leaner/nothing.ts"),
  re2js: join(root, "lib/leaner/re2js.cjs"),
};

/** Names that no code of the bundles imports any more, so that what stands in for them does nothing. */
export const idleNames = ({ inputs }: Pick<Metafile, "inputs">, names = Object.keys(leaner)): string[] => {
  const imported = new Set(Object.values(inputs).flatMap(({ imports }) => imports.map(({ original }) => original)));
  return names.filter((name) => !imported.has(name));
};

/**
 * Packages that make a start slower, each with the functions that need it. The build fails where another function takes
 * one in, by an import that leads there, and where a function of this list does not hold it any more.
 */
const heavy: Readonly<Record<string, readonly string[]>> = {
  // The regex engine: who matches events, explains rules, or checks what somebody writes.
  re2js: [
    "create-routing-rule",
    "create-silence",
    "explain-event",
    "get-notification",
    "matcher",
    "simulate-event",
    "simulate-history",
    "test-routing-rules",
    "update-routing-rule",
    "update-silence",
  ],
  "firebase-admin": ["sender", "test-device"],
  "@aws-sdk/client-secrets-manager": ["get-web-push-key", "sender", "synthetic", "take-receipt", "test-device"],
};

/** The functions whose bundle holds code of a package. */
const holders = ({ outputs }: Metafile, name: string): string[] =>
  Object.entries(outputs)
    .filter(([, { inputs }]) =>
      Object.entries(inputs).some(([path, input]) => path.includes(`node_modules/${name}/`) && input.bytesInOutput > 0),
    )
    .map(([path]) => basename(dirname(path)));

/** What is wrong with the functions that hold heavy packages, a text a fault. */
export const heavyFaults = (metafile: Metafile, allowed = heavy): string[] =>
  Object.entries(allowed).flatMap(([name, functions]) => {
    const found = holders(metafile, name);
    const taken = found.filter((holder) => !functions.includes(holder));
    const idle = functions.filter((holder) => !found.includes(holder));
    return [
      ...taken.map((holder) => `${holder} takes in ${name}, which it does not need`),
      ...idle.map((holder) => `${holder} does not hold ${name} any more: take it off the list`),
    ];
  });

/**
 * Bundles every function in one esbuild call. CommonJS and `module,main` start faster than ES modules; no package is left
 * out, so that a function runs what was tested. The console's files lie beside the function that serves them. Throws when
 * the entry of a function is missing. Gives the size of the console's first page.
 */
export const buildFunctions = (): { first: number; budget: number } => {
  mkdirSync(distDir, { recursive: true });
  const missing = entries().find((entry) => !existsSync(fileOf(entry)));
  if (missing !== undefined) throw new Error(`functions/${missing}.ts is in the table of functions but does not exist`);
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: entries().map((entry) => ({ in: fileOf(entry), out: `${functionName(entry)}/index` })),
    outdir: distDir,
    write: false,
    metafile: true,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "cjs",
    mainFields: ["module", "main"],
    alias: leaner,
    minify: true,
    sourcemap: "linked",
    sourcesContent: false,
    legalComments: "none",
    logLevel: "warning",
  });
  const faults = [
    ...heavyFaults(metafile),
    ...idleNames(metafile).map((name) => `nothing imports ${name} any more, for which something stands in`),
  ];
  if (faults.length > 0) throw new Error(`${faults.join("; ")}. The list is in lib/build.ts.`);
  for (const { path, contents } of outputFiles) put(path, contents);
  // On Lambda a bundle stands alone; here the package around it would make it an ES module.
  put(join(distDir, PACKAGE), Buffer.from('{ "type": "commonjs" }\n'));
  const wanted = new Set([PACKAGE, ...entries().map(functionName)]);
  for (const name of readdirSync(distDir))
    if (!wanted.has(name)) rmSync(join(distDir, name), { recursive: true, force: true });
  return buildConsole(join(distDir, functionName(site.entry), "site"));
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const start = performance.now();
  const { first, budget } = buildFunctions();
  const kilobytes = (bytes: number): string => (bytes / 1024).toFixed(1);
  console.log(`${entries().length} functions in ${Math.round(performance.now() - start)} ms`);
  console.log(`console: ${kilobytes(first)} KB of JavaScript before the inbox, of ${kilobytes(budget)} KB at most`);
}
