import type { AuditDeps } from "../../deps.ts";
import { isDeepEqual } from "../../domain/basics/equality.ts";
import { createDutyNotice } from "../../domain/event/notices.ts";
import { listDutyMoves } from "../../domain/on-call/duty-moves.ts";
import { toRole } from "../../domain/people/member.ts";
import type { People } from "../../domain/people/people.ts";
import { createNameFinder, markUnreachable } from "../../domain/people/people.ts";
import { includesRole } from "../../domain/people/role.ts";
import { readOwners } from "../../store/people/read-members.ts";
import { createOwnIngest, type IngestDeps } from "../ingest/ingest-event.ts";
import type { NotifyOfShifts } from "./write-on-call.ts";
import { addReachability } from "../read/reach-of-people.ts";

const isScheduleUnchanged = (before: People, after: People, groupId: string): boolean =>
  isDeepEqual(before.schedules.get(groupId)?.layers, after.schedules.get(groupId)?.layers) &&
  before.schedules.get(groupId)?.timeZone === after.schedules.get(groupId)?.timeZone &&
  isDeepEqual(before.overrides.get(groupId), after.overrides.get(groupId)) &&
  isDeepEqual(before.groups.get(groupId)?.memberIds, after.groups.get(groupId)?.memberIds);

/** Returns a function that notifies managers and people who lose a shift or come on call by an override. Logs failed notices. */
export const createShiftNotifier =
  (deps: AuditDeps & IngestDeps): NotifyOfShifts =>
  async (ws, before, after) => {
    const now = deps.now();
    const by = deps.table.author;
    const reached = await addReachability(deps, ws, after, { from: now, to: Infinity });
    const was = markUnreachable(before, reached.unreachable ?? new Set());
    for (const [groupId, { group, memberIds }] of reached.groups) {
      if (isScheduleUnchanged(before, after, groupId)) continue;
      const moves = listDutyMoves(was.duty(groupId).group, reached.duty(groupId).group, now);
      const isByOverride = !isDeepEqual(before.overrides.get(groupId), after.overrides.get(groupId));
      const concerned = moves.filter(({ lost }) => lost !== undefined || isByOverride);
      if (concerned.length === 0) continue;
      const owners = await readOwners(deps, ws);
      const managers = memberIds.filter((userId) => {
        const member = after.members.get(userId);
        return member !== undefined && includesRole(toRole(member, owners), "manager");
      });
      const to = [...new Set([...concerned.map(({ userId }) => userId), ...managers])].filter(
        (userId) => userId !== by.userId && after.members.has(userId),
      );
      if (to.length === 0) continue;
      const findName = createNameFinder(before);
      const notice = createDutyNotice(
        {
          groupId,
          group: group.name,
          by: by.userId === null ? "The operator" : findName(by.userId),
          change: by.requestId,
        },
        moves.map((move) => ({ ...move, name: findName(move.userId) })),
        to,
      );
      try {
        await createOwnIngest(deps)({ workspaceId: ws, ...notice });
      } catch (error) {
        deps.log.error("oncall.not_notified", error, { workspaceId: ws, groupId });
      }
    }
  };
