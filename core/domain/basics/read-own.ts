import * as v from "valibot";

/**
 * Reads what another part of the service, or AWS, has written. Unlike the errors of valibot and JSON.parse, this one
 * names the wrong paths without quoting them: errors are logged, and the input may hold anything.
 */
export const readOwn = <Output>(what: string, schema: v.GenericSchema<unknown, Output>, input: unknown): Output => {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  const paths = result.issues.map((issue) => v.getDotPath(issue) ?? "its root");
  throw new Error(`${what} is not readable at ${[...new Set(paths)].join(", ")}`);
};
