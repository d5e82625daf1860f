import { stringify } from "yaml";
import type { NotificationRules } from "../../core/domain/people/notification-rules.ts";
import { DAY_MS } from "../../core/domain/basics/units.ts";
import { listPeople } from "../file.ts";
import { listDifferences, readName } from "../plan.ts";
import { toFileEntry, type SetUp, yamlStyle } from "../write.ts";
import { compareAlert, type PlayedAlert, createAlertPlayer, type NotificationRow } from "./play.ts";
import type { PastAlert } from "./record.ts";

/**
 * Finds why a person is notified differently: replaces one part of the setup at a time by the export's part, and replays the
 * alert. If the replacement removes the difference, the replaced part is the cause.
 */

export const causes = {
  "rule not imported": "The file has no rule for a rule of the other service.",
  "other rule": "A rule of the file differs from the export.",
  "deleted person": "The recorded alert names a person who is not in the setup file.",
  "override that has ended":
    "An override that has ended put somebody else on call at the other service. No change is needed.",
  "time zone": "The time zone of a schedule's handoffs differs from the export.",
  schedule: "The turns of a schedule differ from the export.",
  "personal rule not imported": "The people's notification rules differ from the export.",
  "escalation policy": "The steps of an escalation policy differ from the export.",
  "group members": "The members of a group differ from the export.",
  silence: "A silence here covers the alert.",
  grouping: "The alert joins the group of an earlier alert, which notified people.",
  "no cause found": "No single part of the file explains the difference; see the rules that match.",
} as const;
export type Cause = keyof typeof causes;

/** A cause, and a change of the setup file that removes the difference, as YAML or a sentence. */
export type FoundCause = { cause: Cause; draft: string };

/** The import of an export as of a certain time. `own`: people's own rules; `omittedRules`: rules that no file can express. */
export type ImportedSetup = { setUp: SetUp; own: readonly NotificationRules[]; omittedRules: readonly string[] };

export type ReplaySetting = {
  setUp: SetUp;
  own: readonly NotificationRules[];
  /** Returns the import as of a time, with overrides since that time; undefined if the export has no configuration. */
  importedAt: (ms: number) => ImportedSetup | undefined;
  now: number;
};

type Section = "rules" | "policies" | "groups" | "schedules";

const toYaml = (value: unknown): string => stringify(value, { ...yamlStyle, aliasDuplicateObjects: false }).trimEnd();

/** Adds the entries that only the other setup has, so that all references can be resolved. */
const completeSetUp = (setUp: SetUp, other: SetUp): SetUp => {
  const addMissingEntries = <One extends { name: string } | { group: string }>(
    own: readonly One[],
    others: readonly One[],
  ) => {
    const entryOrGroupName = (entry: One) => ("name" in entry ? entry.name : entry.group);
    const names = new Set(own.map(entryOrGroupName));
    return [...own, ...others.filter((one) => !names.has(entryOrGroupName(one)))];
  };
  return {
    ...setUp,
    groups: addMissingEntries(setUp.groups, other.groups),
    policies: addMissingEntries(setUp.policies, other.policies),
    schedules: addMissingEntries(setUp.schedules, other.schedules),
  };
};

/** Returns whether the replay `played` notifies the people of a row as the other service notified them. */
const isRowFixed = (alert: PastAlert, row: NotificationRow, played: PlayedAlert): boolean => {
  const people = [row.theirs?.person, row.ours?.person];
  return compareAlert(alert, played).every(
    ({ verdict, theirs, ours }) =>
      verdict === "same" || ![theirs?.person, ours?.person].some((one) => one !== undefined && people.includes(one)),
  );
};

/** Returns whether the people of a row are notified as by the other service, if `play` replays the alert. */
type FixesRow = (play: ReturnType<typeof createAlertPlayer>) => boolean;

/** Returns a function that finds why this service notifies a person of an alert differently from the other service. */
export const createCauseFinder = ({ setUp, own, importedAt, now }: ReplaySetting) => {
  const known = new Map<string, FoundCause>();
  const named = new Set(listPeople(setUp));

  /** Returns the setup with a section of `source`, and with the entries that only `source` has, so that references resolve. */
  const replaceSection = (section: Section, source: SetUp): SetUp => ({
    ...completeSetUp(setUp, source),
    [section]: source[section],
  });

  /** Functions that replay an alert under a changed setup, each created once for many alerts. */
  const prepared = new Map<string, ReturnType<typeof createAlertPlayer>>();
  /** Returns a function that replays alerts under another setup. Each `name` has one setup and one function. */
  const getPlayer = (name: string, createSetUp: () => SetUp, rules = own) => {
    const play = prepared.get(name) ?? createAlertPlayer(createSetUp(), rules, true);
    prepared.set(name, play);
    return play;
  };

  /** Returns as YAML the entries of the export (`from`) with which a replay is correct (`fixes`). `matched`: matching rules. */
  const findDecidingEntries = (section: Section, from: SetUp, matched: readonly string[], fixes: FixesRow): string => {
    const mine = new Map<string, SetUp[Section][number]>(setUp[section].map((one) => [readName(section, one), one]));
    const other = from[section].filter((one) => listDifferences(mine.get(readName(section, one)), one).length > 0);
    const alone = other.find((one) => {
      const name = readName(section, one);
      if (section === "rules" && !matched.includes(name)) return false;
      const entries = mine.has(name)
        ? setUp[section].map((old) => (readName(section, old) === name ? one : old))
        : [...setUp[section], one];
      return fixes(getPlayer(`${section} ${name}`, () => ({ ...completeSetUp(setUp, from), [section]: entries })));
    });
    const entries = alone === undefined ? other : [alone];
    const theirs = new Set(from[section].map((one) => readName(section, one)));
    const gone = [...mine.keys()].filter((name) => !theirs.has(name));
    if (entries.length === 0) return `Remove these entries from ${section}: ${gone.join(", ")}.`;
    return toYaml({ [section]: entries.map((one) => toFileEntry(section, one)) });
  };

  /** Returns a draft of a rule for an alert, as YAML, with comments on `omittedRules`, which were not imported. */
  const draftRule = ({ event, sender, notified }: PastAlert, omittedRules: readonly string[]): string => {
    const people = new Set(notified.map(({ person }) => person));
    const fits = setUp.groups
      .map((group) => ({ ...group, hits: group.members.filter((one) => people.has(one)).length }))
      .filter(({ hits }) => hits > 0)
      .sort((one, other) => other.hits - one.hits || one.members.length - other.members.length);
    const conditions = [
      ...(sender === undefined ? [] : [{ field: "sender", operator: "equals", value: sender }]),
      { field: "title", operator: "equals", value: event.title },
    ];
    const scheduled = setUp.schedules.some(({ group }) => group === fits[0]?.name);
    const groups = fits.slice(0, 1).map(({ name }) => name);
    const rule = { name: `Alert: ${event.title}`.slice(0, 100), eventKey: event.eventKey, groups, conditions };
    const written = toYaml({ rules: [{ ...rule, ...(scheduled ? { onCallOnly: true } : {}), requiresAck: true }] });
    return [...omittedRules.map((one) => `# Not imported: ${one}`), written].join("\n");
  };

  const findCause = (alert: PastAlert, row: NotificationRow, played: PlayedAlert): FoundCause => {
    const person = row.theirs?.person;
    if (played.joined.length > 0)
      return {
        cause: "grouping",
        draft: `Rules ${played.joined.join(", ")}: change groupBy or groupMinutes if this alert is to notify people by itself.`,
      };
    const isFixedBy: FixesRow = (play) => isRowFixed(alert, row, play(alert));
    if (played.silence !== undefined && isFixedBy(getPlayer("silences", () => ({ ...setUp, silences: [] }))))
      return { cause: "silence", draft: `Remove the silence "${played.silence}", or let it cover fewer events.` };
    const today = importedAt(now);
    if (today !== undefined && person !== undefined) {
      const day = Math.floor(alert.at / DAY_MS) * DAY_MS;
      const useImportedSchedules = (imported: ImportedSetup): SetUp => ({
        ...completeSetUp(setUp, imported.setUp),
        groups: imported.setUp.groups,
        schedules: imported.setUp.schedules,
      });
      const then = importedAt(day);
      // An override that has ended is the cause only if the difference remains with today's schedules.
      if (
        then !== undefined &&
        isFixedBy(getPlayer(`${day}`, () => useImportedSchedules(then))) &&
        !isFixedBy(getPlayer("today", () => useImportedSchedules(today)))
      )
        return { cause: "override that has ended", draft: "Nothing needs to change." };
    }
    if (person !== undefined && !named.has(person))
      return {
        cause: "deleted person",
        draft: `The file does not name ${person}. If this person still works with you, add them to a group; otherwise check who takes this person's turns.`,
      };
    if (today !== undefined) {
      const { setUp: by, own: theirs } = today;
      if (isFixedBy(getPlayer("own", () => setUp, theirs))) {
        const rules = theirs.filter(({ userId }) => userId === (row.ours?.person ?? person));
        const entries = rules.map(({ userId, rungs, quietHours }) => ({
          person: userId,
          notificationRules: { rungs, quietHours },
        }));
        return { cause: "personal rule not imported", draft: toYaml(entries) };
      }
      const tried: readonly [Section, Cause][] = [
        ["rules", "rule not imported"],
        ["policies", "escalation policy"],
        ["groups", "group members"],
        ["schedules", "schedule"],
      ];
      for (const [section, cause] of tried) {
        const play = getPlayer(section, () => replaceSection(section, by));
        if (!isFixedBy(play)) continue;
        const draft = findDecidingEntries(section, by, play(alert).matched, isFixedBy);
        const zones = new Map(setUp.schedules.map(({ group, timeZone }) => [group, timeZone]));
        const isZone =
          section === "schedules" &&
          by.schedules.some(
            ({ group, timeZone }) => zones.has(group) && zones.get(group) !== timeZone && draft.includes(timeZone),
          );
        const isChanged = section === "rules" && setUp.rules.some(({ name }) => draft.includes(toYaml({ name })));
        return { cause: isZone ? "time zone" : isChanged ? "other rule" : cause, draft };
      }
    }
    const isFallback = (name: string) => setUp.rules.some((rule) => rule.name === name && (rule.fallback ?? false));
    const omittedRules = today?.omittedRules ?? [];
    if (person !== undefined && (played.matched.every(isFallback) || omittedRules.length > 0))
      return { cause: "rule not imported", draft: draftRule(alert, omittedRules) };
    const rules = played.matched.length === 0 ? "No rule matches." : `These rules match: ${played.matched.join(", ")}.`;
    return { cause: "no cause found", draft: rules };
  };

  return (alert: PastAlert, row: NotificationRow, played: PlayedAlert): FoundCause => {
    const late = (row.ours?.at ?? 0) - (row.theirs?.at ?? 0);
    const day = Math.floor(alert.at / DAY_MS);
    const parts = [row.verdict, row.theirs?.person, row.ours?.person, late, day, alert.sender, alert.event.title];
    const key = JSON.stringify([...parts, played.matched, played.joined, played.silence]);
    const found = known.get(key) ?? findCause(alert, row, played);
    known.set(key, found);
    return found;
  };
};
