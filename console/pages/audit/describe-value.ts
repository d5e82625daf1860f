import type { Answers } from "../../app/types.ts";
import type { DutyChange } from "../../../core/domain/on-call/duty-moves.ts";
import { undoOverrideChange } from "../../../core/domain/on-call/override-history.ts";
import { texts as all } from "../../page-texts/audit.ts";

const { audit: texts } = all;

export type Entry = Answers["AuditPage"]["items"][number];
type TargetKind = Entry["target"]["kind"];

export type NamesById = ReadonlyMap<string, string>;

/** Turns `requiresAck` into "requires ack". */
export const splitCamelCase = (field: string): string => field.replace(/([A-Z])/g, " $1").toLowerCase();

/** Describes a value of any type. Ids that are in `names` are replaced by names. */
export const describeValue = (value: unknown, names: NamesById): string => {
  if (value === null || value === undefined || value === "") return texts.none;
  if (typeof value === "boolean") return value ? texts.yes : texts.no;
  if (typeof value === "string") return names.get(value) ?? value;
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value))
    return value.length === 0 ? texts.none : value.map((item) => describeValue(item, names)).join(", ");
  // Leaves out the `type` of a reference, because the name is enough.
  const said = Object.entries(value).filter(([name]) => name !== "type");
  const [only] = said;
  if (said.length === 1 && only !== undefined) return describeValue(only[1], names);
  return `(${said.map(([name, one]) => `${splitCamelCase(name)}: ${describeValue(one, names)}`).join(", ")})`;
};

/** Returns a sentence about an entry, for example "Dora changed the rule Disks". */
export const describeEntry = ({ actor, action, target: { kind, name, id } }: Entry): string => {
  const who = actor === null ? texts.operator : actor.name || texts.somebody;
  const isOfGroup = kind === "override" || kind === "cover";
  const of = isOfGroup ? (name === "" ? "" : texts.inGroup(name)) : kind === "invitation" ? "" : ` ${name || id}`;
  const what = texts.kinds[kind] + of;
  return texts.sentence(who, action, what);
};

/** Returns each field's old and new value as texts: no old value for a creation, no new value for a deletion. */
export const describeChanges = (
  { before, after }: Entry,
  names: NamesById,
): { field: string; before: string | undefined; after: string | undefined }[] =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].map((field) => ({
    field: splitCamelCase(field),
    before: before === null ? undefined : describeValue(before[field], names),
    after: after === null ? undefined : describeValue(after[field], names),
  }));

const ADDRESSES: Partial<Record<TargetKind, (id: string) => string>> = {
  rule: (id) => `/rules/${id}`,
  policy: (id) => `/escalation/${id}`,
  schedule: (id) => `/on-call/${id}`,
  silence: (id) => `/silences/${id}`,
  group: (id) => `/groups/${id}`,
  heartbeat: (id) => `/heartbeats?edit=${id}`,
  webhook: () => "/webhooks",
  connection: () => "/connections",
  api_key: () => "/keys",
  member: () => "/people",
  group_member: () => "/people",
  invitation: () => "/people",
};

/** The maximum number of changed fields that fit on a line. */
const BRIEF_FIELDS = 2;
const BRIEF_LETTERS = 60;

/** Describes a change in a line; returns undefined if the change does not fit on a line. */
export const describeSmallChange = (entry: Entry, names: NamesById): string | undefined => {
  const changes = describeChanges(entry, names);
  if (entry.action !== "updated" || changes.length > BRIEF_FIELDS) return undefined;
  const said = changes
    .map(({ field, before, after }) => `${field} ${before ?? texts.none} → ${after ?? texts.none}`)
    .join(", ");
  return said.length > BRIEF_LETTERS ? undefined : said;
};

/** Returns the path of the changed item's page; undefined if the item has no page or was deleted. */
export const formatTargetPath = ({ action, target: { kind, id } }: Entry): string | undefined =>
  action === "deleted" ? undefined : ADDRESSES[kind]?.(id);

/** Returns the group's id from an entry about a schedule, an override or a cover; empty without an id. */
export const readGroupId = ({ target: { kind, id }, before, after }: Entry): string => {
  const group = (after ?? before)?.["group"];
  if (kind === "schedule") return id;
  return typeof group === "string" ? group : "";
};

/** Returns whether the page can show what the change means for past events or for who is on call. */
export const canCompareHistory = ({ action, target: { kind }, before, after }: Entry): boolean => {
  if (kind === "rule") return action === "updated";
  if (kind === "cover") return [before, after].some((cover) => cover?.["state"] === "taken");
  return kind === "schedule" || kind === "override";
};

type DescribeDutyChange = (change: DutyChange, nameOf: (userId: string) => string) => string;

/** Describes how a change affects who is on call; returns an empty list if the entry does not say who is on call. */
export const describeOnCallChanges = ({ onCall }: Entry, describeDutyChange: DescribeDutyChange): string[] => {
  if (onCall === null) return [];
  const names = new Map(
    onCall.changes.flatMap(({ before, after }) => [...before, ...after]).map((one) => [one.id, one.name]),
  );
  const nameOf = (id: string): string => names.get(id) || texts.formerMember;
  const listIds = (people: readonly { id: string }[]): string[] => people.map(({ id }) => id);
  const said = onCall.changes.map(({ before, after, ...times }) =>
    describeDutyChange({ ...times, before: listIds(before), after: listIds(after) }, nameOf),
  );
  if (said.length === 0) return [texts.sameOnCall];
  return onCall.more === 0 ? said : [...said, texts.moreOnCall(onCall.more)];
};

type Schedule = Pick<Answers["OnCallSchedule"], "timeZone" | "layers">;
type Period = { userId: string; start: string; end: string; insteadOf?: string };
type Override = Period & { id: string; coverId?: string | undefined };

const toPeriod = ({ userId, start, end, insteadOf }: ReturnType<typeof undoOverrideChange>[number]): Period => ({
  userId,
  start,
  end,
  ...(insteadOf === undefined ? {} : { insteadOf }),
});

/** Returns the schedule or, for a change of an override or a cover, the overrides, as they were before the change. */
export const computeOnCallBefore = (
  entry: Entry,
  groupId: string,
  { timeZone, layers }: Schedule,
  overrides: readonly Override[],
) => {
  const { action, target, before } = entry;
  const fields = Object.fromEntries(Object.entries(before ?? {}).filter(([, value]) => value !== null));
  if (target.kind === "schedule")
    return { groupId, schedule: { timeZone, layers: action === "created" ? [] : layers, ...fields } };
  return { groupId, overrides: undoOverrideChange(overrides, entry).map(toPeriod) };
};
