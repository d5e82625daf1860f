import * as fc from "fast-check";
import { fillPath, type Route, routes } from "../../interface/routes.ts";
import { findBodySchema, listPathParameters } from "../../interface/contract.ts";
import { toInputSchema } from "../../interface/schema.ts";
import type { Ask } from "../world/app.ts";
import { createBodies } from "./bodies.ts";
import { alice, bob, outsider, type FilledWorkspace } from "./people.ts";

type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema | false;
  prefixItems?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
};

const odd = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  "",
  " ",
  "\u0000",
  "\ud800",
  "🙂".repeat(201),
  "x".repeat(3000),
  "__proto__",
  "service.x",
  "2026-13-45T99:99:99Z",
  [],
  {},
  [[[]]],
  { constructor: { prototype: 1 } },
);

/** The generators by pattern, which take long to create, and which several schemas use. */
const matching = new Map<string, fc.Arbitrary<string>>();
const arbitraryMatching = (pattern: string): fc.Arbitrary<string> => {
  const known = matching.get(pattern) ?? fc.stringMatching(new RegExp(pattern));
  matching.set(pattern, known);
  return known;
};

const arbitraryString = (schema: Schema): fc.Arbitrary<unknown> => {
  if (schema.pattern !== undefined) return fc.oneof(arbitraryMatching(schema.pattern), fc.string({ maxLength: 20 }));
  return fc.string({
    minLength: schema.minLength ?? 0,
    maxLength: Math.min(schema.maxLength ?? 20, 40),
    unit: "grapheme",
  });
};

/** Generates values for a schema, some of which break it. What the schema does not define is random. */
const arbitraryValue = (schema: Schema, ids: readonly string[]): fc.Arbitrary<unknown> => {
  const arbitraryBySchema = (): fc.Arbitrary<unknown> => {
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const options = schema.anyOf ?? schema.oneOf;
    if (options !== undefined) return fc.oneof(...options.map((option) => arbitraryValue(option, ids)));
    const [type = "any"] = [schema.type ?? []].flat();
    switch (type) {
      case "object":
        return arbitraryObject(schema, ids);
      case "array": {
        if (schema.prefixItems !== undefined)
          return fc.tuple(...schema.prefixItems.map((item) => arbitraryValue(item, ids))).map((items) => [...items]);
        const items = schema.items === undefined || schema.items === false ? odd : arbitraryValue(schema.items, ids);
        return fc.array(items, { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? 4, 4) });
      }
      case "integer":
      case "number":
        return fc.oneof(
          fc.integer({ min: schema.minimum ?? -10, max: schema.maximum ?? 2000 }),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
        );
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      case "string":
        return fc.oneof(arbitraryString(schema), fc.constantFrom(...ids));
      default:
        return odd;
    }
  };
  return fc.oneof({ weight: 24, arbitrary: arbitraryBySchema() }, { weight: 1, arbitrary: odd });
};

const arbitraryObject = (schema: Schema, ids: readonly string[]): fc.Arbitrary<unknown> => {
  const { properties = {}, required = [] } = schema;
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, arbitraryValue(inner, ids)]),
  );
  const free = fc.dictionary(fc.string({ maxLength: 8 }), fc.oneof(fc.string(), fc.double(), fc.boolean()), {
    maxKeys: 3,
  });
  return fc
    .tuple(
      fc.record(fields, { requiredKeys: [] }),
      fc.record(fields, { requiredKeys: required.filter((name) => name in fields) }),
      fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: free }),
      fc.nat(9),
    )
    .map(([loose, strict, extra, dice]) => ({ ...(dice === 0 ? loose : strict), ...extra }));
};

/** Generates bodies that are valid, nearly valid, random within the document's schema, or not JSON. */
const arbitraryBody = (route: Route, ids: FilledWorkspace): fc.Arbitrary<unknown> => {
  const schema = findBodySchema(route);
  if (schema === undefined) return fc.constant(undefined);
  const good = createBodies(ids)[route.entry] ?? {
    event_action: "resolve",
    routing_key: "eak_...",
    dedup_key: "disk-db-1",
  };
  const known = Object.values(ids);
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(good) },
    { weight: 8, arbitrary: arbitraryValue(toInputSchema(schema) as Schema, known) },
    {
      weight: 3,
      arbitrary: fc.tuple(fc.constantFrom(...Object.keys(good)), odd).map(([key, value]) => ({
        ...good,
        [key]: value,
      })),
    },
    { weight: 1, arbitrary: fc.oneof(fc.string(), fc.constantFrom("", "{", "null", "[]", '{"a":', "\ufeff{}")) },
  );
};

const listGoodQueries = (ids: FilledWorkspace): Readonly<Record<string, readonly [string, ...string[]]>> => ({
  page: ["1", "2", "1e6"],
  limit: ["1", "50", "1000"],
  site: ["https://shop.example", "http://other.example/a?b=c"],
  at: ["2026-11-21T12:00:00Z", "2026-03-29T01:30:00+01:00"],
  userId: [ids.userId],
});

const arbitraryQuery = (route: Route, ids: FilledWorkspace): fc.Arbitrary<Record<string, string>> => {
  const odd = fc.oneof(fc.constantFrom("0", "-1", "1.5", "", "x", "now", "javascript:1"), fc.string({ maxLength: 10 }));
  const named = Object.fromEntries(
    (route.query ?? []).map(({ name }) => [
      name,
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...(listGoodQueries(ids)[name] ?? ["x"])) },
        { weight: 1, arbitrary: odd },
      ),
    ]),
  );
  return fc.record(named, { requiredKeys: [] }) as fc.Arbitrary<Record<string, string>>;
};

const callers = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Ask["as"]>(alice) },
  { weight: 2, arbitrary: fc.constantFrom<Ask["as"]>(bob, outsider, undefined, { token_use: "id", sub: "x" }, {}) },
);

const arbitraryPath = (route: Route, ids: FilledWorkspace): fc.Arbitrary<string> => {
  const names = listPathParameters(route.path) as (keyof FilledWorkspace)[];
  const other = fc.oneof(
    fc.constantFrom(...Object.values(ids), "a#b", "..", "%", "x".repeat(300), "grp_0", "evt_0"),
    fc.string({ minLength: 1, maxLength: 12 }),
  );
  return fc
    .tuple(
      ...names.map((name) =>
        fc.oneof({ weight: 9, arbitrary: fc.constant(ids[name]) }, { weight: 1, arbitrary: other }),
      ),
    )
    .map((values) => fillPath(route.path, Object.fromEntries(names.map((name, index) => [name, values[index]]))));
};

const arbitraryHeaders = (route: Route): fc.Arbitrary<Record<string, string>> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        { "content-type": "text/plain" },
        { "content-type": "Application/JSON; charset=utf-8" },
        { "content-type": "" },
      ),
    },
    ...(route.entry === "events/post-event"
      ? [{ weight: 2, arbitrary: fc.record({ "idempotency-key": fc.string({ maxLength: 4 }) }) }]
      : []),
  );

export type RandomRequest = { route: Route; url: string; ask: Ask };

/** Generates requests to any route, by the OpenAPI document's schemas and common mistakes. */
export const arbitraryRequest = (ids: FilledWorkspace): fc.Arbitrary<RandomRequest> =>
  fc.oneof(
    ...routes.map((route) =>
      fc
        .record({
          url: arbitraryPath(route, ids),
          body: arbitraryBody(route, ids),
          query: arbitraryQuery(route, ids),
          as: callers,
          headers: arbitraryHeaders(route),
          apiKey: fc.constantFrom(ids.key, ids.key, ids.key, "eak_nope"),
        })
        .map(({ url, body, query, as, headers, apiKey }) => ({
          route,
          url,
          ask: {
            method: route.method,
            headers,
            query,
            ...(body === undefined ? {} : { body }),
            ...(route.auth === "api-key" ? { apiKey } : {}),
            ...(route.auth === "session" && as !== undefined ? { as } : {}),
          },
        })),
    ),
  );
