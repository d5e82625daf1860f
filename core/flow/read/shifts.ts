import type { AuditDeps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { notFoundRefusal } from "../../domain/basics/refusal.ts";
import { renderFeed, type CalendarOwner } from "../../domain/shifts/calendar.ts";
import { toShiftViews, type ShiftView } from "../../domain/shifts/shifts.ts";
import { findCalendar, replaceCalendarSecret } from "../../store/schedules/calendars.ts";
import { addReachability } from "./reach-of-people.ts";
import { loadPeople } from "../../store/people/people.ts";
import { readGroup } from "../../store/people/groups.ts";

/** Loads the people and marks those without a working device, except people of past overrides. */
const loadPeopleWithReachability = async (deps: TimedDeps, ws: WorkspaceId) =>
  addReachability(deps, ws, await loadPeople(deps, ws), { to: Infinity });

/** Returns a person's shifts of the next four weeks in all groups. */
export const readMyShifts = async (deps: TimedDeps, ws: WorkspaceId, userId: string): Promise<ShiftView[]> =>
  toShiftViews(await loadPeopleWithReachability(deps, ws), userId, deps.now());

/** Replaces the URL of a calendar feed. The old URL stops working. Throws Refusal `not_found`. */
export const renewCalendarUrl = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  owner: CalendarOwner,
  baseUrl: string,
): Promise<{ url: string; createdAt: string }> => {
  if (owner.kind === "group" && (await readGroup(deps, ws, owner.id)) === undefined) throw notFoundRefusal("group");
  const { secret, createdAt } = await replaceCalendarSecret(deps, ws, owner);
  return { url: `${baseUrl}/v1/calendars/${secret}.ics`, createdAt };
};

const ENDING = ".ics";

/** Returns a calendar feed as iCalendar text; undefined for an invalid secret. `fileName`: the secret, with or without `.ics`. */
export const readCalendar = async (deps: TimedDeps, fileName: string): Promise<string | undefined> => {
  const secret = fileName.endsWith(ENDING) ? fileName.slice(0, -ENDING.length) : fileName;
  const feed = await findCalendar(deps, secret);
  if (feed === undefined) return undefined;
  const people = await loadPeopleWithReachability(deps, feed.ws);
  const isOver = feed.owner.kind === "user" && !people.members.has(feed.owner.id);
  return isOver ? undefined : renderFeed(people, feed.owner, deps.now());
};
