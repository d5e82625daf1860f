import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { type BuildOptions, buildSync, type Metafile, type OutputFile } from "esbuild";
import * as v from "valibot";
import { languages } from "../app/language.ts";
import { moved, pages } from "../app/paths.ts";
import { formatThemeCss } from "../style/colours.ts";
import { replaceFile } from "../../tools/put.ts";
import { ApiDocument, renderApiPage } from "./api-page.ts";
import { drawIcon } from "./icon.ts";
import { manifest } from "./manifest.ts";

const root = join(import.meta.dirname, "../..");
const toSourcePath = (path: string): string => join(root, "console", path);

/** The limit for what must load before the inbox can be used, minified and gzipped. */
const BUDGET_BYTES = 36 * 1024;
/** The limit for what a page loads in addition to the inbox, with its texts. */
const PAGE_BUDGET_BYTES = 20 * 1024;
/** The limit for the importers, which load when a reader chooses an export. */
const IMPORTER_BUDGET_BYTES = 192 * 1024;

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".html": "text/html; charset=utf-8",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
};

/** `encodings`: only `identity` for images, which are already compressed. */
type ServedFile = { name: string; type: string; immutable: boolean; etag: string; style?: string; encodings: string[] };

/** `path`: the path of the URL; by default, the name. `immutable`: the URL changes with the content. */
type Asset = { name: string; contents: Uint8Array; path?: string; immutable?: boolean; style?: string };

const hashContents = (contents: Uint8Array | string, encoding: "base64" | "hex" = "hex"): string =>
  createHash("sha256").update(contents).digest(encoding);

const compressBrotli = (contents: Uint8Array): Buffer =>
  brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } });

const BUNDLE = {
  absWorkingDir: root,
  write: false,
  metafile: true,
  bundle: true,
  platform: "browser",
  target: ["chrome111", "firefox115", "safari16.4"],
  minify: true,
  legalComments: "none",
  logLevel: "warning",
} as const satisfies BuildOptions;

/** Returns the names of the text files, except texts that are bundled with their code, such as the worker's. */
const listTextNames = (): string[] =>
  readdirSync(toSourcePath("texts/en"))
    .map((file) => file.slice(0, -extname(file).length))
    .filter((name) => name !== "worker" && name !== "duration");

/** Bundles the texts in a separate build, because `inject` makes every file of the main build wait for the texts. */
const bundleTexts = (): Map<string, OutputFile> => {
  const names = Object.keys(languages).flatMap((language) => listTextNames().map((part) => `${language}/${part}`));
  const { outputFiles, metafile } = buildSync({
    ...BUNDLE,
    entryPoints: names.map((name) => ({ in: toSourcePath(`texts/${name}.ts`), out: name.replace("/", "-") })),
    outdir: "/assets",
    entryNames: "[name]-[hash]",
    format: "esm",
  });
  return new Map(
    names.map((name) => {
      const path = toAssetPath(findOutputPath(metafile.outputs, `console/texts/${name}.ts`));
      const file = outputFiles.find((one) => toAssetPath(one.path) === path);
      if (file === undefined) throw new Error(`esbuild made no file of the texts ${name}`);
      return [`#texts/${name}`, file];
    }),
  );
};

/** Bundles the importers in a separate build, because pages would otherwise load much of the importers' code. */
const bundleImporter = (): OutputFile => {
  const [file] = buildSync({
    ...BUNDLE,
    entryPoints: [{ in: join(root, "setup/in-browser.ts"), out: "importer" }],
    outdir: "/assets",
    entryNames: "[name]-[hash]",
    format: "esm",
  }).outputFiles;
  if (file === undefined) throw new Error("esbuild made nothing of the importers");
  return file;
};

type Texts = ReadonlyMap<string, OutputFile>;
type Alias = Readonly<Record<string, string>>;

/** Returns build options that replace imports of texts by the URLs of their files. */
const createTextOptions = (texts: Texts, alias: Alias = {}) => ({
  alias: { ...alias, ...Object.fromEntries([...texts].map(([name, { path }]) => [name, toAssetPath(path)])) },
  external: ["/assets/*"],
});

const bundleConsole = (texts: Texts, alias: Alias) =>
  buildSync({
    ...BUNDLE,
    ...createTextOptions(texts, alias),
    entryPoints: [{ in: toSourcePath("main.tsx"), out: "main" }],
    // Every page imports `main.tsx`, so that esbuild puts the imports of `main.tsx` into one file: each file costs a round trip.
    inject: [toSourcePath("main.tsx")],
    outdir: "/assets",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    splitting: true,
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "preact",
  });

const bundleFile = (path: string, texts: Texts = new Map()): Buffer => {
  const [file] = buildSync({
    ...BUNDLE,
    ...createTextOptions(texts),
    entryPoints: [toSourcePath(path)],
    format: "iife",
  }).outputFiles;
  if (file === undefined) throw new Error(`esbuild made nothing of console/${path}`);
  return Buffer.from(file.contents);
};

/** Returns the paths of an output and of all outputs that it imports before it runs. `found`: the paths found so far. */
const listNeededOutputs = (outputs: Metafile["outputs"], path: string, found = new Set<string>()): Set<string> => {
  if (found.has(path)) return found;
  found.add(path);
  for (const { path: next, kind } of outputs[path]?.imports ?? [])
    if (kind === "import-statement") listNeededOutputs(outputs, next, found);
  return found;
};

const findOutputPath = (outputs: Metafile["outputs"], entry: string): string => {
  const [path] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry) ?? [];
  if (path === undefined) throw new Error(`esbuild made no output of ${entry}`);
  return path;
};

const toAssetPath = (path: string): string => `/assets/${path.slice(path.lastIndexOf("/") + 1)}`;

/** Returns how to serve the asset, and its contents by encoding. */
const compressAsset = ({ name, contents, immutable = false, style }: Asset): [ServedFile, Map<string, Uint8Array>] => {
  const type = TYPES[extname(name)] ?? "application/octet-stream";
  const packed = type.startsWith("image/")
    ? new Map([["identity", contents]])
    : new Map<string, Uint8Array>([
        ["br", compressBrotli(contents)],
        ["gzip", gzipSync(contents, { level: 9 })],
      ]);
  const etag = `"${hashContents(contents).slice(0, 20)}"`;
  return [{ name, type, immutable, etag, encodings: [...packed.keys()], ...(style && { style }) }, packed];
};

/** Bundles the script that runs before the console is loaded. */
const buildEarlyAsset = (texts: Texts): Asset => {
  const contents = bundleFile("early.ts", texts);
  return { name: `assets/early-${hashContents(contents).slice(0, 8)}.js`, contents, immutable: true };
};

const listAssets = (outputFiles: readonly OutputFile[], earlyScript: Asset): Asset[] => {
  const api = readFileSync(join(root, "docs/openapi.json"), "utf8");
  const { html, style } = renderApiPage(v.parse(ApiDocument, JSON.parse(api)));
  return [
    ...outputFiles.map(({ path, contents }) => ({ name: toAssetPath(path).slice(1), contents, immutable: true })),
    earlyScript,
    { name: "worker.js", contents: bundleFile("worker/worker.ts") },
    { name: "manifest.webmanifest", contents: Buffer.from(JSON.stringify(manifest)) },
    { name: "openapi.json", contents: Buffer.from(api) },
    { path: "/docs", name: "docs.html", contents: Buffer.from(html), style: hashContents(style, "base64") },
    ...manifest.icons.map(({ src, sizes }) => ({ name: src.slice(1), contents: drawIcon(Number.parseInt(sizes, 10)) })),
  ];
};

/** Returns the URL of the texts that every page needs first. */
const findFirstTextsUrl = (texts: Texts, language: string): string => {
  const file = texts.get(`#texts/${language}/first`);
  if (file === undefined) throw new Error(`the console has no texts of "${language}"`);
  return toAssetPath(file.path);
};

type Sizes = ReadonlyMap<string, number>;

/** Returns the path of the largest file of the texts called `textsName` in any language. */
const findLargestTranslationPath = (texts: Texts, sizes: Sizes, textsName: string): string => {
  const paths = [...texts].filter(([name]) => name.endsWith(`/${textsName}`)).map(([, { path }]) => toAssetPath(path));
  const [largest] = paths.toSorted((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
  if (largest === undefined) throw new Error(`the console has no texts "${textsName}"`);
  return largest;
};

/** Returns the gzipped size of the files in bytes. Throws an error with `name` if the size exceeds the budget. */
const checkSizeBudget = (name: string, paths: Iterable<string>, sizes: Sizes, budget: number): number => {
  const bytes = [...new Set(paths)].reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0);
  if (bytes > budget) throw new Error(`${name} needs ${bytes} bytes of JavaScript; the budget is ${budget}.`);
  return bytes;
};

/** `bytes`: the gzipped size of the files that load in addition to the files of the inbox. */
export type Part = { bytes: number; scripts: string[]; texts: string[] };

/** Returns the path of each page's module, such as "pages/rule", by the name of the page. */
export const readPageModules = (): Map<string, string> =>
  new Map(
    [
      ...readFileSync(toSourcePath("app/pages.ts"), "utf8").matchAll(
        /(\w+): \(\) => import\("\.\.\/([\w/-]+)\.tsx"\)/g,
      ),
    ].map(([, name = "", part = ""]) => [name, part]),
  );

/** Returns what each page loads in addition to the inbox (the output `main`), by the path of its module. */
const measureParts = (outputs: Metafile["outputs"], main: string, texts: Texts, sizes: Sizes): Map<string, Part> => {
  const first = listNeededOutputs(outputs, main);
  const parts = new Map<string, Part>();
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint === undefined || path === main) continue;
    const name = entryPoint.slice("console/".length, -extname(entryPoint).length);
    const needed = [...listNeededOutputs(outputs, path)].filter((one) => !first.has(one));
    const own = needed
      .flatMap((one) => Object.keys(outputs[one]?.inputs ?? {}))
      .flatMap((file) => /^console\/page-texts\/(.+)\.ts$/.exec(file)?.[1] ?? []);
    const said = ["pages", ...own].map((part) => findLargestTranslationPath(texts, sizes, part));
    const scripts = needed.map(toAssetPath);
    const bytes = checkSizeBudget(`The console's ${name}`, [...scripts, ...said], sizes, PAGE_BUDGET_BYTES);
    parts.set(name, { bytes, scripts, texts: own });
  }
  return parts;
};

/** Returns the page that loads the console, from the URLs of its scripts: the early script, the main script, and others. */
const renderShell = ([early, main, ...preloads]: readonly string[], texts: Texts, style: string): string => {
  // The content security policy allows only exactly this text, `style`, as a style.
  const head = [
    `<style>${style}</style>`,
    `<script async fetchpriority="high" src="${early}"></script>`,
    // The function that serves the page fills in `{{texts}}`.
    '<link rel="modulepreload" href="{{texts}}">',
    // The list of the texts' URLs, from which the worker caches one language for use without a network.
    `<meta name="texts" content="${[...texts.values()].map(({ path }) => toAssetPath(path)).join(" ")}">`,
    ...preloads.map((path) => `<link rel="modulepreload" href="${path}">`),
    `<script type="module" src="${main}"></script>`,
  ].join("");
  return readFileSync(toSourcePath("shell.html"), "utf8").replace("{{head}}", () => head);
};

/**
 * Builds hashed and compressed files, the shell, and `site.json`, which says how to serve each file. Throws if a page exceeds its
 * budget. Returns the gzipped bytes of what loads first, of what each page loads in addition (`parts`), and of the importers.
 */
export const buildConsole = (
  dir: string,
  alias: Alias,
): { first: number; budget: number; parts: Map<string, Part>; importer: number } => {
  const texts = bundleTexts();
  const importer = bundleImporter();
  const { outputFiles, metafile } = bundleConsole(texts, { ...alias, "#importer": toAssetPath(importer.path) });
  const files: Record<string, ServedFile> = {};
  const kept = new Set(["site.json"]);
  const sizes = new Map<string, number>();
  const early = buildEarlyAsset(texts);
  for (const asset of listAssets([...outputFiles, ...texts.values(), importer], early)) {
    const { name, contents, path = `/${name}` } = asset;
    const [served, packed] = compressAsset(asset);
    files[path] = served;
    sizes.set(path, packed.get("gzip")?.length ?? contents.length);
    for (const [encoding, bytes] of packed) {
      const file = encoding === "identity" ? name : `${name}.${encoding}`;
      replaceFile(join(dir, file), bytes);
      kept.add(file);
    }
  }

  const main = findOutputPath(metafile.outputs, "console/main.tsx");
  const scripts = [`/${early.name}`, ...[...listNeededOutputs(metafile.outputs, main)].map(toAssetPath)];
  const needed = [...scripts, findLargestTranslationPath(texts, sizes, "first")];
  const first = checkSizeBudget("The console's first page", needed, sizes, BUDGET_BYTES);
  const parts = measureParts(metafile.outputs, main, texts, sizes);
  const pageParts = readPageModules();
  const style = formatThemeCss() + bundleFile("style/index.css").toString().trim();
  const shell = renderShell(scripts, texts, style);
  const site = {
    shell,
    style: hashContents(style, "base64"),
    texts: Object.fromEntries(Object.keys(languages).map((language) => [language, findFirstTextsUrl(texts, language)])),
    pages: Object.fromEntries([
      ...pages.map(({ name, path }) => [path, parts.get(pageParts.get(name) ?? "")?.scripts ?? []]),
      ...Object.keys(moved).map((path) => [path, []]),
    ]),
    files,
  };
  replaceFile(join(dir, "site.json"), Buffer.from(JSON.stringify(site)));
  // Removes the files of the last build. An open page that needs a removed file reloads itself.
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !kept.has(path.slice(dir.length + 1))) rmSync(path);
  }
  const importerBytes = checkSizeBudget("The importer", [toAssetPath(importer.path)], sizes, IMPORTER_BUDGET_BYTES);
  return { first, budget: BUDGET_BYTES, parts, importer: importerBytes };
};
