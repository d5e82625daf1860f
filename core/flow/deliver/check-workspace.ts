import type { Deps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { ORPHAN_MARKER_MS } from "../../domain/basics/limits.ts";
import { isChatChannel } from "../../domain/connection/connection.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/basics/units.ts";
import {
  formatAuditMessageId,
  buildAuditMessage,
  formatOnCallMessageId,
  buildOnCallMessage,
} from "../../domain/webhook/other-messages.ts";
import type { Webhook, WebhookType } from "../../domain/webhook/webhook.ts";
import { sendMessages } from "../../queue/send.ts";
import { readControl } from "../../store/events/control.ts";
import { isInShadow, SHADOW_CHECK_MS } from "../../domain/workspace/control.ts";
import { otherMessageSk } from "../../store/keys.ts";
import { listEntriesAfter, readTrailHead } from "../../store/configuration/audit-trail.ts";
import { storeWatchCheck, storeSeenEntry, readWatch, removeWatch, type Watch } from "../../store/delivery/watches.ts";
import { listConnections } from "../../store/delivery/connections.ts";
import { listWebhooks } from "../../store/delivery/webhooks.ts";
import { createEnqueuer } from "./enqueue.ts";
import { queueUserGroupUpdates } from "./sync-user-groups.ts";
import { detectOnCallChanges } from "./on-call-changes.ts";
import { readAuditViews } from "../read/list-audit.ts";
import { computeDelayUntil } from "../work.ts";

/* A watch stores what its workspace's last check has seen. If a check dies, the watch stays due, and the sweeper checks again. */

export type CheckDeps = Pick<Deps, "table" | "now" | "log"> & { queues: Pick<Deps["queues"], "webhooks"> };

const ENTRIES_AT_ONCE = 25;
/** If the next check is due within this time, a delayed message starts the check, because the sweeper might be too late. */
const NEAR_MS = 2 * MINUTE_MS;

const listSubscribedWebhooks = (webhooks: readonly Webhook[], type: WebhookType): Webhook[] =>
  webhooks.filter(({ types }) => types.includes(type));

/**
 * Queues the audit entries after `seen`, up to `head`; false if time ran out. The next check queues newer entries, and reads who
 * is on call afterwards. Reads subscribers after the entries, so that a new subscriber misses no entry.
 */
const enqueueAuditEntries = async (
  deps: CheckDeps,
  ws: WorkspaceId,
  { seen, head }: { seen: Watch["seen"]; head: number },
  hasTime: () => boolean,
): Promise<boolean> => {
  const filling = createEnqueuer(deps, ws);
  let last = seen;
  let isAll = false;
  while (!isAll && hasTime()) {
    const entries = (await listEntriesAfter(deps, ws, last, ENTRIES_AT_ONCE)).filter((entry) => entry.seq <= head);
    isAll = entries.length < ENTRIES_AT_ONCE;
    const webhooks = listSubscribedWebhooks(await listWebhooks(deps, ws), "audit.recorded");
    const views = await readAuditViews(deps, ws, entries);
    for (const [index, view] of views.entries()) {
      const { seq, at } = entries[index] ?? last;
      const message = {
        sk: otherMessageSk(at, "audit", seq),
        id: formatAuditMessageId(view.id),
        type: "audit.recorded",
        sequence: seq,
        told: at,
        tries: 0,
        body: buildAuditMessage(ws, seq, view),
      };
      for (const { id } of webhooks) await filling.put(id, message);
      last = { seq, at };
    }
    await filling.wake();
    if (last !== seen) await storeSeenEntry(deps, ws, last);
  }
  return isAll;
};

/** Queues the on-call changes since `lastCheckAt` (ms) for subscribed webhooks. Returns the times of this check and the next. */
const enqueueOnCallChanges = (deps: CheckDeps, ws: WorkspaceId, lastCheckAt: number | undefined) =>
  detectOnCallChanges(deps, ws, lastCheckAt, async ({ groupId, name, untold }, { members }) => {
    const webhooks = listSubscribedWebhooks(await listWebhooks(deps, ws), "oncall.changed");
    const filling = createEnqueuer(deps, ws);
    const findName = (userId: string): string => members.get(userId)?.name ?? "";
    for (const change of untold) {
      const message = {
        sk: otherMessageSk(change.told, groupId, change.sequence),
        id: formatOnCallMessageId(groupId, change.sequence),
        type: "oncall.changed",
        sequence: change.sequence,
        told: change.told,
        tries: 0,
        body: buildOnCallMessage({ workspaceId: ws, groupId, name }, change, findName),
      };
      for (const { id } of webhooks) await filling.put(id, message);
    }
    await filling.wake();
    deps.log.info("oncall.changed", { workspaceId: ws, groupId, changes: untold.length });
  });

/**
 * Removes a watch that no webhook or user group needs. Keeps a recent watch until a later check, because its webhook may not be
 * stored yet. `head`: the newest audit entry, which is stored as seen if the watch is kept.
 */
const removeUnneededWatch = async (deps: CheckDeps, watch: Watch, head: Watch["seen"]): Promise<void> => {
  const until = watch.askedAt + ORPHAN_MARKER_MS;
  if (deps.now() > until) return removeWatch(deps, watch);
  await storeSeenEntry(deps, watch.ws, head);
  await storeWatchCheck(deps, watch, { looked: undefined, due: until + 1 });
};

/** Queues audit entries, on-call changes and user group updates. Audit entries written during a check cause another check. */
export const checkWorkspace = async (deps: CheckDeps, ws: WorkspaceId, hasTime: () => boolean): Promise<void> => {
  const watch = await readWatch(deps, ws);
  if (watch === undefined) return;
  const { seq, at } = await readTrailHead(deps, ws);
  const webhooks = await listWebhooks(deps, ws);
  const userGroups = (await listConnections(deps, ws)).filter((connection) => !isChatChannel(connection));
  const wantsTrail = listSubscribedWebhooks(webhooks, "audit.recorded").length > 0;
  const wantsOnCall = listSubscribedWebhooks(webhooks, "oncall.changed").length > 0 || userGroups.length > 0;
  if (!wantsTrail && !wantsOnCall) return removeUnneededWatch(deps, watch, { seq, at });
  const look = wantsOnCall ? await enqueueOnCallChanges(deps, ws, watch.looked) : undefined;
  const isShadowed = userGroups.length > 0 && isInShadow((await readControl(deps, ws)) ?? {}, deps.now());
  await queueUserGroupUpdates(
    deps,
    ws,
    userGroups.filter(({ paused }) => !paused && !isShadowed),
  );
  const isAll = wantsTrail ? await enqueueAuditEntries(deps, ws, { seen: watch.seen, head: seq }, hasTime) : true;
  if (!wantsTrail) await storeSeenEntry(deps, ws, { seq, at });
  const now = deps.now();
  // A shadow can end at any time, and the user groups must be updated soon after the shadow's end.
  const due = Math.min(look?.next ?? now + DAY_MS, isShadowed ? now + SHADOW_CHECK_MS : Infinity);
  await storeWatchCheck(deps, watch, { looked: look?.at, due });
  const delayMs = isAll ? computeDelayUntil(due, now) : 0;
  if (delayMs !== undefined && (!isAll || due - now < NEAR_MS))
    await sendMessages(deps.queues.webhooks, [{ message: { kind: "watch", ws }, delayMs }]);
};
