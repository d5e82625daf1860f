import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as v from "valibot";
import { expect, it } from "vitest";
import { findBodySchema } from "../../interface/contract.ts";
import { routes } from "../../interface/routes.ts";
import { recordExamples } from "./recorded.ts";

/*
 * The promises of the last release's document must still be kept. `npm run release` stores that document beside this file. A
 * promise may be broken only in a major version, and docs/upgrade.md must say so.
 */

type Content = { content?: { "application/json"?: { schema: { $ref?: string } } } };
type Operation = { requestBody?: Content; responses: Record<string, Content> };
const released = JSON.parse(readFileSync(new URL("released.json", import.meta.url), "utf8")) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { examples?: unknown[] }> };
};
const promised = Object.entries(released.paths).flatMap(([path, methods]) =>
  // The entry `parameters` of a path is no operation.
  Object.entries(methods).flatMap(([method, operation]) =>
    method === "parameters" ? [] : [{ key: `${method.toUpperCase()} ${path}`, operation }],
  ),
);
const byKey = new Map(promised.map(({ key, operation }) => [key, operation]));
const today = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));

it("every route of the last released version still exists, and accepts the same bodies", () => {
  for (const { key, operation } of promised) {
    const now = today.get(key);
    expect(now, `${key} is gone`).toBeDefined();
    const [, taken = ""] = /(\w+)$/.exec(operation.requestBody?.content?.["application/json"]?.schema.$ref ?? "") ?? [];
    const [example] = released.components.schemas[taken]?.examples ?? [];
    if (example === undefined) continue;
    const body = now === undefined ? undefined : findBodySchema(now);
    expect(body, `${key} takes no body any more`).toBeDefined();
    expect(v.safeParse(body!, example).issues, `${key} refuses ${JSON.stringify(example)}`).toBeUndefined();
  }
});

/** Fields that may have more values than in the last release, as docs/upgrade.md says. */
const MORE_VALUES = ["platform"];
const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema({
  $id: "released",
  components: released.components,
});

it("today's answers of the API still have every field of the last released version's answers", async () => {
  const { calls } = await recordExamples();

  const old = calls.filter(({ method, path }) => byKey.has(`${method} ${path}`));
  expect(old.length).toBeGreaterThan(50);
  for (const { method, path, status, answer } of old) {
    const answered = byKey.get(`${method} ${path}`)!.responses[String(status)];
    expect(answered, `${method} ${path} answered ${status}, which was not so`).toBeDefined();
    const schema = answered!.content?.["application/json"]?.schema;
    if (schema === undefined) continue;
    const of = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"released#/')) as object;
    ajv.validate(of, answer);
    const broken = (ajv.errors ?? []).filter(
      ({ keyword, instancePath }) => keyword !== "enum" || !MORE_VALUES.includes(instancePath.split("/").at(-1)!),
    );
    expect(broken, `${method} ${path}`).toEqual([]);
  }
});
