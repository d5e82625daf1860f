import * as v from "valibot";

/**
 * Parses data that another part of the service, or AWS, has written. The error names the wrong paths without their
 * values, unlike errors of valibot and JSON.parse, because errors are logged and the values may be personal data.
 */
export const mustParse = <Output>(name: string, schema: v.GenericSchema<unknown, Output>, input: unknown): Output => {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  const paths = result.issues.map((issue) => v.getDotPath(issue) ?? "its root");
  throw new Error(`${name} is not readable at ${[...new Set(paths)].join(", ")}`);
};
