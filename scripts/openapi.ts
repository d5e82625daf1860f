import { readFileSync, writeFileSync } from "node:fs";
import * as v from "valibot";
import { openApiDocument } from "./openapi/document.ts";
import { errorsPage } from "./openapi/errors.ts";

const root = new URL("../", import.meta.url);
const { version } = v.parse(
  v.object({ version: v.string() }),
  JSON.parse(readFileSync(new URL("package.json", root), "utf8")),
);

/** The generated files with their expected content. */
export const generated: readonly { path: URL; content: string }[] = [
  { path: new URL("docs/openapi.json", root), content: `${JSON.stringify(openApiDocument(version), undefined, 2)}\n` },
  { path: new URL("docs/errors.md", root), content: errorsPage() },
];

if (import.meta.main) for (const { path, content } of generated) writeFileSync(path, content);
