import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { createDocument } from "../../interface/document.ts";
import { renderErrorsPage } from "../../interface/errors.ts";
import { toAnswerSchema, toInputSchema } from "../../interface/schema.ts";
import { answers, inputs } from "../../interface/shapes.ts";
import { closeObjects } from "../../conformance/shapes.ts";
import { recordExamples } from "./recorded.ts";

/** The nesting level of operations and components in the document. */
const LEVELS = 3;

/** Returns JSON with one line for each operation and each component, which halves the size and keeps diffs readable. */
const jsonText = (value: unknown, level = 0): string => {
  if (level === LEVELS || typeof value !== "object" || value === null || Array.isArray(value))
    return JSON.stringify(value);
  const indent = " ".repeat(level);
  const lines = Object.entries(value).map(([key, item]) => `${indent} "${key}": ${jsonText(item, level + 1)}`);
  return `{\n${lines.join(",\n")}\n${indent}}`;
};

const { examples } = await recordExamples();
const document = `${jsonText(createDocument(packageJson.version, examples))}\n`;

describe("npm run openapi", () => {
  it("has written the current OpenAPI document, which stays below 276 KiB", async () => {
    expect(Buffer.byteLength(document)).toBeLessThan(276 * 1024);
    await expect(document).toMatchFileSnapshot("../../docs/openapi.json");
  });

  it("has written the current docs/errors.md", async () => {
    await expect(renderErrorsPage()).toMatchFileSnapshot("../../docs/errors.md");
  });
});

it("every schema in the OpenAPI document is referred to by another part of the document", () => {
  const { components } = JSON.parse(document) as { components: { schemas: object } };
  const named = Object.keys(components.schemas);
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((name) => !document.includes(`"#/components/schemas/${name}"`))).toEqual([]);
});

it("an answer whose schema extends another schema may have only the fields of both schemas", () => {
  const { components } = JSON.parse(document) as { components: { schemas: Record<string, unknown> } };
  const validate = new Ajv2020({ strict: false })
    .addSchema({ $id: "openapi", components: closeObjects(components, components.schemas) })
    .compile({ $ref: "openapi#/components/schemas/ApiKeyWithText" });
  const whole = examples["ApiKeyWithText"] as { key: string };
  const { key: _key, ...withoutText } = whole;

  expect([whole, { ...whole, other: 1 }, withoutText].map((one) => validate(one))).toEqual([true, false, false]);
});

const schemas = Object.fromEntries([
  ...Object.entries(inputs).map(([name, shape]) => [name, toInputSchema(shape)] as const),
  ...Object.entries(answers).map(([name, shape]) => [name, toAnswerSchema(shape)] as const),
]);

const ajv = new Ajv2020({ strict: false });

it.each(Object.keys(schemas))("the recorded answer %s matches its schema in the OpenAPI document", (name) => {
  expect(ajv.validate(schemas[name]!, examples[name]), ajv.errorsText()).toBe(true);
});
