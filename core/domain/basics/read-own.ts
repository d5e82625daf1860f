import * as v from "valibot";

/** Parses data of the service or AWS. Throws for invalid data; the error names only paths, because values may be personal. */
export const parseOrThrow = <Output>(
  name: string,
  schema: v.GenericSchema<unknown, Output>,
  input: unknown,
): Output => {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  const paths = result.issues.map((issue) => v.getDotPath(issue) ?? "its root");
  throw new Error(`${name} is not readable at ${[...new Set(paths)].join(", ")}`);
};
