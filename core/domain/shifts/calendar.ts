import * as v from "valibot";
import { createSecret } from "../basics/digest.ts";
import type { NewId, WorkspaceId } from "../basics/ids.ts";
import { fromIso, toIso, toUtcMs } from "../basics/time.ts";
import { listGroupShifts, listUserShifts, type Shift } from "./shifts.ts";
import type { People } from "../people/people.ts";
import { DAY_MS } from "../basics/units.ts";

/* Calendar programs cannot sign in, so a feed's URL is secret, stored as a hash. All times in a feed are in UTC. */

/** How many days before and after today a feed contains. Calendar programs keep past entries. */
const BACK_DAYS = 28;
const AHEAD_DAYS = 84;
/** The maximum number of entries of a feed: as many as fit into an answer, even if all names have the maximum length. */
const EVENTS_MAX = 4_000;

/** A new calendar feed. The feed's URL is shown only once. */
export const CalendarAddress = v.object({ url: v.string(), createdAt: v.string() });

export const CalendarOwner = v.variant("kind", [
  v.object({ kind: v.literal("user"), id: v.string() }),
  v.object({ kind: v.literal("group"), id: v.string() }),
]);
export type CalendarOwner = v.InferOutput<typeof CalendarOwner>;

const SHAPE = /^cal_(?<workspace>[0-9A-Za-z]{1,64})_[0-9A-Za-z_-]{43}$/;

/** Returns a new secret for a feed's URL: the workspace and 256 random bits. */
export const createCalendarSecret = async (newId: NewId, workspaceId: WorkspaceId): Promise<string> =>
  `cal_${workspaceId.slice("ws_".length)}_${await createSecret(newId)}`;

/** Returns the secret's workspace, or undefined if the text cannot be a secret. */
export const parseCalendarSecret = (secret: string): WorkspaceId | undefined => {
  const workspace = SHAPE.exec(secret)?.groups?.["workspace"];
  return workspace === undefined ? undefined : `ws_${workspace}`;
};

const LINE_MAX_BYTES = 75;

/** Breaks a line so that no line exceeds 75 bytes and no character is split (RFC 5545, 3.1). */
const foldContentLine = (line: string): string => {
  let folded = "";
  let room = LINE_MAX_BYTES;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (size > room) {
      folded += "\r\n ";
      room = LINE_MAX_BYTES - 1;
    }
    folded += character;
    room -= size;
  }
  return `${folded}\r\n`;
};

/** Removes control characters and escapes special characters (RFC 5545, 3.3.11). */
const escapeIcalText = (text: string): string =>
  text
    .replaceAll(/\r\n?|\n/g, " ")
    .replaceAll(/\p{Cc}/gu, "")
    .replaceAll(/[\\;,]/g, String.raw`\$&`);

const formatIcalTime = (ms: number): string => `${toIso(ms).slice(0, 19).replaceAll(/[-:]/g, "")}Z`;

/** Returns the lines of a shift's entry. `changedAt`: when the schedule was last saved. `feedEnd`: the end of endless shifts. */
const formatCalendarEvent = (shift: Shift, summary: string, changedAt: number, feedEnd: number): string[] => [
  "BEGIN:VEVENT",
  `UID:${shift.groupId}-${shift.userId}-${formatIcalTime(shift.start)}@event-alerting`,
  `DTSTAMP:${formatIcalTime(changedAt)}`,
  `DTSTART:${formatIcalTime(shift.start)}`,
  `DTEND:${formatIcalTime(shift.end ?? feedEnd)}`,
  `SUMMARY:${escapeIcalText(summary)}`,
  // A person on call still accepts invitations to meetings, so a calendar must not show the shift as busy time.
  "TRANSP:TRANSPARENT",
  "END:VEVENT",
];

const computeNextMonthStart = (ms: number): number => {
  const text = toIso(ms);
  return toUtcMs(Number(text.slice(0, 4)), Number(text.slice(5, 7)) + 1, 1);
};

const renderCalendar = (name: string, events: readonly string[]): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//event-alerting//on-call//EN",
    "CALSCALE:GREGORIAN",
    `NAME:${escapeIcalText(name)}`,
    `X-WR-CALNAME:${escapeIcalText(name)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
    ...events,
    "END:VCALENDAR",
  ]
    .map(foldContentLine)
    .join("");

/** Returns the owner's feed (RFC 5545); undefined if the person or group does not exist. Endless shifts end with the feed. */
export const renderFeed = (people: People, owner: CalendarOwner, now: number): string | undefined => {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const [from, to] = [today - BACK_DAYS * DAY_MS, today + AHEAD_DAYS * DAY_MS];
  const horizon = computeNextMonthStart(to);
  const readScheduleChangeTime = ({ groupId }: Shift): number =>
    fromIso(people.schedules.get(groupId)?.updatedAt ?? "") ?? 0;
  const writeEvents = (shifts: readonly Shift[], summaryOf: (shift: Shift) => string): string[] =>
    shifts
      .slice(0, EVENTS_MAX)
      .flatMap((shift) => formatCalendarEvent(shift, summaryOf(shift), readScheduleChangeTime(shift), horizon));
  if (owner.kind === "user") {
    const member = people.members.get(owner.id);
    if (member === undefined) return undefined;
    const shifts = listUserShifts(people, owner.id, from, to);
    return renderCalendar(
      `On call: ${member.name}`,
      writeEvents(shifts, ({ groupName }) => `On call: ${groupName}`),
    );
  }
  const group = people.groups.get(owner.id)?.group;
  if (group === undefined) return undefined;
  const shifts = listGroupShifts(people, owner.id, from, to);
  const nameOf = ({ userId }: Shift) => people.members.get(userId)?.name ?? userId;
  return renderCalendar(
    `On call: ${group.name}`,
    writeEvents(shifts, (shift) => `${nameOf(shift)} (${group.name})`),
  );
};
