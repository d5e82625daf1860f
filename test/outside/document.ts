import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { readArguments } from "../../tools/command-line.ts";

readArguments("npm run test:document    tries docs/openapi.json in linters and generators, which npx fetches", {});

/*
 * Tries docs/openapi.json in common tools: Redocly and Spectral must report nothing, and the code that openapi-typescript and
 * hey-api generate must accept the README's event. A checkout does not contain the tools: npx runs these versions (MIT licence;
 * Spectral: Apache-2.0).
 */
const tools = {
  openapiTypescript: "openapi-typescript@7.13.0",
  heyApi: "@hey-api/openapi-ts@0.99.0",
  redocly: "@redocly/cli@2.77.0",
  spectral: "@stoplight/spectral-cli@6.15.0",
  /** Both generators need this version; the project's own compiler compiles the generated code. */
  typescript: "typescript@5.9.3",
} as const;

const root = join(import.meta.dirname, "../..");
const document = join(root, "docs/openapi.json");
const dir = mkdtempSync(join(tmpdir(), "document-"));

const run = (command: string, args: readonly string[]): string => {
  try {
    return execFileSync(command, args, { cwd: dir, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const shown = v.safeParse(v.object({ stdout: v.string(), stderr: v.string() }), error);
    if (shown.success) process.stderr.write(shown.output.stdout + shown.output.stderr);
    throw error;
  }
};
const runNpx = (packages: readonly string[], ...command: string[]): string =>
  run("npx", ["--yes", ...packages.flatMap((name) => ["-p", name]), ...command]);

const runLinters = (): void => {
  const redocly = ["lint", document, "--format=json", "--max-problems=1000", "--extends=recommended"];
  const text = runNpx([tools.redocly], "redocly", ...redocly);
  const { problems } = v.parse(
    v.pipe(v.string(), v.parseJson(), v.object({ problems: v.array(v.unknown()) })),
    text.slice(text.indexOf("{")),
  );
  if (problems.length > 0) throw new Error(`Redocly found: ${JSON.stringify(problems.slice(0, 5), undefined, 2)}`);
  writeFileSync(join(dir, "spectral.yaml"), 'extends: ["spectral:oas"]\n');
  runNpx([tools.spectral], "spectral", "lint", document, "--ruleset=spectral.yaml", "--fail-severity=hint");
};

const readReadmeEvent = (): Record<string, unknown> => {
  const sent = /-d '(?<json>\{[^']*\})'/.exec(readFileSync(join(root, "README.md"), "utf8"))?.groups?.["json"];
  return v.parse(v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown())), sent);
};

const createUsage = (whole: string, smallest: string): string => `
import type { paths } from "./types.ts";
import { createClient, createConfig } from "./client/client";
import { postEvent } from "./client";

type PostEvent = paths["/v1/events"]["post"];
type EventInput = PostEvent["requestBody"]["content"]["application/json"];
type Accepted = PostEvent["responses"][201]["content"]["application/json"];
export const whole: EventInput = ${whole};
export const smallest: EventInput = ${smallest};
export const nested: EventInput = { ...smallest, data: { site: "https://shop.example", order: { number: 7 } } };
export const idOf = ({ eventId }: Accepted): string => eventId;

const client = createClient(createConfig({ baseUrl: "http://127.0.0.1:3000", auth: () => "eak_..." }));
export const send = async (): Promise<string | undefined> => {
  await postEvent({ client, body: ${whole} });
  const { data, error } = await postEvent({ client, body: ${smallest} });
  return data?.eventId ?? error?.message;
};
`;

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable"],
  module: "esnext",
  moduleResolution: "bundler",
  allowImportingTsExtensions: true,
  types: [],
};

const generateClients = (): void => {
  runNpx([tools.openapiTypescript, tools.typescript], "openapi-typescript", document, "-o", "types.ts");
  runNpx([tools.heyApi, tools.typescript], "openapi-ts", "-i", document, "-o", "client", "--no-log-file");
  const { event, title, body, ...rest } = readReadmeEvent();
  const smallest = JSON.stringify({ event, title, body });
  writeFileSync(join(dir, "use.ts"), createUsage(JSON.stringify({ event, title, body, ...rest }), smallest));
  writeFileSync(join(dir, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));
  run(join(root, "node_modules/.bin/tsc"), ["-p", dir]);
};

try {
  const began = performance.now();
  runLinters();
  generateClients();
  console.log(`the document serves its tools (${Math.round((performance.now() - began) / 1000)} s)`);
} finally {
  rmSync(dir, { recursive: true, force: true });
}
