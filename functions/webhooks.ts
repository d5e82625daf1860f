import type { Deps } from "../core/deps.ts";
import { toWebhookDelivery } from "../core/domain/webhook/message.ts";
import { emptyQueue, toWebhookView, WEBHOOK_MOVES } from "../core/domain/webhook/webhook.ts";
import { readSwitch, setSwitch } from "../core/flow/admin/switch.ts";
import * as flow from "../core/flow/admin/webhooks.ts";
import { livePost, liveWebhookKey } from "../core/live-webhooks.ts";
import { liveDeps } from "../core/live.ts";
import { listMessages, readQueue, readQueues } from "../core/store/delivery/delivery-queues.ts";
import { removeSwitch } from "../core/store/schedules/switches.ts";
import { readWebhook } from "../core/store/delivery/webhooks.ts";
import * as webhooks from "../core/store/delivery/webhooks.ts";
import { parseExpectedVersions, addEtag } from "./http/conditional.ts";
import { replyCursorPage, readCursor } from "./http/cursor.ts";
import { replyCreated, replyOk } from "./http/endpoint.ts";
import { replyDeleted, requireFound } from "./http/require-found.ts";
import { replyList } from "./http/pages.ts";
import { readListLimit } from "./http/query.ts";
import * as contract from "../interface/contracts/webhooks.ts";
import { serve } from "./http/serve.ts";

/** Creates the handler of the requests that read webhooks, deliveries and the dead man's switch. */
export const reads = (deps: Pick<Deps, "table" | "now" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    listWebhooks: async (request) => {
      const { workspaceId: ws } = request;
      const [all, lines] = await Promise.all([webhooks.listWebhooks(deps, ws), readQueues(deps, ws)]);
      return replyList(
        request,
        all.map((webhook) => toWebhookView(webhook, lines.get(webhook.id) ?? emptyQueue)),
        ({ id }) => id,
      );
    },
    getWebhook: async ({ workspaceId: ws, webhookId: id }) => {
      const webhook = requireFound(await readWebhook(deps, ws, id), "wh");
      return addEtag(replyOk(toWebhookView(webhook, await readQueue(deps, { ws, id }))), webhook);
    },
    listWebhookDeliveries: async (request) => {
      const { workspaceId: ws, webhookId: id } = request;
      requireFound(await readWebhook(deps, ws, id), "wh");
      const list = `wh_${id}` as const;
      const limit = readListLimit(request);
      const before = await readCursor(list, request);
      const messages = await listMessages(deps, { ws, id }, { before, limit: limit + 1 });
      const shown = messages.slice(0, limit);
      const next = messages.length > limit ? shown.at(-1)?.sk : undefined;
      return replyCursorPage(list, request, { items: shown.map(toWebhookDelivery) }, next);
    },
    getSwitch: async ({ workspaceId }) => replyOk(requireFound(await readSwitch(deps, workspaceId), "switch")),
  });

/** Creates the handler of the requests that change or test webhooks and the switch. */
export const writes = (
  deps: Pick<Deps, "table" | "now" | "newId" | "log" | "post" | "webhookKey" | "webhookStandIn"> & {
    queues: Pick<Deps["queues"], "webhooks">;
  } = { ...liveDeps("webhooks"), webhookKey: liveWebhookKey(), post: livePost() },
) =>
  serve(deps, contract.writes, {
    createWebhook: async ({ as, workspaceId, body }) => {
      const { webhook, secret } = await flow.createWebhook(as, workspaceId, body);
      return addEtag(replyCreated({ ...toWebhookView(webhook, emptyQueue), secret }), webhook);
    },
    updateWebhook: async ({ as, workspaceId: ws, webhookId: id, change, expected }) => {
      const before = requireFound(await readWebhook(deps, ws, id), "wh");
      const shown = toWebhookView(before, await readQueue(deps, { ws, id }));
      const patch = change(shown, { derived: WEBHOOK_MOVES });
      const webhook = requireFound(await flow.updateWebhook(as, ws, id, patch, expected), "wh");
      return addEtag(replyOk(toWebhookView(webhook, await readQueue(deps, { ws, id }))), webhook);
    },
    setSwitch: async ({ as, workspaceId, body }) => replyOk(await setSwitch(as, workspaceId, body)),
    removeSwitch: async ({ as, workspaceId }) => replyDeleted(await removeSwitch(as, workspaceId), "switch"),
    deleteWebhook: async ({ as, workspaceId, webhookId, expected }) =>
      replyDeleted(await flow.deleteWebhook(as, workspaceId, webhookId, expected), "wh"),
    rotateWebhookSecret: async (request) => {
      const { workspaceId: ws, webhookId: id } = request;
      const rotated = requireFound(await flow.rotateSecret(request.as, ws, id, parseExpectedVersions(request)), "wh");
      const { webhook, secret } = rotated;
      return addEtag(replyOk({ ...toWebhookView(webhook, await readQueue(deps, { ws, id })), secret }), webhook);
    },
    testWebhook: async ({ as, workspaceId, webhookId }) =>
      replyOk(requireFound(await flow.testWebhook(as, workspaceId, webhookId), "wh")),
    replayWebhook: async ({ as, workspaceId, webhookId, body: input }) =>
      replyOk({ replayed: requireFound(await flow.replayMessages(as, workspaceId, webhookId, input), "wh") }),
  });
