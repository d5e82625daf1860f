import { expect, it } from "vitest";
import type { importExport } from "../../../setup/import/import-export.ts";
import { plainEntry, setUpSections } from "../../../setup/write.ts";

type Imported = ReturnType<typeof importExport>;

/** Exports that differ in one thing, by what that is; the first is the base. */
type Variants = Readonly<Record<string, () => Imported>>;

export const variants = <Input extends readonly unknown[]>(
  importOf: (...input: Input) => Imported,
  inputs: Readonly<Record<string, Readonly<Input>>>,
): Variants =>
  Object.fromEntries(Object.entries(inputs).map(([what, input]) => [what, (): Imported => importOf(...input)]));

const minute = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
const shown = (value: unknown): string => JSON.stringify(value).replaceAll('"', "'");

/** The set-up and the report of an import, a line each thing. */
const linesOf = ({ draft, compared }: Imported): string[] => [
  ...setUpSections.flatMap((section) =>
    draft.setUp[section].flatMap((entry) => {
      const { layers = [], ...fields } = plainEntry(section, entry);
      return [`${section}: ${shown(fields)}`, ...(layers as object[]).map((layer) => `  layer: ${shown(layer)}`)];
    }),
  ),
  ...draft.remarks.map(({ kind, what, why }) => `${kind}: ${what}: ${why}`),
  ...compared.map(({ schedule, groups, source, differences: [first, ...more] }) => {
    const difference =
      first === undefined
        ? "equal"
        : `${minute(first.from)} to ${minute(first.to)}: ${first.theirs.join()}|${first.ours.join()}, and ${more.length} more`;
    return `compared: ${schedule} with ${groups.join(", ")} by ${source}: ${difference}`;
  }),
];

/** The lines that the base does not have, after the numbers of those that both have, where these are not all in order. */
const changes = (base: readonly string[], lines: readonly string[]): string[] => {
  const both = lines.flatMap((line) => (base.includes(line) ? [base.indexOf(line)] : []));
  const isAll = both.length === base.length && both.every((number, index) => number === index);
  return [...(isAll ? [] : [`of the base: ${both.join(" ")}`]), ...lines.filter((line) => !base.includes(line))];
};

/** Holds what becomes of a service's exports against what is written down: `vitest run test/setup/import -u` writes it again. */
export const golden = (service: string, things: Readonly<Record<string, Variants>>): void => {
  it(`what becomes of each thing of ${service}, and what the report says of it, is as written down`, async () => {
    const all = Object.entries(things).map(([thing, some]) => {
      const [[name, base], ...others] = Object.entries(some).map(
        ([what, make]) => [what, linesOf(make())] as const,
      ) as [readonly [string, string[]], ...(readonly [string, string[]])[]];
      const differing = others.map(([what, lines]) => [what, changes(base, lines)] as const);
      return [thing, Object.fromEntries([[name, base], ...differing])] as const;
    });

    const text = `${JSON.stringify(Object.fromEntries(all), undefined, 1)}\n`;
    await expect(text).toMatchFileSnapshot(`__snapshots__/${service}.json`);
  });
};
