import * as v from "valibot";
import { parse, stringify } from "yaml";
import { toIso } from "../../core/domain/basics/time.ts";
import { DAY_MS, MINUTE_MS } from "../../core/domain/basics/units.ts";
import { NotificationRulesInput, type NotificationRules } from "../../core/domain/people/notification-rules.ts";
import { CommandError } from "../command.ts";
import { listPeople } from "../file.ts";
import type { Draft } from "../import/draft.ts";
import type { ExportFile } from "../import/export-files.ts";
import { convertExport, findSource } from "../import/import-export.ts";
import { toNotificationRules } from "../import/people.ts";
import { type SetUp, yamlStyle } from "../write.ts";
import { createCauseFinder, type ImportedSetup } from "./causes.ts";
import { readOnCallAlerts } from "./oncall.ts";
import { readOpsgenieAlerts } from "./opsgenie.ts";
import { readPagerDutyAlerts } from "./pagerduty.ts";
import { compareAlert, createAlertPlayer } from "./play.ts";
import type { SkippedAlert, PastAlert, ExportRecords } from "./record.ts";
import { type JudgedRow, renderReport } from "./report.ts";

const CONTRACTS_MAX = 10;

const readers: Readonly<Record<string, (files: readonly ExportFile[]) => ExportRecords>> = {
  opsgenie: readOpsgenieAlerts,
  oncall: readOnCallAlerts,
  pagerduty: readPagerDutyAlerts,
};

/** The format of an import's contacts file. */
const Own = v.array(v.object({ person: v.string(), notificationRules: v.optional(NotificationRulesInput) }));

/** Returns people's notification rules as the service stores them, without people who have no rules. */
const toStoredRules = (
  entries: readonly { person: string; rules: NotificationRulesInput | undefined }[],
): NotificationRules[] =>
  entries.flatMap(({ person, rules }) =>
    rules === undefined ? [] : [{ userId: person.toLowerCase(), ...rules, version: 1 }],
  );

const parseNotificationRules = (text: string): NotificationRules[] => {
  const read = v.safeParse(Own, parse(text));
  if (!read.success) throw new CommandError("The file of contacts does not have the form that import writes.");
  return toStoredRules(read.output.map(({ person, notificationRules }) => ({ person, rules: notificationRules })));
};

/** Proposes contracts for the most frequent alerts, with the people whom the other service notified. */
const proposeContracts = (setUp: SetUp, alerts: readonly PastAlert[]) => {
  const known = new Set(listPeople(setUp));
  const alike = Map.groupBy(alerts, ({ event, sender }) => JSON.stringify([event.eventKey, event.title, sender]));
  return [...alike.values()]
    .sort((one, other) => other.length - one.length)
    .flatMap((some) => some.find(({ notified }) => notified.every(({ person }) => known.has(person))) ?? [])
    .slice(0, CONTRACTS_MAX)
    .map(({ at, event, sender, notified }, index) => {
      const within = Math.max(0, ...notified.map((one) => Math.ceil((one.at - at) / MINUTE_MS)));
      const { dedupeKey: _key, eventKey, ...content } = event;
      return {
        name: `Replay ${index + 1}: ${event.title}`.slice(0, 100),
        at: toIso(at),
        ...(sender === undefined ? {} : { sender }),
        event: { event: eventKey, ...content },
        told: notified.length === 0 ? "nobody" : [...new Set(notified.map(({ person }) => person))],
        ...(within === 0 ? {} : { within }),
      };
    });
};

export type ReplayResult = {
  rows: JudgedRow[];
  alerts: PastAlert[];
  left: SkippedAlert[];
  report: string;
  /** The text of a file with contracts, for `alerts test`. */
  contracts: string;
};

/** `contacts`: the YAML file with people's notification rules. `days`: only alerts of the last days. `now`: the time in ms. */
type ReplayInput = {
  source: string;
  files: readonly ExportFile[];
  setUp: SetUp;
  contacts: string;
  days: number;
  now: number;
};

/** Returns a function that creates a value once for each day. `day`: the start of the day, in ms since 1970. */
const cacheByDay = <Made>(create: (day: number) => Made) => {
  const made = new Map<number, Made>();
  return (ms: number): Made => {
    const day = Math.floor(ms / DAY_MS) * DAY_MS;
    const known = made.get(day) ?? create(day);
    made.set(day, known);
    return known;
  };
};

/** Matches the names of rules in an import's report. */
const RULE = /^(?:routing rule|route|rule|event orchestration)\b/i;

/** Returns the setup of a draft, people's own rules, and the reasons of rules left out; undefined for a draft without rules. */
const toImported = ({ setUp, people, remarks }: Draft): ImportedSetup | undefined => {
  if (setUp.rules.length === 0) return undefined;
  const own = people.map((person) => ({ person: person.email, rules: toNotificationRules(person) }));
  const omittedRules = remarks.flatMap(({ kind, what, why }) =>
    kind === "left" && RULE.test(what) ? [`${what}: ${why}`] : [],
  );
  return {
    setUp,
    own: toStoredRules(own.flatMap(({ person, rules }) => (typeof rules === "string" ? [] : [{ person, rules }]))),
    omittedRules,
  };
};

/** Simulates an export's alerts under a setup, and finds out why the setup notifies other people than the other service did. */
export const replayAlerts = ({ source, files, setUp, contacts, days, now }: ReplayInput): ReplayResult => {
  const { name } = findSource(source);
  const records = readers[source]?.(files);
  if (records === undefined) throw new CommandError(`Alerts of ${name} cannot be replayed.`);
  // Converts the export as of a day, with overrides that have ended since that day.
  const draftAt = cacheByDay((day) => convertExport(source, records.config, day));
  const found = records.alertsBy({
    keyOf: draftAt(now).senders,
    sourceOf: new Map(setUp.keys.map((key) => [key.name, key.source])),
  });
  const left = found.flatMap((one) => ("why" in one ? [one] : []));
  const alerts = found
    .flatMap((one) => ("why" in one || one.at < now - days * DAY_MS || one.at > now ? [] : [one]))
    .sort((one, other) => one.at - other.at);
  if (alerts.length + left.length === 0)
    throw new CommandError(`The export has no alerts of the last ${days} days. docs/moving.md says how to fetch them.`);
  const own = parseNotificationRules(contacts);
  const play = createAlertPlayer(setUp, own);
  const causeOf = createCauseFinder({ setUp, own, importedAt: cacheByDay((day) => toImported(draftAt(day))), now });
  const rows = alerts.flatMap((alert): JudgedRow[] => {
    const played = play(alert);
    return compareAlert(alert, played).map((row) => {
      const cause = row.verdict === "same" ? undefined : causeOf(alert, row, played);
      return { ...row, alert, found: cause };
    });
  });
  const missing = records.draft.remarks.filter(({ kind }) => kind === "missing" || kind === "left");
  const head = `# The most frequent alerts of ${name}. To check these contracts, run: alerts test SET-UP THIS-FILE\n`;
  return {
    rows,
    alerts,
    left,
    report: renderReport({ name, days, alerts: alerts.length, rows, left, missing }),
    contracts: `${head}${stringify({ contracts: proposeContracts(setUp, alerts) }, yamlStyle)}`,
  };
};
