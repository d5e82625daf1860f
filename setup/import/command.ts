import { existsSync } from "node:fs";
import { dirname, parse as pathOf, relative } from "node:path";
import { readInstant } from "../../core/domain/basics/clock/clock-text.ts";
import { type Command, CommandError, type RunResult } from "../command.ts";
import { schemaFile } from "../json-schema.ts";
import { DAY_MS } from "../../core/domain/basics/units.ts";

/** Returns the path of another output file, such as the report: the setup file's path with another ending. */
export const swapEnding = (out: string, ending: string): string => {
  const { dir, name } = pathOf(out);
  return `${dir === "" ? "" : `${dir}/`}${name}.${ending}`;
};
const ENDINGS = { report: "report.md", people: "people.csv", contacts: "contacts.yaml" } as const;

/** Returns the start in ms since 1970 that `--from` gives; by default, the start of today in UTC. Throws for invalid texts. */
const parseFromOption = (from: string | boolean | undefined, nowMs: number): number => {
  if (from === undefined) return Math.floor(nowMs / DAY_MS) * DAY_MS;
  const ms = readInstant(typeof from === "string" && /^\d{4}-\d\d-\d\d$/.test(from) ? `${from}T00:00Z` : String(from));
  if (ms === undefined) throw new CommandError("--from must be a day such as 2026-03-02, or a timestamp.");
  return ms;
};

export const importCommand: Command = {
  does: `makes a setup file from an export of opsgenie, oncall or pagerduty, with a report of what was imported`,
  takes: "SOURCE EXPORT...",
  options: {
    out: {
      means:
        "the setup file to write; the files .report.md, .people.csv and .contacts.yaml get the same name. Without this option, the setup file is printed",
    },
    from: { means: "the day from which on-call shifts are imported and compared; by default today" },
  },
  run: async ({ now, print, tell, readText, writeText }, source, options, paths): Promise<RunResult> => {
    const out = typeof options["out"] === "string" && options["out"] !== "-" ? options["out"] : undefined;
    const written = out === undefined ? [] : [out, ...Object.values(ENDINGS).map((ending) => swapEnding(out, ending))];
    const taken = written.find((path) => existsSync(path));
    if (taken !== undefined) throw new CommandError(`${taken} exists already: name another file with --out.`);
    // The modules of the import are loaded on demand, because they are slow and other commands do not need them.
    const [{ importExport, findSource: sourceOf }, { readExport }] = await Promise.all([
      import("./import-export.ts"),
      import("./files-on-disk.ts"),
    ]);
    sourceOf(source);
    const schema = relative(dirname(out ?? "."), schemaFile);
    const { yaml, report, people, contacts, compared, draft } = importExport(
      source,
      readExport(paths, readText),
      parseFromOption(options["from"], now()),
      schema,
    );
    const countRemarks = (kind: string) => draft.remarks.filter((remark) => remark.kind === kind).length;
    const counts = { taken: countRemarks("taken"), different: countRemarks("different"), left: countRemarks("left") };
    if (out === undefined) {
      print(yaml.trimEnd());
      tell(report);
      return { code: 0, report: { ...counts, file: yaml, report, people, contacts } };
    }
    writeText(out, yaml);
    writeText(swapEnding(out, ENDINGS.report), report);
    if (draft.people.length > 0) writeText(swapEnding(out, ENDINGS.people), people);
    if (contacts.includes("person:")) writeText(swapEnding(out, ENDINGS.contacts), contacts);
    print(
      `${out}: imported ${counts.taken}, imported with a difference ${counts.different}, not imported ${counts.left}.`,
    );
    for (const { kind, what, why } of draft.remarks)
      if (kind === "warning" || kind === "missing") tell(`${what}: ${why}`);
    for (const { schedule, differences } of compared)
      if (differences.length > 0) tell(`Schedule ${schedule}: the people on call differ from the export.`);
    tell(`${swapEnding(out, ENDINGS.report)} says how each item was imported.`);
    return { code: 0, report: counts };
  },
};
