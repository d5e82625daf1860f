import * as v from "valibot";
import { timestampSchema } from "../basics/clock/timestamp.ts";
import { getZone } from "../basics/clock/zone.ts";
import { NOTE_MAX_CODE_POINTS } from "../basics/limits.ts";
import { textSchema } from "../basics/text.ts";
import { fromIso, toIso } from "../basics/time.ts";
import { DAY_MS, HOUR_MS } from "../basics/units.ts";
import { UserId } from "../basics/user-id.ts";
import { listOverrideChanges, removeOverrides } from "../on-call/duty-moves.ts";
import { checkTimeOrder, REST_HOURS_DEFAULT, listStretches, type DutyGroup } from "../on-call/index.ts";
import { toRole, type Owners } from "../people/member.ts";
import type { People } from "../people/people.ts";
import { includesRole, type Role } from "../people/role.ts";

/* A cover asks each person who could take a shift once, silently. The first person who takes the shift gets an override. */

/** The maximum number of people whom a cover may ask by name. */
export const COVER_TO_MAX = 50;
/** How many hours before the shift's start managers are notified by default, if nobody has taken the shift. */
const REMIND_HOURS = 24;

/** Returns the schemas of a start and an end. `path`: the path before both field names, for messages. */
const spanSchema = (path: string) => ({ start: timestampSchema(`${path}start`), end: timestampSchema(`${path}end`) });

const InReturn = v.pipe(
  v.strictObject(spanSchema("inReturn."), "inReturn must be an object: {start, end}."),
  checkTimeOrder("inReturn."),
);

/** A request for cover, which may be for only a part of a shift. */
export const CoverInput = v.pipe(
  v.strictObject(
    {
      /** The person whose shift is covered; by default, the caller or the only person on call. */
      userId: v.exactOptional(UserId),
      ...spanSchema(""),
      /** The people to ask; by default, everybody in the group who can take the shift. */
      to: v.exactOptional(
        v.pipe(
          v.array(UserId, '"to" must be an array of users.'),
          v.minLength(1, '"to" must name at least one user.'),
          v.maxLength(COVER_TO_MAX, `"to" must have at most ${COVER_TO_MAX} users.`),
        ),
      ),
      note: v.exactOptional(textSchema("note", NOTE_MAX_CODE_POINTS)),
      /** A shift of the taker that the person takes over in return. */
      inReturn: v.exactOptional(InReturn),
    },
    "A cover must be an object: {start, end, to?, note?, inReturn?}.",
  ),
  checkTimeOrder(),
);
export type CoverInput = v.InferOutput<typeof CoverInput>;

const Span = v.object({ start: v.string(), end: v.string() });
type Span = v.InferOutput<typeof Span>;

/** A stored cover. `userId`: the person who has the shift. An open cover counts as expired when its first shift begins. */
export const Cover = v.object({
  id: v.string(),
  groupId: v.string(),
  userId: v.string(),
  ...Span.entries,
  to: v.exactOptional(v.array(v.string())),
  note: v.exactOptional(v.string()),
  inReturn: v.exactOptional(Span),
  state: v.picklist(["open", "taken", "withdrawn"]),
  createdAt: v.string(),
  createdBy: v.nullable(v.string()),
  asked: v.array(v.string()),
  declined: v.optional(v.set(v.string()), () => new Set<string>()),
  takenBy: v.optional(v.string()),
  /** Overrides that put the taker on call. */
  overrideIds: v.optional(v.array(v.string()), []),
  /** When somebody last took or withdrew the cover. */
  changedAt: v.optional(v.string()),
  changedBy: v.optional(v.nullable(v.string())),
  /** The names of the cover's notices that were sent. */
  told: v.optional(v.set(v.string()), () => new Set<string>()),
});
export type Cover = v.InferOutput<typeof Cover>;

const statuses = ["open", "taken", "withdrawn", "expired"] as const;

const parseStart = ({ start }: Span): number => fromIso(start) ?? 0;

/** Returns when the shift or the shift in return begins, whichever begins first. */
export const findCoverDeadline = ({ start, end, inReturn }: Pick<Cover, "start" | "end" | "inReturn">): number =>
  Math.min(parseStart({ start, end }), inReturn === undefined ? Infinity : parseStart(inReturn));

/** Returns the status of the cover: `expired` if nobody took the shift before the deadline. */
export const judgeCoverStatus = (cover: Cover, now: number): (typeof statuses)[number] =>
  cover.state === "open" && findCoverDeadline(cover) <= now ? "expired" : cover.state;

const Person = v.object({ userId: v.string(), name: v.string() });

export const CoverView = v.object({
  ...v.pick(Cover, ["id", "groupId", "userId", "start", "end", "createdAt"]).entries,
  groupName: v.string(),
  name: v.string(),
  status: v.picklist(statuses),
  note: v.nullable(v.string()),
  inReturn: v.nullable(Span),
  asked: v.array(Person),
  declined: v.array(v.string()),
  takenBy: v.nullable(Person),
  createdBy: v.nullable(v.object({ id: v.string(), name: v.string() })),
  overrideIds: v.array(v.string()),
  canTake: v.boolean(),
});
export type CoverView = v.InferOutput<typeof CoverView>;

export const toCoverView = (
  cover: Cover,
  { people, owners, now, caller }: { people: People; owners: Owners; now: number; caller: string },
): CoverView => {
  const nameOf = (userId: string): string => people.members.get(userId)?.name ?? "";
  const describePerson = (userId: string) => ({ userId, name: nameOf(userId) });
  const { id, groupId, userId, start, end, note = null, inReturn = null, createdAt, createdBy, takenBy } = cover;
  const status = judgeCoverStatus(cover, now);
  return {
    id,
    groupId,
    groupName: people.groups.get(groupId)?.group.name ?? "",
    ...describePerson(userId),
    start,
    end,
    status,
    note,
    inReturn,
    asked: cover.asked.map(describePerson),
    declined: [...cover.declined],
    takenBy: takenBy === undefined ? null : describePerson(takenBy),
    createdAt,
    createdBy: createdBy === null ? null : { id: createdBy, name: nameOf(createdBy) },
    overrideIds: cover.overrideIds,
    canTake: status === "open" && findReasonNotToTakeCover(cover, caller, { people, owners }) === undefined,
  };
};

type Milliseconds = { from: number; to: number };

const toMilliseconds = (span: Span): Milliseconds => ({ from: parseStart(span), to: fromIso(span.end) ?? 0 });

/** Lists people who are on call in the group during the whole span. */
export const listOnCallThroughout = (people: People, groupId: string, span: Span): string[] => {
  const { from, to } = toMilliseconds(span);
  const parts = [...listStretches(people.duty(groupId).group, from, to)].map(
    (part) => new Set(part.people.map(({ userId }) => userId)),
  );
  return [...(parts[0] ?? [])].filter((userId) => parts.every((part) => part.has(userId)));
};

/** Returns whether the person is on call in any group at any time of the span, apart from shifts within `ignored`. */
const isOnCallElsewhere = (
  people: People,
  userId: string,
  { from, to }: Milliseconds,
  ignored: Milliseconds | undefined,
): boolean =>
  [...people.groups].some(
    ([groupId, { memberIds }]) =>
      memberIds.includes(userId) &&
      [...listStretches(people.duty(groupId).group, from, to)].some(
        ({ start, end, people: onCall }) =>
          onCall.some((person) => person.userId === userId) &&
          (ignored === undefined || start < ignored.from || end > ignored.to),
      ),
  );

/** Lists who replaces whom in the cover's shifts. `before`, `after`: the group, whose overrides have changed. */
export const listCoverChanges = (
  cover: Pick<Cover, "start" | "end" | "inReturn">,
  before: DutyGroup,
  after: DutyGroup,
  now: number,
): ReturnType<typeof listOverrideChanges> =>
  listOverrideChanges(before, after, cover.inReturn === undefined ? [cover] : [cover, cover.inReturn], now);

/** Lists the people who took the shift over from this cover's taker, and who lose the shift if this cover is withdrawn. */
export const listLaterTakers = (cover: Cover, group: DutyGroup, now: number): string[] => {
  const { changes } = listCoverChanges(cover, group, removeOverrides(group, cover.overrideIds), now);
  const losing = changes.flatMap(({ before, after }) => before.filter((userId) => !after.includes(userId)));
  return [...new Set(losing)].filter((userId) => userId !== cover.userId && userId !== cover.takenBy);
};

type CoverContext = { people: People; owners: Owners };
type CoverRequest = Pick<Cover, "groupId" | "userId" | "start" | "end"> & Partial<Pick<Cover, "to" | "inReturn">>;

const REASONS = {
  own_shift: "This is your own shift.",
  not_in_group: "You are not in the group of this shift.",
  role: "Taking a shift requires the role responder.",
  not_asked: "Other people were asked to take this shift.",
  unreachable: "You have no device that receives pushes, so you would not be notified.",
  on_call: "You are on call at that time.",
  no_rest: "You would not have enough rest before or after one of your shifts.",
  nothing_in_return: "You are not on call for all of the shift that you would give in return.",
  other_on_call: "The other person is already on call during the shift that you would give in return.",
  not_on_call: "The person who asks for cover is not on call at that time.",
} as const;
export type Reason = keyof typeof REASONS;
/** Returns why the person cannot take the shift, as a sentence for this person. */
export const describeReason = (reason: Reason): string => REASONS[reason];

/** Returns why the user cannot take the shift; undefined if possible. Ignores the shift that the user gives in return. */
export const findReasonNotToTakeCover = (
  { groupId, userId: owner, to, inReturn, ...span }: CoverRequest,
  userId: string,
  { people, owners }: CoverContext,
): Reason | undefined => {
  const member = people.members.get(userId);
  if (userId === owner) return "own_shift";
  if (member === undefined || people.groups.get(groupId)?.memberIds.includes(userId) !== true) return "not_in_group";
  if (!includesRole(toRole(member, owners), "responder")) return "role";
  if (to !== undefined && !to.includes(userId)) return "not_asked";
  if (people.unreachable?.has(userId) === true) return "unreachable";
  if (!listOnCallThroughout(people, groupId, span).includes(owner)) return "not_on_call";
  const back = inReturn === undefined ? undefined : toMilliseconds(inReturn);
  const { from, to: until } = toMilliseconds(span);
  if (isOnCallElsewhere(people, userId, { from, to: until }, back)) return "on_call";
  const rest = (people.schedules.get(groupId)?.restHours ?? REST_HOURS_DEFAULT) * HOUR_MS;
  if (isOnCallElsewhere(people, userId, { from: from - rest, to: until + rest }, back)) return "no_rest";
  if (inReturn === undefined || back === undefined) return undefined;
  if (!listOnCallThroughout(people, groupId, inReturn).includes(userId)) return "nothing_in_return";
  return isOnCallElsewhere(people, owner, back, { from, to: until }) ? "other_on_call" : undefined;
};

/** Lists the group's members who can take the shift. */
export const listCoverCandidates = (cover: CoverRequest, context: CoverContext): string[] =>
  (context.people.groups.get(cover.groupId)?.memberIds ?? []).filter(
    (userId) => findReasonNotToTakeCover(cover, userId, context) === undefined,
  );

const DAY_BEGINS_HOUR = 8;
const DAY_ENDS_HOUR = 21;

/** Returns the first time at or after `at` that is between 08:00 and 21:00 in the time zone. */
const findNextDaytime = (at: number, timeZone: string): number => {
  const zone = getZone(timeZone);
  const local = at + zone.offsetAt(at);
  const midnight = Math.floor(local / DAY_MS) * DAY_MS;
  if (local < midnight + DAY_BEGINS_HOUR * HOUR_MS) return zone.instantOf(midnight + DAY_BEGINS_HOUR * HOUR_MS);
  if (local < midnight + DAY_ENDS_HOUR * HOUR_MS) return at;
  return zone.instantOf(midnight + DAY_MS + DAY_BEGINS_HOUR * HOUR_MS);
};

/** A notice about a cover. `due`: in milliseconds. `name`: identifies the notice among the cover's notices. */
export type DueCoverNotice = { name: string; kind: CoverNoticeKind; due: number; to: string[] };
type CoverNoticeKind = "ask" | "made" | "remind" | "expired" | "taken" | "withdrawn";

/** Lists the managers in the group, or else the owners of the workspace. */
const listManagers = ({ people, owners }: CoverContext, groupId: string): string[] => {
  const listMembersWithRole = (role: Role): string[] =>
    [...people.members.values()]
      .filter((member) => includesRole(toRole(member, owners), role))
      .map(({ userId }) => userId);
  const here = new Set(people.groups.get(groupId)?.memberIds);
  const managers = listMembersWithRole("manager").filter((userId) => here.has(userId));
  return managers.length === 0 ? listMembersWithRole("owner") : managers;
};

/** Lists the requests to take over the shift, due in each person's daytime, or at once if the daytime begins too late. */
const listTakeoverRequests = (cover: Cover, { people }: CoverContext): Omit<DueCoverNotice, "name">[] => {
  const since = fromIso(cover.createdAt) ?? 0;
  const here = people.schedules.get(cover.groupId)?.timeZone ?? "UTC";
  const computeRequestTime = (userId: string): number => {
    const due = findNextDaytime(since, people.notificationRules.get(userId)?.quietHours?.timeZone ?? here);
    return due < findCoverDeadline(cover) ? due : since;
  };
  const open = cover.asked.filter((userId) => !cover.declined.has(userId));
  return [...Map.groupBy(open, computeRequestTime)].map(([due, to]) => ({ kind: "ask", due, to }));
};

/** Lists the notices that were not sent yet, including those due later, according to the cover's current state. */
export const listUnsentNotices = (cover: Cover, context: CoverContext): DueCoverNotice[] => {
  const { groupId, userId, state, takenBy, changedBy } = cover;
  const since = fromIso(cover.createdAt) ?? 0;
  const begin = findCoverDeadline(cover);
  const changed = fromIso(cover.changedAt ?? "") ?? since;
  const remindMs = (context.people.schedules.get(groupId)?.remindHours ?? REMIND_HOURS) * HOUR_MS;
  const questions = listTakeoverRequests(cover, context);
  const asked = Math.max(since, ...questions.map(({ due }) => due));
  const isAskedLate = asked > begin - remindMs;
  // If people are asked late, the managers are notified after half of the remaining time; if nobody can be asked, at once.
  const late = isAskedLate ? Math.floor((asked + begin) / 2) : begin - remindMs;
  const remind = cover.asked.length === 0 ? since : late;
  const all: Omit<DueCoverNotice, "name">[] = [
    { kind: "made", due: since, to: [userId].filter((id) => id !== cover.createdBy) },
  ];
  if (state === "open")
    all.push(
      ...questions,
      { kind: "remind", due: remind, to: listManagers(context, groupId) },
      { kind: "expired", due: begin, to: [userId] },
    );
  if (state === "taken")
    all.push({ kind: "taken", due: changed, to: [...new Set([userId, cover.createdBy ?? userId])] });
  if (state === "withdrawn" && takenBy !== undefined)
    all.push({ kind: "withdrawn", due: changed, to: [userId, takenBy] });
  return all
    .map((news) => ({
      ...news,
      name: news.kind === "ask" ? `ask:${toIso(news.due)}` : news.kind,
      to: news.to.filter((id) => context.people.members.has(id) && id !== changedBy),
    }))
    .filter(({ name, to }) => to.length > 0 && !cover.told.has(name));
};
