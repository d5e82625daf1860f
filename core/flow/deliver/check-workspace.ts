import type { Deps } from "../../deps.ts";
import { ORPHAN_MARKER_SECONDS } from "../../domain/basics/limits.ts";
import { isChatChannel } from "../../domain/connection/connection.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/basics/units.ts";
import {
  auditMessageId,
  auditMessageOf,
  onCallMessageId,
  onCallMessageOf,
} from "../../domain/webhook/other-messages.ts";
import type { Webhook, WebhookType } from "../../domain/webhook/webhook.ts";
import { sendMessages } from "../../queue/send.ts";
import { otherMessageSk } from "../../store/keys.ts";
import { listEntriesAfter, readHead } from "../../store/configuration/audit-trail.ts";
import { setChecked, setSeen, readWatch, removeWatch, type Watch } from "../../store/delivery/watches.ts";
import { listConnections } from "../../store/delivery/connections.ts";
import { listWebhooks } from "../../store/delivery/webhooks.ts";
import { createEnqueue } from "./enqueue.ts";
import { followOnCall } from "./sync-user-groups.ts";
import { noticeOnCallChanges } from "./on-call-changes.ts";
import { viewsOf } from "../read/list-audit.ts";
import { delaySeconds } from "../work.ts";

/*
 * A look at a workspace on behalf of those who are told of who is on call and of the audit trail. Whatever dies, the
 * watch still shows an older look, so the sweeper has it repeated.
 */

export type CheckDeps = Pick<Deps, "table" | "now" | "log"> & { queues: Pick<Deps["queues"], "webhooks"> };

/** Entries of the trail that are put in line in one step. */
const ENTRIES_AT_ONCE = 25;
/** A change this near is looked at by a message of its own: the sweeper may pass by only after it. */
const NEAR_MS = 2 * MINUTE_MS;
const ORPHAN_MS = ORPHAN_MARKER_SECONDS * 1000;

const asks = (webhooks: readonly Webhook[], type: WebhookType): Webhook[] =>
  webhooks.filter(({ types }) => types.includes(type));

/**
 * Puts the entries of the trail after those that were seen in line, in their order, up to number `head`: of a later one
 * this look has not seen who is on call since, so it must lead to another. Who wants them is read after the entries, so that
 * whoever asked before a change is told of it. False if there was no time for all of them.
 */
const enqueueTrail = async (
  deps: CheckDeps,
  ws: string,
  { seen, head }: { seen: Watch["seen"]; head: number },
  hasTime: () => boolean,
): Promise<boolean> => {
  const filling = createEnqueue(deps, ws);
  let last = seen;
  let isAll = false;
  while (!isAll && hasTime()) {
    const entries = (await listEntriesAfter(deps, ws, last, ENTRIES_AT_ONCE)).filter((one) => one.seq <= head);
    isAll = entries.length < ENTRIES_AT_ONCE;
    const webhooks = asks(await listWebhooks(deps, ws), "audit.recorded");
    const views = await viewsOf(deps, ws, entries);
    for (const [index, view] of views.entries()) {
      const { seq, at } = entries[index] ?? last;
      const message = {
        sk: otherMessageSk(at, "audit", seq),
        id: auditMessageId(view.id),
        type: "audit.recorded",
        sequence: seq,
        told: at,
        tries: 0,
        body: auditMessageOf(ws, seq, view),
      };
      for (const { id } of webhooks) await filling.put(id, message);
      last = { seq, at };
    }
    await filling.wake();
    if (last !== seen) await setSeen(deps, ws, last);
  }
  return isAll;
};

/** Looks at who is on call and puts the changes in line. Gives the moment of the look, and when to look again. */
const enqueueOnCall = (deps: CheckDeps, ws: string, from: number | undefined) =>
  noticeOnCallChanges(deps, ws, from, async ({ groupId, name, untold }, { members }) => {
    const webhooks = asks(await listWebhooks(deps, ws), "oncall.changed");
    const filling = createEnqueue(deps, ws);
    const nameOf = (userId: string): string => members.get(userId)?.name ?? "";
    for (const change of untold) {
      const message = {
        sk: otherMessageSk(change.told, groupId, change.sequence),
        id: onCallMessageId(groupId, change.sequence),
        type: "oncall.changed",
        sequence: change.sequence,
        told: change.told,
        tries: 0,
        body: onCallMessageOf({ workspaceId: ws, groupId, name }, change, nameOf),
      };
      for (const { id } of webhooks) await filling.put(id, message);
    }
    await filling.wake();
    deps.log.info("oncall.changed", { workspaceId: ws, groupId, changes: untold.length });
  });

/** Nobody asks. Whoever has only just begun to may be about to write it. */
const endWatch = async (deps: CheckDeps, watch: Watch, head: Watch["seen"]): Promise<void> => {
  const until = watch.askedAt + ORPHAN_MS;
  if (deps.now() > until) return removeWatch(deps, watch);
  await setSeen(deps, watch.ws, head);
  await setChecked(deps, watch, { looked: undefined, due: until + 1 });
};

/**
 * Tells those who ask what has changed in a workspace since the last look. The head of the trail is read first: what is
 * recorded later, such as that somebody asks, leads to another look. `hasTime`: whether there is time for another step.
 */
export const checkWorkspace = async (deps: CheckDeps, ws: string, hasTime: () => boolean): Promise<void> => {
  const watch = await readWatch(deps, ws);
  if (watch === undefined) return;
  const { seq, at } = await readHead(deps, ws);
  const webhooks = await listWebhooks(deps, ws);
  const userGroups = (await listConnections(deps, ws)).filter((one) => !isChatChannel(one));
  const wantsTrail = asks(webhooks, "audit.recorded").length > 0;
  const wantsOnCall = asks(webhooks, "oncall.changed").length > 0 || userGroups.length > 0;
  if (!wantsTrail && !wantsOnCall) return endWatch(deps, watch, { seq, at });
  const look = wantsOnCall ? await enqueueOnCall(deps, ws, watch.looked) : undefined;
  await followOnCall(
    deps,
    ws,
    userGroups.filter(({ paused }) => !paused),
  );
  const isAll = wantsTrail ? await enqueueTrail(deps, ws, { seen: watch.seen, head: seq }, hasTime) : true;
  if (!wantsTrail) await setSeen(deps, ws, { seq, at });
  const now = deps.now();
  const due = look?.next ?? now + DAY_MS;
  await setChecked(deps, watch, { looked: look?.at, due });
  const seconds = isAll ? delaySeconds(due, now) : 0;
  if (seconds !== undefined && (!isAll || due - now < NEAR_MS))
    await sendMessages(deps.queues.webhooks, [{ message: { kind: "watch", ws }, delaySeconds: seconds }]);
};
