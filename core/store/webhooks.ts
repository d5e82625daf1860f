import type { Deps, Recording } from "../deps.ts";
import { WEBHOOKS_MAX } from "../domain/basics/limits.ts";
import { toIso } from "../domain/basics/time.ts";
import type { Expected } from "../domain/basics/version.ts";
import { rotated, Webhook, type WebhookInput, type WebhookPatch } from "../domain/webhook/webhook.ts";
import { givePlaceBack, makeRoom, onePlace, type Countable } from "./counts.ts";
import { bumpRulesVersion } from "./control.ts";
import { rulesPk, webhookKey, webhookPrefix } from "./keys.ts";
import { getItem, queryItems } from "./table.ts";
import { createRecorded, oldestFirst, changeVersioned, deleteVersioned, type Recorded } from "./versioned.ts";

type TableDeps = Pick<Deps, "table">;

/** The path and the query of an address may be a secret of the receiver's, so the trail has its host alone. */
const recordedAs = (ws: string, id: string): Recorded<Webhook> => ({
  ws,
  kind: "webhook",
  id,
  nameOf: ({ name }) => name,
  shown: ({ url, secret, before: _before, ...shown }) => ({ ...shown, host: new URL(url).host, secretNumber: secret }),
});

const counted = (ws: string): Countable => ({
  name: "webhooks",
  noun: "webhooks",
  max: WEBHOOKS_MAX,
  range: { pk: rulesPk(ws), prefix: webhookPrefix },
});

/** The oldest first, strongly consistent. */
export const listWebhooks = async (deps: TableDeps, ws: string): Promise<Webhook[]> => {
  const webhooks = await queryItems(deps, { pk: rulesPk(ws), prefix: webhookPrefix }, Webhook);
  return webhooks.sort(oldestFirst);
};

export const readWebhook = (deps: TableDeps, ws: string, id: string): Promise<Webhook | undefined> =>
  getItem(deps, webhookKey(ws, id), Webhook);

/** Throws Refusal `limit_reached` beyond what a workspace may have. Events that are matched after it are followed. */
export const createWebhook = async (deps: Recording, ws: string, input: WebhookInput): Promise<Webhook> => {
  await makeRoom(deps, ws, onePlace(deps, counted(ws)));
  const now = toIso(deps.now());
  const id = deps.newId("wh");
  const webhook: Webhook = { id, workspaceId: ws, ...input, secret: 1, version: 1, createdAt: now, updatedAt: now };
  await createRecorded(deps, webhookKey(ws, id), webhook, {
    schema: Webhook,
    recorded: recordedAs(ws, id),
    stored: webhook,
  });
  await bumpRulesVersion(deps, ws);
  return webhook;
};

/**
 * Changes the given fields; undefined if there is no such webhook. Throws Refusal `changed_meanwhile` if it is at none
 * of the expected versions.
 */
export const updateWebhook = async (
  deps: Recording,
  ws: string,
  id: string,
  patch: WebhookPatch,
  expected?: Expected,
): Promise<Webhook | undefined> => {
  const change = (webhook: Webhook): Webhook => ({ ...webhook, ...patch });
  const changed = await changeVersioned(deps, webhookKey(ws, id), Webhook, change, {
    recorded: recordedAs(ws, id),
    expected,
  });
  // Also if nothing changed, because an interrupted try may not have got that far.
  if (changed !== undefined) await bumpRulesVersion(deps, ws);
  return changed;
};

/** Gives a webhook another secret. The one before signs as well for a while. */
export const rotateSecret = (
  deps: Recording,
  ws: string,
  id: string,
  expected?: Expected,
): Promise<Webhook | undefined> => {
  const at = deps.now();
  return changeVersioned(deps, webhookKey(ws, id), Webhook, (webhook) => rotated(webhook, at), {
    recorded: recordedAs(ws, id),
    expected,
  });
};

/** Says whether the webhook existed. Throws Refusal as above. What waits for it is not sent. */
export const deleteWebhook = async (deps: Recording, ws: string, id: string, expected?: Expected): Promise<boolean> => {
  const { known, gone } = await deleteVersioned(deps, webhookKey(ws, id), Webhook, {
    recorded: recordedAs(ws, id),
    expected,
  });
  if (gone) await givePlaceBack(deps, ws, counted(ws));
  await bumpRulesVersion(deps, ws);
  return known !== undefined;
};
