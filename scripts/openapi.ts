import { readFileSync, writeFileSync } from "node:fs";
import * as v from "valibot";
import { readArguments } from "../tools/command-line.ts";
import { openApiDocument } from "../interface/document.ts";
import { errorsPage } from "../interface/errors.ts";

const root = new URL("../", import.meta.url);
const { version } = v.parse(
  v.object({ version: v.string() }),
  JSON.parse(readFileSync(new URL("package.json", root), "utf8")),
);

/** Longer values are written over several lines. */
const LINE_CHARACTERS = 200;

/** JSON whose short values take one line each: a third of the size, and a difference can still be read. */
const jsonText = (value: unknown, indent = ""): string => {
  const flat = JSON.stringify(value);
  if (typeof value !== "object" || value === null || indent.length + flat.length <= LINE_CHARACTERS) return flat;
  const inner = `${indent} `;
  const lines = Array.isArray(value)
    ? value.map((item) => jsonText(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${jsonText(item, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${lines.map((line) => inner + line).join(",\n")}\n${indent}${close}`;
};

/** The generated files with their expected content. */
export const generated: readonly { path: URL; content: string }[] = [
  { path: new URL("docs/openapi.json", root), content: `${jsonText(openApiDocument(version))}\n` },
  { path: new URL("docs/errors.md", root), content: errorsPage() },
];

if (import.meta.main) {
  readArguments("npm run openapi    writes docs/openapi.json and docs/errors.md from the code", {});
  for (const { path, content } of generated) writeFileSync(path, content);
}
