import * as v from "valibot";
import { problemCodes } from "./problems.ts";
import { toAnswerSchema, toInputSchema } from "./schema.ts";
import { answerParts, answers, inputParts, inputs, supersets } from "./shapes.ts";

type Json = Record<string, unknown>;

export const toReference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const namedSchema: Json = {
  type: "array",
  items: { type: "object", required: ["id", "name"], properties: { id: { type: "string" }, name: { type: "string" } } },
};

const problemSchema: Json = {
  type: "object",
  description: "RFC 9457. `message` repeats `detail`, because API Gateway's own errors have the field `message`.",
  required: ["type", "title", "status", "detail", "code", "message", "requestId"],
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    code: { type: "string", enum: problemCodes },
    message: { type: "string" },
    requestId: { type: "string" },
    errors: {
      type: "array",
      description: "Every mistake in the input.",
      items: {
        type: "object",
        required: ["field", "code", "message"],
        properties: { field: { type: "string" }, code: { type: "string" }, message: { type: "string" } },
      },
    },
    required: { type: "string", description: "The lowest role needed; only with the code role_required." },
    role: { type: "string", description: "The caller's role; only with the code role_required." },
    limit: { type: "integer", description: "The plan's events per month; only with the code quota_exceeded." },
    used: { type: "integer", description: "The events used this month; only with the code quota_exceeded." },
    resetAt: { type: "string", description: "When the count of events restarts; only with the code quota_exceeded." },
    state: { type: "string", description: "The cover's status; only with the code cover_closed." },
    takenBy: { type: "string", description: "The user who took the cover; only with the code cover_closed." },
    reason: { type: "string", description: "Why the caller cannot take the cover; only with the code cannot_cover." },
    version: { type: "integer", description: "The current version; only with the code changed_meanwhile." },
    rules: {
      ...namedSchema,
      description: "At most 100 rules that use the policy; only with the codes policy_in_use and used_by_policies.",
    },
    policies: {
      ...namedSchema,
      description: "At most 100 policies whose steps name the group or member; only with the code used_by_policies.",
    },
  },
};

const gatewaySchema: Json = {
  type: "object",
  description: "The body of API Gateway's own errors.",
  required: ["message"],
  properties: { message: { type: "string" } },
};

const convertSchemas = (
  shapes: Readonly<Record<string, v.GenericSchema>>,
  convert: (shape: v.GenericSchema) => Json,
): Json => Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, convert(shape)]));

/** Returns the same text for schemas that differ only in the order of keywords. */
const toCanonicalText = (schema: unknown): string =>
  JSON.stringify(schema, (_name, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );

/** Returns the schemas by name, in which each nested schema that equals a named schema is a reference to the named schema. */
const linkSchemas = (schemas: Json): Json => {
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [toCanonicalText(schema), name]));
  const linkNestedSchemas = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(toReferenceIfNamed);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toReferenceIfNamed(inner)]));
  };
  const toReferenceIfNamed = (value: unknown): unknown => {
    const name = names.get(toCanonicalText(value));
    return name === undefined ? linkNestedSchemas(value) : toReference(name);
  };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, linkNestedSchemas(schema)]));
};

const ObjectSchema = v.object({ properties: v.record(v.string(), v.unknown()), required: v.array(v.string()) });

/** Returns the schema of the fields that `whole` has and `base` lacks. Throws with `name` if `whole` lacks a field of `base`. */
const toExtraFieldsSchema = (name: string, ...schemas: [whole: unknown, base: unknown]): Json => {
  const [whole, base] = v.parse(v.tuple([ObjectSchema, ObjectSchema]), schemas);
  const given = JSON.stringify(whole.properties);
  const isWhole = JSON.stringify({ ...whole.properties, ...base.properties }) === given;
  if (!isWhole || !base.required.every((field) => whole.required.includes(field)))
    throw new Error(
      `interface/shapes.ts says that ${name} extends another shape, but a field of that shape is missing`,
    );
  const isExtraField = (field: string): boolean => !(field in base.properties);
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(whole.properties).filter(([field]) => isExtraField(field))),
    required: whole.required.filter(isExtraField),
  };
};

/** Returns the schemas of answers by name. A schema that extends another schema refers to that schema, and adds fields. */
const createAnswerSchemas = (): Json => {
  const whole = convertSchemas({ ...answerParts, ...answers }, toAnswerSchema);
  const related = Object.entries(supersets).map(([name, base]) => [
    name,
    { allOf: [toReference(base), toExtraFieldsSchema(name, whole[name], whole[base])] },
  ]);
  return { ...whole, ...Object.fromEntries(related) };
};

/** Returns all component schemas. Nested schemas become references. `examples`: an example of each schema, by name. */
export const listComponentSchemas = (examples: Json): Json => {
  const schemas = linkSchemas({
    Problem: problemSchema,
    GatewayError: gatewaySchema,
    ...convertSchemas({ ...inputParts, ...inputs }, toInputSchema),
    ...createAnswerSchemas(),
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      name in examples ? { ...Object(schema), examples: [examples[name]] } : schema,
    ]),
  );
};
