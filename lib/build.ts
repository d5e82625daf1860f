import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { buildSync, type BuildOptions, type Metafile } from "esbuild";
import { readArguments } from "../tools/command-line.ts";
import { buildConsole } from "../console/build/build.ts";
import { replaceFile } from "../tools/put.ts";
import { pathsOf } from "../interface/paths.ts";
import { groupByFunction, fallback, routes, site } from "../interface/routes.ts";
import { timers, voiceKeys, workers } from "./workers.ts";

const root = join(import.meta.dirname, "..");

/** The folder of the bundles. Each bundle is `dist/<function>/index.js`, with the handler `index.handler`. */
export const distDir = join(root, "dist");

export const toFunctionName = (entry: string): string => basename(entry);

const PACKAGE = "package.json";

const toFunctionSourcePath = (entry: string): string => join(root, "functions", `${entry}.ts`);

const ENTRIES = "entries";

const toEntryPath = (name: string): string => join(distDir, ENTRIES, name);

/** Renders the code of an entry file, which creates the handler `name` from the functions of a resource. */
const renderEntryCode = (resource: string, name: string): string =>
  `import { ${name} } from ${JSON.stringify(toFunctionSourcePath(resource))};\nexport const handler = ${name}();\n`;

/** Writes an entry file for each function that requires a session. Returns the entry files of all functions by name. */
export const writeEntryFiles = (): Map<string, string> => {
  const files = new Map<string, string>();
  for (const {
    name,
    resource,
    exported,
    routes: [route],
  } of groupByFunction(routes)) {
    const own = toFunctionSourcePath(`doors/${name}`);
    const isDoor = route?.auth !== "session";
    const written = toEntryPath(`${name}.js`);
    if (!isDoor) replaceFile(written, Buffer.from(renderEntryCode(resource, exported)));
    const file = isDoor ? own : toFunctionSourcePath(resource);
    if (!existsSync(file)) throw new Error(`${file} is in a contract but does not exist`);
    files.set(name, isDoor ? own : written);
  }
  for (const { entry } of [fallback, site, ...workers, ...timers, voiceKeys])
    files.set(toFunctionName(entry), toFunctionSourcePath(entry));
  return files;
};

/** Writes a file with the paths of endpoints, but not their contracts. Returns the alias by which bundles import the file. */
export const writePathsFile = (callers: keyof typeof pathsOf): Record<string, string> => {
  const file = toEntryPath(`paths-of-${callers}.js`);
  replaceFile(file, Buffer.from(`export const paths = ${JSON.stringify(pathsOf[callers])};\n`));
  return { "#paths": file };
};

const listFunctionNames = (): string[] => [...writeEntryFiles().keys()];

/** Replacements, by import name, of packages that slow down a cold start and that no function needs. */
const leaner = {
  "@aws-sdk/credential-provider-node": join(root, "lib/leaner/credentials.ts"),
  "@aws-sdk/endpoint-cache": join(root, "lib/leaner/endpoint-cache.ts"),
  // The AWS clients import @smithy/core/event-streams dynamically for event streams, which no command in this project uses. The
  // dynamic import would make esbuild wrap all shared modules, which would prevent tree shaking.
  "@smithy/core/event-streams": join(root, "lib/leaner/empty.ts"),
  // firebase-admin loads google-auth-library for credentials that the sender does not use.
  "google-auth-library": join(root, "lib/leaner/empty.ts"),
  // firebase-admin loads @fastify/busboy for multipart answers, which only batches of messages get.
  "@fastify/busboy": join(root, "lib/leaner/empty.ts"),
  re2js: join(root, "lib/leaner/re2js.cjs"),
  "firebase-admin/app": join(root, "lib/leaner/firebase-admin.cjs"),
  "firebase-admin/messaging": join(root, "lib/leaner/firebase-admin.cjs"),
};

/** Packages that bundles load from a separate file at first use, with the code of that file. */
const besides: Readonly<Record<string, string>> = {
  re2js: 'export { RE2JS } from "re2js";',
  "firebase-admin":
    'export { deleteApp, initializeApp } from "firebase-admin/app";' +
    'export { getMessaging } from "firebase-admin/messaging";',
};

/** Returns the names of packages that no bundle imports, so that their replacements can be deleted. */
export const listUnusedReplacements = ({ inputs }: Pick<Metafile, "inputs">, names = Object.keys(leaner)): string[] => {
  const imported = new Set(Object.values(inputs).flatMap(({ imports }) => imports.map(({ original }) => original)));
  return names.filter((name) => !imported.has(name));
};

/** The functions that contain each large package. The build fails unless exactly the listed functions contain the package. */
const heavy: Readonly<Record<string, readonly string[]>> = {
  // re2js, the regex engine, matches, explains and validates rules. The sweeper explains why the rule of a probe did not match.
  re2js: [
    "matcher",
    "read-events",
    "read-notifications",
    "read-routing-rules",
    "read-simulate",
    "sweeper",
    "write-heartbeats",
    "write-routing-rules",
    "write-silences",
  ],
  "firebase-admin": ["sender", "test-device"],
  "@aws-sdk/client-secrets-manager": [
    "get-web-push-key",
    "inbound",
    "sender",
    "synthetic",
    "take-press",
    "take-receipt",
    "test-device",
    "voice",
    "webhook-sender",
    "write-connections",
    "write-slack",
    "write-webhooks",
  ],
};

const toSeparateFilePath = (packageName: string): string => `./${packageName}.js`;

/** Lists the functions whose bundle includes the package or loads the package's separate file. */
const listFunctionsThatContain = ({ outputs }: Metafile, packageName: string): string[] =>
  Object.entries(outputs)
    .filter(
      ([, { inputs, imports }]) =>
        imports.some(({ path }) => path === toSeparateFilePath(packageName)) ||
        Object.entries(inputs).some(
          ([path, input]) => path.includes(`node_modules/${packageName}/`) && input.bytesInOutput > 0,
        ),
    )
    .map(([path]) => basename(dirname(path)));

/** Returns an error text for each package that a function contains or lacks unexpectedly. */
export const listHeavyPackageErrors = (metafile: Metafile, allowed = heavy): string[] =>
  Object.entries(allowed).flatMap(([name, functions]) => {
    const found = listFunctionsThatContain(metafile, name);
    const taken = found.filter((holder) => !functions.includes(holder));
    const idle = functions.filter((holder) => !found.includes(holder));
    return [
      ...taken.map((holder) => `${holder} includes ${name}, which it does not need`),
      ...idle.map((holder) => `${holder} no longer contains ${name}: remove it from the list`),
    ];
  });

/** Options of esbuild. Functions start faster with CommonJS and `module,main` than with ES modules. */
export const bundling = {
  bundle: true,
  platform: "node",
  target: "node24",
  format: "cjs",
  mainFields: ["module", "main"],
  minify: true,
} satisfies BuildOptions;

const options = {
  ...bundling,
  absWorkingDir: root,
  outdir: distDir,
  write: false,
  sourcemap: "linked",
  sourcesContent: false,
  legalComments: "none",
  logLevel: "warning",
} satisfies BuildOptions;

/** Bundles a package (by the entry's code, `contents`) into a file for each of `functions`. Deletes other functions' copies. */
const copyBesideBundles = (name: string, contents: string, functions: readonly string[]): Metafile => {
  const own = Object.entries(leaner).filter(([imported]) => imported !== name && !imported.startsWith(`${name}/`));
  const { outputFiles, metafile } = buildSync({
    ...options,
    stdin: { contents, resolveDir: root, sourcefile: name },
    entryNames: name,
    metafile: true,
    alias: Object.fromEntries(own),
  });
  for (const { path, contents: made } of outputFiles)
    for (const each of listFunctionNames()) {
      const file = join(distDir, each, basename(path));
      if (functions.includes(each)) replaceFile(file, made);
      else rmSync(file, { force: true });
    }
  return metafile;
};

/** The maximum size of bundles whose loading delays events. */
const bytesMax: Readonly<Record<string, number>> = { "post-event": 345_000, matcher: 438_800, sender: 420_000 };

/** Returns an error text for each bundle that is larger than its maximum. */
export const listBundleSizeErrors = ({ outputs }: Metafile): string[] =>
  Object.entries(outputs).flatMap(([path, { bytes }]) => {
    const name = basename(dirname(path));
    return path.endsWith("/index.js") && bytes > (bytesMax[name] ?? Infinity)
      ? [`${name} has ${bytes} bytes, over its ${bytesMax[name]}`]
      : [];
  });

/**
 * Bundles every function, with all packages, in one esbuild call, and copies the console's files to their function. Throws if a
 * bundle is too large. Returns the bytes of scripts that the console's inbox loads first (`first`), and their limit (`budget`).
 */
export const buildFunctions = (): { first: number; budget: number } => {
  mkdirSync(distDir, { recursive: true });
  const { outputFiles, metafile } = buildSync({
    ...options,
    // V8 parses arrow functions when it compiles a file, but other functions only when they are called. Without arrow functions,
    // a bundle compiles in two thirds of the time.
    supported: { arrow: false },
    entryPoints: [...writeEntryFiles()].map(([name, file]) => ({ in: file, out: `${name}/index` })),
    metafile: true,
    alias: { ...leaner, ...writePathsFile("everybody") },
    external: Object.keys(besides).map(toSeparateFilePath),
  });
  const beside = Object.entries(besides).map(([name, contents]) =>
    copyBesideBundles(name, contents, listFunctionsThatContain(metafile, name)),
  );
  const inputs = Object.assign({}, ...[metafile, ...beside].map((one) => one.inputs));
  const faults = [
    ...listHeavyPackageErrors(metafile),
    ...listBundleSizeErrors(metafile),
    ...listUnusedReplacements({ inputs }).map((name) => `nothing imports the replaced ${name} any more`),
  ];
  if (faults.length > 0) throw new Error(`${faults.join("; ")}. The list is in lib/build.ts.`);
  for (const { path, contents } of outputFiles) replaceFile(path, contents);
  // On Lambda, there is no package.json beside a bundle. In this repository, the root's package.json would make the
  // bundle an ES module.
  replaceFile(join(distDir, PACKAGE), Buffer.from('{ "type": "commonjs" }\n'));
  const wanted = new Set([PACKAGE, ENTRIES, ...listFunctionNames()]);
  for (const name of readdirSync(distDir))
    if (!wanted.has(name)) rmSync(join(distDir, name), { recursive: true, force: true });
  return buildConsole(join(distDir, toFunctionName(site.entry), "site"), writePathsFile("people"));
};

if (import.meta.main) {
  readArguments("npm run build    bundles the functions and the console into dist/", {});
  const start = performance.now();
  const { first, budget } = buildFunctions();
  const formatKilobytes = (bytes: number): string => (bytes / 1024).toFixed(1);
  console.log(`${listFunctionNames().length} functions in ${Math.round(performance.now() - start)} ms`);
  console.log(
    `console: the inbox loads ${formatKilobytes(first)} KB of JavaScript first; the limit is ${formatKilobytes(budget)} KB`,
  );
}
