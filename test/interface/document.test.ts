import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { routes } from "../../interface/routes.ts";
import { generated } from "../../scripts/openapi.ts";
import { answerExamples, inputExamples } from "../../interface/examples.ts";
import { operations } from "../../interface/operations.ts";
import { answerSchema, inputSchema } from "../../interface/schema.ts";
import { answers, inputs, type AnswerName, type InputName } from "../../interface/shapes.ts";

const ajv = new Ajv2020({ strict: false });
const faultsOf = (schema: object, value: unknown) => (ajv.validate(schema, value) ? undefined : ajv.errorsText());
const names = <Name extends string>(table: Record<Name, unknown>) => Object.keys(table) as Name[];

describe("the OpenAPI document and the page of errors", () => {
  it.each(generated.map(({ path, content }) => [path.pathname.split("/").at(-1), path, content] as const))(
    "%s is what npm run openapi writes",
    (_, path, content) => {
      const stale = readFileSync(path, "utf8") !== content;
      expect(stale, `${path.pathname} is not what the code says. Run: npm run openapi`).toBe(false);
    },
  );

  it("keep the document below 300 KB, which a reader downloads", () => {
    expect(readFileSync("docs/openapi.json").byteLength).toBeLessThan(300_000);
  });

  it("tells of every route, and of nothing else", () => {
    expect(Object.keys(operations).sort()).toEqual([...new Set(routes.map(({ entry }) => entry))].sort());
  });
});

describe("the examples", () => {
  it.each(names<InputName>(inputs))("of %s are accepted by the code and by the document", (name) => {
    expect(v.safeParse(inputs[name], structuredClone(inputExamples[name])).issues).toBeUndefined();
    expect(faultsOf(inputSchema(inputs[name]), inputExamples[name])).toBeUndefined();
  });

  it.each(names<AnswerName>(answers))("of %s are as the code and the document have it", (name) => {
    const { issues = [] } = v.safeParse(answers[name], structuredClone(answerExamples[name]));
    expect(
      issues.map(({ message }) => message),
      `mend ${name} in interface/examples.ts`,
    ).toEqual([]);
    expect(faultsOf(answerSchema(answers[name]), answerExamples[name])).toBeUndefined();
  });
});
