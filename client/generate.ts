import * as v from "valibot";
import type { Operation } from "./client.ts";

/* Generates the package's table of operations and types from the OpenAPI document. */

type Schema = boolean | { readonly [key: string]: unknown };
const isSchema = (value: unknown): value is Schema =>
  typeof value === "boolean" || (typeof value === "object" && value !== null && !Array.isArray(value));
const AnySchema = v.custom<Schema>(isSchema);

const Parameter = v.looseObject({
  name: v.string(),
  in: v.picklist(["path", "query", "header"]),
  required: v.optional(v.boolean(), false),
  schema: AnySchema,
});
const Content = v.record(v.string(), v.looseObject({ schema: AnySchema }));
const References = v.array(v.union([v.looseObject({ $ref: v.string() }), Parameter]));
const Method = v.looseObject({
  operationId: v.string(),
  summary: v.string(),
  parameters: v.optional(References, []),
  requestBody: v.optional(v.looseObject({ content: Content })),
  responses: v.record(v.string(), v.looseObject({ content: v.optional(Content) })),
});
const METHODS = ["get", "post", "put", "patch", "delete"] as const;
const Path = v.looseObject({
  parameters: v.optional(References, []),
  get: v.optional(Method),
  post: v.optional(Method),
  put: v.optional(Method),
  patch: v.optional(Method),
  delete: v.optional(Method),
});
const Document = v.looseObject({
  paths: v.record(v.string(), Path),
  components: v.looseObject({ schemas: v.record(v.string(), AnySchema), parameters: v.record(v.string(), Parameter) }),
});
type Document = v.InferOutput<typeof Document>;

export const parseDocument = (text: string): Document => v.parse(v.pipe(v.string(), v.parseJson(), Document), text);

const toLastSegment = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);
const toCamelCase = (id: string): string => id.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const toPropertyKey = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** Returns the schemas in the list `key` of a schema, such as `anyOf`; undefined if the schema has no such list. */
const findSubschemas = (schema: { readonly [key: string]: unknown }, key: string): Schema[] | undefined => {
  const value = schema[key];
  return Array.isArray(value) ? value.filter(isSchema) : undefined;
};
const toUnionType = (types: readonly string[]): string => [...new Set(types)].join(" | ");

const toObjectType = (schema: { readonly [key: string]: unknown }): string => {
  const properties = v.parse(v.optional(v.record(v.string(), AnySchema), {}), schema["properties"]);
  const required = v.parse(v.optional(v.array(v.string()), []), schema["required"]);
  const fields = Object.entries(properties).map(
    ([name, one]) => `${toPropertyKey(name)}${required.includes(name) ? "" : "?"}: ${toType(one)};`,
  );
  const rest = schema["additionalProperties"];
  if (fields.length > 0) return `{ ${fields.join(" ")} }`;
  return rest === undefined || rest === false
    ? "Record<string, unknown>"
    : `Record<string, ${isSchema(rest) ? toType(rest) : "unknown"}>`;
};

const toArrayType = (schema: { readonly [key: string]: unknown }): string => {
  const tuple = findSubschemas(schema, "prefixItems");
  if (tuple !== undefined) return `[${tuple.map(toType).join(", ")}]`;
  const { items } = schema;
  return `Array<${isSchema(items) ? toType(items) : "unknown"}>`;
};

const plainTypes: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

/** Returns the TypeScript type of a JSON schema. Leaves out other constraints, such as lengths, which the service checks. */
export const toType = (schema: Schema): string => {
  if (typeof schema === "boolean") return "unknown";
  if (typeof schema["$ref"] === "string") return toLastSegment(schema["$ref"]);
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"])) return toUnionType(schema["enum"].map((one) => JSON.stringify(one)));
  const parts = findSubschemas(schema, "allOf");
  if (parts !== undefined) return parts.map(toType).join(" & ");
  const choices = findSubschemas(schema, "anyOf") ?? findSubschemas(schema, "oneOf");
  if (choices !== undefined) return toUnionType(choices.map(toType));
  const { type } = schema;
  if (Array.isArray(type)) return toUnionType(type.map((one: unknown) => toType({ ...schema, type: one })));
  if (type === "object") return toObjectType(schema);
  if (type === "array") return toArrayType(schema);
  return typeof type === "string" ? (plainTypes[type] ?? "unknown") : "unknown";
};

type Typed = { name: string; summary: string; operation: Operation; asks: string; gives: string; isOptional: boolean };

/** Joins lists of parameters, and replaces references to the document's named parameters. */
const resolveParameters = ({ components }: Document, ...lists: v.InferOutput<typeof References>[]) =>
  lists.flat().map((one) => {
    if (!("$ref" in one) || typeof one.$ref !== "string") return v.parse(Parameter, one);
    const known = components.parameters[toLastSegment(one.$ref)];
    if (known === undefined) throw new Error(`the document has no parameter ${one.$ref}`);
    return known;
  });

const toSuccessType = ({ responses }: v.InferOutput<typeof Method>): string => {
  const good = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return toUnionType(
    good.map(([, { content }]) => {
      const [first] = Object.entries(content ?? {});
      if (first === undefined) return "undefined";
      return first[0].includes("json") ? toType(first[1].schema) : "string";
    }),
  );
};

const listOperationTypes = (document: Document): Typed[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const found = item[method];
      if (found === undefined) return [];
      const parameters = resolveParameters(document, item.parameters, found.parameters);
      const listParametersIn = (location: string) => parameters.filter((one) => one.in === location);
      const body = Object.values(found.requestBody?.content ?? {}).map(({ schema }) => toType(schema));
      const query = listParametersIn("query").map(
        ({ name, required, schema }) => `${toPropertyKey(name)}${required ? "" : "?"}: ${toType(schema)};`,
      );
      const needsQuery = listParametersIn("query").some(({ required }) => required);
      const asks = [
        ...listParametersIn("path").map(({ name }) => `${toPropertyKey(name)}: string;`),
        ...(body.length === 0 ? [] : [`body: ${toUnionType(body)};`]),
        ...(query.length === 0 ? [] : [`query${needsQuery ? "" : "?"}: { ${query.join(" ")} };`]),
        "headers?: Record<string, string>;",
      ];
      const hasKey = listParametersIn("header").some(({ name }) => name === "Idempotency-Key");
      return [
        {
          name: toCamelCase(found.operationId),
          summary: found.summary,
          operation: {
            method: method.toUpperCase(),
            path,
            repeats: method === "get" ? ("always" as const) : hasKey ? ("by key" as const) : ("never" as const),
          },
          asks: `{ ${asks.join(" ")} }`,
          gives: toSuccessType(found),
          isOptional: listParametersIn("path").length === 0 && body.length === 0 && !needsQuery,
        },
      ];
    }),
  );

export const listOperations = (document: Document): Record<string, Operation> =>
  Object.fromEntries(listOperationTypes(document).map(({ name, operation }) => [name, operation]));

/** Returns the client's types as source code. `options`: the source code of the type `ClientOptions`, with comments. */
export const renderTypes = (document: Document, options: string): string => {
  const shapes = Object.entries(document.components.schemas).map(
    ([name, schema]) => `export type ${name} = ${toType(schema)};`,
  );
  const methods = listOperationTypes(document).map(
    ({ name, summary, asks, gives, isOptional }) =>
      `  /** ${summary.replaceAll("*/", "")}. */\n  ${name}(ask${isOptional ? "?" : ""}: ${asks}): Promise<${gives}>;`,
  );
  return `${shapes.join("\n")}

export type Client = {
${methods.join("\n")}
};
${options}
export declare const createClient: (options: ClientOptions) => Client;
export declare class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: unknown[];
  readonly requestId: string | undefined;
}
`;
};
