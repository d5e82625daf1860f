import { toJsonSchema, type ConversionConfig } from "@valibot/to-json-schema";
import type * as v from "valibot";

type JsonSchema = Record<string, unknown>;

/** Returns the JSON Schema with a check that the library does not translate; undefined for other checks. */
const overrideAction: NonNullable<ConversionConfig["overrideAction"]> = ({ valibotAction, jsonSchema }) => {
  if (valibotAction.type === "max_code_points" && "requirement" in valibotAction)
    return { ...jsonSchema, maxLength: Number(valibotAction.requirement) };
  if (valibotAction.type === "regex" && "requirement" in valibotAction && valibotAction.requirement instanceof RegExp)
    return { ...jsonSchema, pattern: valibotAction.requirement.source };
  return undefined;
};

const convertUnsupportedSchema: NonNullable<ConversionConfig["overrideSchema"]> = ({ valibotSchema, jsonSchema }) => {
  // The library cannot convert custom schemas. Every custom schema in this project is an object with any fields.
  if (valibotSchema.type === "custom") return { type: "object", additionalProperties: true };
  // Code generators refuse `items: false`, and linters require `items`. All tuples of this API have items of one type.
  if (valibotSchema.type === "strict_tuple" && Array.isArray(jsonSchema.prefixItems)) {
    const [items] = jsonSchema.prefixItems;
    const count = jsonSchema.prefixItems.length;
    return { ...jsonSchema, ...(typeof items === "object" ? { items } : {}), minItems: count, maxItems: count };
  }
  return jsonSchema;
};

type Dialect = "draft-2020-12" | "draft-07";

const convertSchema = (
  schema: v.GenericSchema,
  typeMode: "input" | "output",
  target: Dialect = "draft-2020-12",
): JsonSchema => {
  const { $schema: _dialect, ...rest } = toJsonSchema(schema, {
    target,
    typeMode,
    errorMode: "ignore",
    overrideAction,
    overrideSchema: convertUnsupportedSchema,
  });
  return rest;
};

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Describes defaults in words, because generators assume that a field with a `default` is always present. */
const describeDefaults = (schema: JsonSchema): JsonSchema => {
  const describeNestedDefaults = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(describeNestedDefaults) : isSchema(value) ? describeDefaults(value) : value;
  const { default: byDefault, properties, ...rest } = schema;
  const fields = isSchema(properties)
    ? {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, field]) => [name, describeNestedDefaults(field)]),
        ),
      }
    : {};
  const about = typeof rest["description"] === "string" ? `${rest["description"]} ` : "";
  const described = byDefault === undefined ? {} : { description: `${about}Default: ${JSON.stringify(byDefault)}.` };
  return {
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, describeNestedDefaults(value)])),
    ...fields,
    ...described,
  };
};

/** Returns the JSON Schema of a body. Some checks have no JSON Schema, so a body that fits may still be refused with 422. */
export const toInputSchema = (schema: v.GenericSchema, dialect?: Dialect): JsonSchema =>
  describeDefaults(convertSchema(schema, "input", dialect));

export const toAnswerSchema = (schema: v.GenericSchema): JsonSchema => convertSchema(schema, "output");
