import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/*
 * The compiler accepts swapped arguments of the same primitive type. This test compares each function's parameters by name with
 * its calls, and with the parameters of other functions.
 */

const root = join(import.meta.dirname, "..");

type Parameter = { name: string; type: string };
type Source = { file: string; text: string };

const splitListAt = (text: string, from: number): string[] => {
  const parts = [""];
  let depth = 0;
  for (const char of text.slice(from + 1, from + 2_000)) {
    if (")]}".includes(char)) depth -= 1;
    if (depth < 0) break;
    if ("([{".includes(char)) depth += 1;
    if (char === "," && depth === 0) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${char}`);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
};

const DEFINITION = /\b(?:const|function) (\w+)(?: = (?:async )?(?:<[^(]*>)?| ?)\(/g;
const CALL = /\b(\w+)\(/g;

const listParameters = ({ text }: Source): [string, Parameter[]][] =>
  [...text.matchAll(DEFINITION)].map(({ 0: head, 1: name = "", index }) => [
    name,
    splitListAt(text, index + head.length - 1).map((part) => {
      const [, own = "", type = ""] = /^(\w+)\??: (string|number)(?: =.*)?$/.exec(part) ?? [];
      return { name: own, type };
    }),
  ]);

const listDefinitions = (sources: readonly Source[]): Map<string, Parameter[][]> => {
  const all = Map.groupBy(sources.flatMap(listParameters), ([name]) => name);
  return new Map([...all].map(([name, some]) => [name, some.map(([, parameters]) => parameters)]));
};

const areSwapped = (names: readonly string[], parameters: readonly Parameter[]): boolean =>
  parameters.some(({ name, type }, index) =>
    parameters.some(
      (other, at) =>
        at !== index && type !== "" && other.type === type && names[index] === other.name && names[at] === name,
    ),
  );

const findSwaps = (sources: readonly Source[]): string[] => {
  const definitions = listDefinitions(sources);
  return sources.flatMap(({ file, text }) =>
    [...text.matchAll(CALL)].flatMap(({ 0: head, 1: name = "", index }) => {
      const given = splitListAt(text, index + head.length - 1);
      const names = given.map((part) => /^[\w.?!]*?(\w+)$/.exec(part)?.[1] ?? "");
      const known = definitions.get(name) ?? [];
      return known.some((parameters) => areSwapped(names, parameters)) ? [`${file}: ${name}(${given.join(", ")})`] : [];
    }),
  );
};

const sources = ["core", "functions", "operator", "interface"].flatMap((room) =>
  globSync(`${room}/**/*.ts`, { cwd: root }).map((file) => ({ file, text: readFileSync(join(root, file), "utf8") })),
);

describe("swapped arguments of the same primitive type", () => {
  it("occur in no function call of the source code", () => {
    expect(listDefinitions(sources).size).toBeGreaterThan(1_000);
    expect(findSwaps(sources)).toEqual([]);
  });

  it.each([
    ["two ids", "const join = (deps: Deps, groupId: string, userId: string) => 1;", "join(deps, userId, groupId)"],
    ["ends of a span", "const last = async (from: number, to: number): Promise<void> => {", "last(span.to, span.from)"],
  ])("are found in a function call: %s", (_, definition, call) => {
    expect(findSwaps([{ file: "a.ts", text: `${definition}\n${call};` }])).toEqual([`a.ts: ${call}`]);
  });

  it("cannot be a workspace's id or a device's id, because these ids never have the type string in core/", () => {
    const untyped = sources.filter(({ text }) => /\b(?:ws|workspaceId|deviceId)\??: string\b/.test(text));

    expect(untyped.map(({ file }) => file).filter((file) => file.startsWith("core/"))).toEqual([]);
  });

  it("cannot be times in different units, because core/ calculates with milliseconds only", () => {
    const inSeconds = sources.filter(({ text }) => /_SECONDS [*+-]|[*+-] [A-Z_]+_SECONDS\b/.test(text));

    expect(inSeconds.map(({ file }) => file).filter((file) => file.startsWith("core/"))).toEqual([]);
  });

  it("are avoided by one order: any two parameter names have the same order in every function", () => {
    const orders = [...listDefinitions(sources)].flatMap(([name, some]) =>
      some.flatMap((parameters) =>
        parameters.flatMap((one, index) =>
          parameters
            .slice(index + 1)
            .flatMap((other) =>
              one.type !== "" && one.type === other.type
                ? [{ name, pair: `${one.name}, ${other.name}`, back: `${other.name}, ${one.name}` }]
                : [],
            ),
        ),
      ),
    );
    const known = new Set(orders.map(({ pair }) => pair));

    expect(orders.filter(({ back }) => known.has(back)).map(({ name, pair }) => `${name}: ${pair}`)).toEqual([]);
  });
});
