import type { AuditDeps, TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { WEBHOOKS_MAX } from "../../domain/basics/limits.ts";
import type { IfMatch } from "../../domain/basics/version.ts";
import {
  patchWebhook,
  needsPolling,
  rotateToNextSecret,
  Webhook,
  type WebhookInput,
  type WebhookPatch,
} from "../../domain/webhook/webhook.ts";
import {
  changeItem,
  createItem,
  listItems,
  buildNewItemFields,
  readItem,
  removeItem,
  type WritableCollection,
} from "../configuration/collection.ts";
import { raiseRulesVersion } from "../events/control.ts";
import { rulesPk, webhookKey, webhookPrefix } from "../keys.ts";
import { startWatch } from "./watches.ts";

const webhooks = { pk: rulesPk, prefix: webhookPrefix, key: webhookKey, schema: Webhook };
const writableWebhooks: WritableCollection<Webhook> = {
  items: webhooks,
  kind: "webhook",
  // A URL's path and query may be secrets of the receiver, so the audit trail contains only the host.
  shown: ({ url, secret, before: _before, trailUntil: _trailUntil, ...shown }) => ({
    ...shown,
    host: new URL(url).host,
    secretNumber: secret,
  }),
  counted: { name: "webhooks", noun: "webhooks", max: WEBHOOKS_MAX },
  tellWorkers: raiseRulesVersion,
};

export const listWebhooks = (deps: TableDeps, ws: WorkspaceId): Promise<Webhook[]> => listItems(deps, webhooks, ws);

export const readWebhook = (deps: TableDeps, ws: WorkspaceId, id: string): Promise<Webhook | undefined> =>
  readItem(deps, webhooks, ws, id);

const startWatchIfNeeded = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  { types = [] }: Pick<WebhookPatch, "types">,
): Promise<void> => {
  if (needsPolling(types)) await startWatch(deps, ws);
};

export const createWebhook = (deps: AuditDeps, ws: WorkspaceId, input: WebhookInput): Promise<Webhook> =>
  createItem(
    deps,
    writableWebhooks,
    { ...buildNewItemFields(deps, ws, "wh"), ...input, secret: 1 },
    { before: () => startWatchIfNeeded(deps, ws, input) },
  );

/** `check` gets the webhook before and after the change, and throws to refuse the change. */
type ChangeChecks = { expected?: IfMatch; check?: (before: Webhook, after?: Webhook) => Promise<void> };

export const updateWebhook = (
  deps: AuditDeps,
  ws: WorkspaceId,
  id: string,
  patch: WebhookPatch,
  { expected, check }: ChangeChecks = {},
): Promise<Webhook | undefined> => {
  const applyWebhookPatch = (webhook: Webhook): Webhook => patchWebhook(webhook, patch, deps.now());
  return changeItem(deps, writableWebhooks, [ws, id], applyWebhookPatch, {
    expected,
    checkBefore: async (webhook) => {
      await check?.(webhook, applyWebhookPatch(webhook));
      await startWatchIfNeeded(deps, ws, patch);
    },
  });
};

/** Replaces a webhook's secret. Messages are also signed with the previous secret for a day. */
export const rotateSecret = (
  deps: AuditDeps,
  ws: WorkspaceId,
  id: string,
  { expected, check }: ChangeChecks = {},
): Promise<Webhook | undefined> => {
  const at = deps.now();
  const options = { expected, checkBefore: async (webhook: Webhook) => check?.(webhook) };
  return changeItem(deps, writableWebhooks, [ws, id], (webhook) => rotateToNextSecret(webhook, at), options);
};

/** Deletes a webhook. Returns false if the webhook does not exist. */
export const deleteWebhook = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  id: string,
  { expected, check }: ChangeChecks = {},
): Promise<boolean> => {
  const options = { expected, checkBefore: async (webhook: Webhook) => check?.(webhook) };
  return (await removeItem(deps, writableWebhooks, [ws, id], options)) !== undefined;
};
