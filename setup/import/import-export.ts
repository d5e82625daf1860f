import { CommandError } from "../command.ts";
import { formatFault, readAlertsFile } from "../read.ts";
import { writeAlertsFile } from "../write.ts";
import { compareOnCall } from "./compare.ts";
import { createDraft, type Draft } from "./draft.ts";
import { type ExportFile } from "./export-files.ts";
import { addOnCallExport } from "./oncall/convert.ts";
import { addOpsgenieExport } from "./opsgenie/convert.ts";
import { addPagerDutyExport } from "./pagerduty/convert.ts";
import { addFallbackRule, renderContactsYaml, renderPeopleCsv } from "./people.ts";
import { toImportReport, type ComparedShifts } from "./report.ts";
import { DAY_MS } from "../../core/domain/basics/units.ts";

const DAYS_COMPARED = 28;

type ExportSource = {
  name: string;
  convert: (draft: Draft, files: readonly ExportFile[], period: { fromMs: number; toMs: number }) => void;
};

const sources: Readonly<Record<string, ExportSource>> = {
  opsgenie: { name: "Opsgenie", convert: addOpsgenieExport },
  oncall: { name: "Grafana OnCall", convert: addOnCallExport },
  pagerduty: { name: "PagerDuty", convert: addPagerDutyExport },
};

export type Imported = {
  yaml: string;
  report: string;
  people: string;
  contacts: string;
  compared: readonly ComparedShifts[];
  draft: Draft;
};

/** Returns the service for the name that a user typed, or throws a CommandError. */
export const findSource = (name: string): ExportSource => {
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
  if (source === undefined)
    throw new CommandError(`The service ${name} is not supported; choose one of ${Object.keys(sources).join(", ")}.`);
  return source;
};

/** Converts an export to a draft of a setup. `fromMs`: the time from which schedules are imported. */
export const convertExport = (service: string, files: readonly ExportFile[], fromMs: number): Draft => {
  const draft = createDraft();
  findSource(service).convert(draft, files, { fromMs, toMs: fromMs + DAYS_COMPARED * DAY_MS });
  addFallbackRule(draft);
  return draft;
};

/** Converts an export to files and a report. `fromMs`: the start of imported schedules; `schema`: the URL of the JSON Schema. */
export const importExport = (from: string, files: readonly ExportFile[], fromMs: number, schema?: string): Imported => {
  const source = findSource(from);
  const draft = convertExport(from, files, fromMs);
  const yaml = writeAlertsFile(draft.setUp, {
    schema,
    comments: [`Imported from ${source.name}. The report says how each item was imported.`],
  });
  const { file, faults } = readAlertsFile(yaml, from);
  if (file === undefined)
    throw new CommandError(
      `The setup file cannot express a part of the export:\n${faults.map(formatFault).join("\n")}`,
    );
  const days = { fromMs, days: DAYS_COMPARED };
  const compared = draft.checks.map((check) => compareOnCall(file, check, days));
  return {
    yaml,
    report: toImportReport(source.name, days, compared, draft.remarks, draft.found),
    people: renderPeopleCsv(draft.people),
    contacts: renderContactsYaml(draft.people),
    compared,
    draft,
  };
};
