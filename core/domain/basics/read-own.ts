import * as v from "valibot";

/**
 * Reads what another part of the service, or AWS, has written. The error names the places that are wrong and quotes nothing of
 * them, unlike valibot's and JSON.parse's own: errors are logged, and what is read here may hold anything.
 */
export const readOwn = <Output>(what: string, schema: v.GenericSchema<unknown, Output>, input: unknown): Output => {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  const places = result.issues.map((issue) => v.getDotPath(issue) ?? "its root");
  throw new Error(`${what} is not readable at ${[...new Set(places)].join(", ")}`);
};
