import * as v from "valibot";
import { wholeNumberSchema } from "../basics/number.ts";
import { ACK_MINUTES_MAX, ACK_MINUTES_MIN, ADDED_AT_ONCE_MAX, NOTE_MAX_CODE_POINTS } from "../basics/limits.ts";
import { isId } from "../basics/ids.ts";
import type { Fault } from "../basics/refusal.ts";
import { textSchema } from "../basics/text.ts";
import { fromIso, toIso } from "../basics/time.ts";
import { UserId } from "../basics/user-id.ts";
import { timestampSchema } from "../basics/clock/timestamp.ts";
import { MINUTE_MS } from "../basics/units.ts";

/* People's actions on an event, except acknowledging and resolving. */

/** A snooze has either a duration or an end. */
export const SnoozeInput = v.pipe(
  v.strictObject({
    minutes: v.exactOptional(wholeNumberSchema("minutes", ACK_MINUTES_MIN, ACK_MINUTES_MAX)),
    until: v.exactOptional(timestampSchema("until")),
  }),
  v.check(
    ({ minutes, until }) => (minutes === undefined) !== (until === undefined),
    'Exactly one of "minutes" and "until" is required.',
  ),
);
export type SnoozeInput = v.InferOutput<typeof SnoozeInput>;

/** Returns the snooze's end in milliseconds, or a fault if the end is too early or too late. */
export const computeSnoozeEnd = ({ minutes, until }: SnoozeInput, nowMs: number): number | Fault => {
  if (minutes !== undefined) return nowMs + minutes * MINUTE_MS;
  const end = fromIso(until ?? "") ?? 0;
  if (end >= nowMs + ACK_MINUTES_MIN * MINUTE_MS && end <= nowMs + ACK_MINUTES_MAX * MINUTE_MS) return end;
  return {
    field: "until",
    code: "out_of_range",
    message: `until must be ${ACK_MINUTES_MIN} to ${ACK_MINUTES_MAX} minutes in the future.`,
  };
};

const GroupId = v.pipe(
  v.string("A group id must be a string."),
  v.check((id) => isId("grp", id), "A group id must be the id of a group of this workspace."),
);

export const NotifyInput = v.pipe(
  v.strictObject({
    userIds: v.optional(v.array(UserId, "userIds must be an array of user ids."), []),
    groupIds: v.optional(v.array(GroupId, "groupIds must be an array of group ids."), []),
    note: v.nullish(textSchema("note", NOTE_MAX_CODE_POINTS)),
  }),
  v.check(({ userIds, groupIds }) => {
    const count = userIds.length + groupIds.length;
    return count >= 1 && count <= ADDED_AT_ONCE_MAX;
  }, `userIds and groupIds must have 1 to ${ADDED_AT_ONCE_MAX} entries together.`),
);
export type NotifyInput = v.InferOutput<typeof NotifyInput>;

export const EscalateInput = v.strictObject({ note: v.nullish(textSchema("note", NOTE_MAX_CODE_POINTS)) });

export const NoteInput = v.strictObject({ text: textSchema("text", NOTE_MAX_CODE_POINTS) });

/** A note that a person added to an event. `at`: in milliseconds. */
export const Note = v.object({
  id: v.string(),
  at: v.number(),
  by: v.object({ id: v.string(), name: v.string() }),
  text: v.string(),
});
export type Note = v.InferOutput<typeof Note>;

export const NoteView = v.object({ id: v.string(), createdAt: v.string(), by: Note.entries.by, text: v.string() });
export type NoteView = v.InferOutput<typeof NoteView>;

export const toNoteView = ({ id, at, by, text: words }: Note): NoteView => ({
  id,
  createdAt: toIso(at),
  by,
  text: words,
});
