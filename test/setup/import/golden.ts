import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { importExport } from "../../../setup/import/import-export.ts";
import { toFileEntry, setUpSections } from "../../../setup/write.ts";

type Imported = ReturnType<typeof importExport>;

/** Imports of a base export, which comes first, and of its variants, by the name of the variant. */
type Variants = Readonly<Record<string, () => Imported>>;

export const listVariants = <Input extends readonly unknown[]>(
  importOf: (...input: Input) => Imported,
  inputs: Readonly<Record<string, Readonly<Input>>>,
): Variants =>
  Object.fromEntries(Object.entries(inputs).map(([what, input]) => [what, (): Imported => importOf(...input)]));

const toMinute = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
const formatValue = (value: unknown): string => JSON.stringify(value).replaceAll('"', "'");

/** Returns the setup and the report of an import, with a line for each item. */
const listLines = ({ draft, compared }: Imported): string[] => [
  ...setUpSections.flatMap((section) =>
    draft.setUp[section].flatMap((entry) => {
      const { layers = [], ...fields } = toFileEntry(section, entry);
      return [
        `${section}: ${formatValue(fields)}`,
        ...(layers as object[]).map((layer) => `  layer: ${formatValue(layer)}`),
      ];
    }),
  ),
  ...draft.remarks.map(({ kind, what, why }) => `${kind}: ${what}: ${why}`),
  ...compared.map(({ schedule, groups, source, differences: [first, ...more] }) => {
    const difference =
      first === undefined
        ? "equal"
        : `${toMinute(first.from)} to ${toMinute(first.to)}: ${first.theirs.join()}|${first.ours.join()}, and ${more.length} more`;
    return `compared: ${schedule} with ${groups.join(", ")} by ${source}: ${difference}`;
  }),
];

/** Lists the lines that `base` lacks. If lines of `base` are missing or moved, lists the numbers of the others first. */
const listChanges = (base: readonly string[], lines: readonly string[]): string[] => {
  const both = lines.flatMap((line) => (base.includes(line) ? [base.indexOf(line)] : []));
  const isAll = both.length === base.length && both.every((number, index) => number === index);
  return [...(isAll ? [] : [`of the base: ${both.join(" ")}`]), ...lines.filter((line) => !base.includes(line))];
};

type Written = Record<string, Record<string, readonly string[]>>;

/**
 * Compares imports with their stored results. With `WRITE=1` in the environment, `vitest run test/setup/import` stores the
 * results again.
 */
export const testSnapshots = (service: string, things: Readonly<Record<string, Variants>>): void => {
  const file = new URL(`__snapshots__/${service}.json`, import.meta.url);
  const kept = (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {}) as Written;
  const isWriting = process.env["WRITE"] === "1";
  const written: Written = isWriting
    ? Object.fromEntries(
        Object.entries(things).map(([thing, some]) => {
          const all = Object.entries(some).map(([what, make]) => [what, listLines(make())] as const);
          const base = all[0]?.[1] ?? [];
          return [
            thing,
            Object.fromEntries(
              all.map(([what, lines], index) => [what, index === 0 ? lines : listChanges(base, lines)]),
            ),
          ];
        }),
      )
    : kept;
  if (isWriting) writeFileSync(file, `${JSON.stringify(written, undefined, 1)}\n`);

  describe.each(Object.entries(things))("the import of %s", (thing, some) => {
    const [[first, base] = ["", []]] = Object.entries(written[thing] ?? {});

    it.each(Object.entries(some))("gives the result that is recorded for this variant: %s", (what, make) => {
      const lines = listLines(make());
      expect(what === first ? lines : listChanges(base, lines)).toEqual(written[thing]?.[what]);
    });
    it("has a recorded result for each listed variant", () => {
      expect(Object.keys(written[thing] ?? {})).toEqual(Object.keys(some));
    });
  });
};
