import * as v from "valibot";
import type { Deps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { CODES_A_DAY, type CodeCount } from "../../domain/device/verification.ts";
import { INVITATION_MAILS_A_DAY } from "../../domain/people/invitation.ts";
import { toIso } from "../../domain/basics/time.ts";
import { toTtl } from "../claims.ts";
import {
  addressCodeCountKey,
  dailyCountKey,
  addressInvitationCountKey,
  type Key,
  personCountKey,
  stageCountKey,
} from "../keys.ts";
import { updateItem } from "../table.ts";
import { DAY_MS } from "../../domain/basics/units.ts";
import { metrics } from "../../wiring.ts";

const CodesItem = v.object({ sent: v.number() });

/** Raises a count by one. Returns false if the count has reached `max`. */
const raiseDailyCount = async (deps: TimedDeps, key: Key, max: number): Promise<boolean> => {
  const counted = await updateItem(deps, key, CodesItem, {
    update: "SET sent = if_not_exists(sent, :none) + :one, #ttl = :ttl",
    condition: "attribute_not_exists(sent) OR sent < :most",
    names: { "#ttl": "ttl" },
    values: { ":none": 0, ":one": 1, ":most": max, ":ttl": toTtl(deps.now() + DAY_MS) },
  });
  return counted.kind === "done";
};

/** Raises the counts in order. Returns the name of the first count that has reached its limit, or undefined. */
const raiseDailyCounts = async <Name extends string>(
  deps: TimedDeps & Pick<Deps, "log">,
  counts: readonly (readonly [Name, Key])[],
  limits: Readonly<Record<Name, number>>,
): Promise<Name | undefined> => {
  for (const [count, key] of counts) {
    if (await raiseDailyCount(deps, key, limits[count])) continue;
    if (count === "stage") deps.log.metric(metrics.stageCeiling, 1);
    return count;
  }
  return undefined;
};

/** Counts a code before it is sent. Returns the first daily limit that is reached, if any. An unsent code stays counted. */
export const countCode = async (
  deps: TimedDeps & Pick<Deps, "log">,
  ws: WorkspaceId,
  userId: string,
  addressHash: string,
): Promise<CodeCount | undefined> => {
  const day = toIso(deps.now()).slice(0, 10);
  const counts = [
    ["address", addressCodeCountKey(addressHash, day)],
    ["person", personCountKey(userId, "CODES", day)],
    ["workspace", dailyCountKey(ws, ws, day)],
    ["stage", stageCountKey("CODES", day)],
  ] as const;
  return raiseDailyCounts(deps, counts, CODES_A_DAY);
};

/** Counts an invitation email before it is sent. Returns false if a daily limit is reached. `userId`: null for the operator. */
export const countInvitationMail = async (
  deps: TimedDeps & Pick<Deps, "log">,
  ws: WorkspaceId,
  userId: string | null,
  addressHash: string,
): Promise<boolean> => {
  const day = toIso(deps.now()).slice(0, 10);
  const counts = [
    ["address", addressInvitationCountKey(addressHash, day)],
    ...(userId === null ? [] : [["person", personCountKey(userId, "INVITED", day)] as const]),
    ["workspace", dailyCountKey(ws, "invitations", day)],
    ["stage", stageCountKey("INVITED", day)],
  ] as const;
  return (await raiseDailyCounts(deps, counts, INVITATION_MAILS_A_DAY)) === undefined;
};
