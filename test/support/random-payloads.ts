import { anything, array, constantFrom, dictionary, oneof, string, type Arbitrary } from "fast-check";

const asked = process.env["RANDOM_PAYLOADS"];

/** The number of payloads of each tool; undefined: the number of a quick test. */
export const RANDOM_PAYLOADS = asked === undefined ? undefined : Number(asked);

/** Texts that have caused faults before, and values of all kinds. */
const oddValues = oneof(
  anything({ maxDepth: 3 }),
  string({ unit: "binary" }),
  constantFrom(
    "",
    "\u0000",
    "\ud800",
    "x".repeat(40_000),
    "🙂".repeat(11_000),
    "javascript:alert(1)",
    "__proto__",
    Number.POSITIVE_INFINITY,
    -1,
    null,
    true,
  ),
  dictionary(string(), anything({ maxDepth: 1 }), { maxKeys: 12 }),
);

export function generateSimilar(originals: readonly object[]): Arbitrary<unknown> {
  const listPaths = (value: unknown, path: string[] = []): string[][] =>
    typeof value === "object" && value !== null
      ? [path, ...Object.entries(value).flatMap(([key, inner]: [string, unknown]) => listPaths(inner, [...path, key]))]
      : [path];
  return constantFrom(...originals).chain((original) =>
    array(
      oneof(constantFrom(...listPaths(original))).chain((path) => oddValues.map((value) => ({ path, value }))),
      { minLength: 1, maxLength: 4 },
    ).map((changes) => {
      let payload: unknown = structuredClone(original);
      for (const { path, value } of changes) {
        const last = path.at(-1);
        const holder = path
          .slice(0, -1)
          .reduce<unknown>(
            (at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined),
            payload,
          );
        if (last === undefined) payload = value;
        else if (typeof holder === "object" && holder !== null)
          Object.defineProperty(holder, last, { value, enumerable: true, configurable: true, writable: true });
      }
      return payload;
    }),
  );
}
