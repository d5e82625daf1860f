import type { Deps, AuditDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { fromIso, toIso } from "../../domain/basics/time.ts";
import { REPLAYED_MAX } from "../../domain/basics/limits.ts";
import { refuseField } from "../../domain/basics/refusal.ts";
import type { IfMatch } from "../../domain/basics/version.ts";
import type { ReplayInput, WebhookTestAnswer } from "../../domain/webhook/message.ts";
import { findWebhookUrlFault } from "../../domain/webhook/public-url.ts";
import { deriveCurrentSecret, createSignedHeaders } from "../../domain/webhook/signature.ts";
import {
  receivesAuditTrail,
  type Webhook,
  type WebhookInput,
  type WebhookPatch,
} from "../../domain/webhook/webhook.ts";
import { sendMessages } from "../../queue/send.ts";
import {
  markQueueWaiting,
  listSentMessages,
  queueMessage,
  resumeQueue,
  startQueueTest,
  TEST_PAUSE_MS,
} from "../../store/delivery/delivery-queues.ts";
import { writeRecorded } from "../../store/configuration/audit-trail.ts";
import * as webhooks from "../../store/delivery/webhooks.ts";
import { requireRole } from "./require-author.ts";
import { refuseTooSoon } from "../too-soon.ts";

type WakeDeps = Pick<Deps, "table" | "now" | "log"> & { queues: Pick<Deps["queues"], "webhooks"> };
type KeyDeps = Pick<Deps, "webhookKey">;

/** Throws Refusal `invalid_input` for an internal address. */
export const requirePublicUrl = ({ webhookStandIn }: Pick<Deps, "webhookStandIn">, url: string): void => {
  const message = findWebhookUrlFault(url, webhookStandIn);
  if (message !== undefined) throw refuseField("url", "invalid", message);
};

/** Returns a function that requires the role owner if one of a webhook's `versions` (before, after) receives the audit trail. */
const createAuditCheck =
  (deps: AuditDeps, ws: WorkspaceId) =>
  async (...versions: readonly (Pick<Webhook, "types" | "trailUntil"> | undefined)[]): Promise<void> => {
    if (versions.some((webhook) => webhook !== undefined && receivesAuditTrail(webhook, deps.now())))
      await requireRole(deps, ws, "owner", "Managing a webhook of the audit trail");
  };

/** Stores a webhook; returns it with its secret. Throws Refusal `limit_reached`, or `invalid_input` for an internal address. */
export const createWebhook = async (
  deps: AuditDeps<"webhookStandIn" | "webhookKey">,
  ws: WorkspaceId,
  input: WebhookInput,
): Promise<{ webhook: Webhook; secret: string }> => {
  requirePublicUrl(deps, input.url);
  await createAuditCheck(deps, ws)(input);
  const key = await deps.webhookKey();
  const webhook = await webhooks.createWebhook(deps, ws, input);
  return { webhook, secret: await deriveCurrentSecret(key, webhook) };
};

/** Starts sending the waiting messages of webhook `id`. A repeated request does so again: the first may have died. */
const wakeQueue = (deps: WakeDeps, ws: WorkspaceId, id: string): Promise<void> =>
  sendMessages(deps.queues.webhooks, [{ message: { kind: "line", ws, id } }]);

/** Changes a webhook; retries waiting messages. Undefined for an unknown id. Throws `invalid_input`, `changed_meanwhile`. */
export const updateWebhook = async (
  deps: WakeDeps & AuditDeps<"webhookStandIn">,
  ws: WorkspaceId,
  id: string,
  patch: WebhookPatch,
  expected?: IfMatch,
): Promise<Webhook | undefined> => {
  if (patch.url !== undefined) requirePublicUrl(deps, patch.url);
  const webhook = await webhooks.updateWebhook(deps, ws, id, patch, { expected, check: createAuditCheck(deps, ws) });
  if (webhook === undefined) return undefined;
  await resumeQueue(deps, { ws, id });
  if (!webhook.paused) await wakeQueue(deps, ws, id);
  return webhook;
};

/** Replaces a webhook's secret; returns the new one, if the webhook exists. Throws `changed_meanwhile`, `role_required`. */
export const rotateSecret = async (
  deps: AuditDeps<"webhookKey">,
  ws: WorkspaceId,
  id: string,
  expected?: IfMatch,
): Promise<{ webhook: Webhook; secret: string } | undefined> => {
  const key = await deps.webhookKey();
  const webhook = await webhooks.rotateSecret(deps, ws, id, { expected, check: createAuditCheck(deps, ws) });
  return webhook === undefined ? undefined : { webhook, secret: await deriveCurrentSecret(key, webhook) };
};

/** Deletes a webhook. Returns whether the webhook existed. Throws Refusal `changed_meanwhile`, `role_required`. */
export const deleteWebhook = (deps: AuditDeps, ws: WorkspaceId, id: string, expected?: IfMatch): Promise<boolean> =>
  webhooks.deleteWebhook(deps, ws, id, { expected, check: createAuditCheck(deps, ws) });

/** Sends a test before queued messages; its success resumes the queue. Undefined for an unknown id. Throws `rate_limited`. */
export const testWebhook = async (
  deps: WakeDeps & KeyDeps & AuditDeps<"post">,
  ws: WorkspaceId,
  webhookId: string,
): Promise<WebhookTestAnswer | undefined> => {
  const webhook = await webhooks.readWebhook(deps, ws, webhookId);
  if (webhook === undefined) return undefined;
  await createAuditCheck(deps, ws)(webhook);
  const key = await deps.webhookKey();
  const at = deps.now();
  if (!(await startQueueTest(deps, { ...webhook, kind: "webhook" }, at))) throw refuseTooSoon("test", TEST_PAUSE_MS);
  const body = JSON.stringify({ type: "webhook.test", timestamp: toIso(at), data: { workspaceId: ws, webhookId } });
  const signed = { id: `msg_${deps.newId("tst")}`, body, atMs: at };
  const outcome = await deps.post({ url: webhook.url, headers: await createSignedHeaders(key, webhook, signed), body });
  const delivered = outcome.kind === "taken";
  deps.log.info("webhook.tested", { workspaceId: ws, webhookId, code: outcome.code });
  if (delivered) {
    await resumeQueue(deps, { ws, id: webhookId });
    await wakeQueue(deps, ws, webhookId);
  }
  return { sentAt: toIso(at), delivered, code: outcome.code };
};

/**
 * Queues old messages again, oldest first, except types that the webhook no longer receives. Returns the number of messages;
 * undefined for an unknown id. Throws Refusal `invalid_input` for too many messages, `role_required` if only owners may replay.
 */
export const replayMessages = async (
  deps: WakeDeps & AuditDeps,
  ws: WorkspaceId,
  id: string,
  input: ReplayInput,
): Promise<number | undefined> => {
  const webhook = await webhooks.readWebhook(deps, ws, id);
  if (webhook === undefined) return undefined;
  await createAuditCheck(deps, ws)(webhook);
  const range = { from: fromIso(input.from) ?? 0, to: fromIso(input.to) ?? 0 };
  const sent = await listSentMessages(deps, { ws, id }, { ...range, limit: REPLAYED_MAX + 1 });
  if (sent.length > REPLAYED_MAX) {
    const message = `"from" and "to" must cover at most ${REPLAYED_MAX} deliveries. Choose a shorter period.`;
    throw refuseField("to", "too_large", message);
  }
  const wanted = sent.filter(({ type }) => webhook.types.includes(type));
  const target = { kind: "webhook", id, name: webhook.name } as const;
  await writeRecorded(deps, ws, { action: "replayed", target, before: null, after: { ...input } });
  for (const { at: _at, code: _code, taken: _taken, ...message } of wanted)
    await queueMessage(deps, { ws, id }, { ...message, tries: 0 });
  await markQueueWaiting(deps, { ws, id });
  await wakeQueue(deps, ws, id);
  deps.log.info("webhook.replayed", { workspaceId: ws, webhookId: id, messages: wanted.length });
  return wanted.length;
};
