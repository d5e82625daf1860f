import type { TimedDeps } from "../../deps.ts";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import {
  advanceTimeline,
  type GroupNow,
  computeNextOnCallCheckTime,
  type OnCallTimeline,
} from "../../domain/on-call/changes.ts";
import type { People } from "../../domain/people/people.ts";
import {
  listOnCallTimelines,
  setOnCallReported,
  removeOnCallTimeline,
  writeOnCallTimeline,
} from "../../store/schedules/on-call-timelines.ts";
import { loadPeople } from "../../store/people/people.ts";
import { addReachability } from "../read/reach-of-people.ts";

const AT_ONCE = 10;

/** A function that reports a group's on-call changes in order. The function must be idempotent. */
type Report = (story: OnCallTimeline, people: People) => Promise<void>;

const listDutyGroupsById = ({ groups, duty }: People): Map<string, GroupNow> =>
  new Map([...groups].map(([id, { group }]) => [id, { name: group.name, ...duty(id).group }]));

/**
 * Adds the on-call changes since `lastCheckAt` (undefined: none) to the groups' stored timelines. Returns the new timelines, the
 * people and groups at `now`, and the time of the `next` check. Reads people after timelines: no older state follows a newer one.
 */
const storeOnCallChanges = (deps: TimedDeps, ws: WorkspaceId, lastCheckAt: number | undefined) =>
  retryChange({ item: `who is on call in ${ws}` }, async () => {
    const timelines = new Map((await listOnCallTimelines(deps, ws)).map((story) => [story.groupId, story]));
    const loaded = await loadPeople(deps, ws);
    const now = deps.now();
    const people = await addReachability(deps, ws, loaded, { from: lastCheckAt ?? now, to: now });
    const groups = listDutyGroupsById(people);
    const ids = [...new Set([...groups.keys(), ...timelines.keys()])];
    const carried = await mapLimit(ids, AT_ONCE, async (id) => {
      const before = timelines.get(id);
      const story = advanceTimeline(id, before, groups.get(id), { from: lastCheckAt, to: now });
      return story === undefined || story === before || (await writeOnCallTimeline(deps, ws, before, story))
        ? { story }
        : AGAIN;
    });
    const held = carried.filter((one) => one !== AGAIN);
    if (held.length < carried.length) return AGAIN;
    const next = computeNextOnCallCheckTime(groups.values(), now);
    return { timelines: held.flatMap(({ story }) => story ?? []), people, groups, now, next };
  });

/**
 * Detects and reports on-call changes, in order. Marks a change as reported only after its report, so that a crash loses no
 * change. `lastCheckAt`: in milliseconds; undefined for the first check, which reports nothing. Returns the time of this check,
 * and the next time at which people can come on call.
 */
export const detectOnCallChanges = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  lastCheckAt: number | undefined,
  report: Report,
): Promise<{ at: number; next: number }> => {
  const { timelines, people, groups, now, next } = await storeOnCallChanges(deps, ws, lastCheckAt);
  const open = timelines.filter(({ groupId, untold }) => untold.length > 0 || !groups.has(groupId));
  await mapLimit(open, AT_ONCE, async (story) => {
    if (story.untold.length > 0) await report(story, people);
    await (groups.has(story.groupId) ? setOnCallReported : removeOnCallTimeline)(deps, ws, story);
  });
  return { at: now, next };
};
