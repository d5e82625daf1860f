import * as v from "valibot";
import type { AuditDeps, TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { API_KEY_VERSION, KeyScope, type ApiKey, type ApiKeyInput } from "../../domain/workspace/api-key.ts";
import { hashApiKey, createApiKeyText } from "../../domain/workspace/api-key-text.ts";
import type { Sender } from "../../domain/event/event.ts";
import { API_KEYS_MAX } from "../../domain/basics/limits.ts";
import { Refusal, refuseField } from "../../domain/basics/refusal.ts";
import { fromIso, toIso, toIsoOrNull } from "../../domain/basics/time.ts";
import { allowApiKey, revokeApiKey } from "../events/control.ts";
import { apiKeyKey, apiKeysPk } from "../keys.ts";
import { createMemberNamer } from "./read-members.ts";
import { getItem, queryItems, updateItem } from "../table.ts";
import {
  createRecordedItem,
  deleteRecordedItem,
  compareByCreation,
  requireExpectedVersion,
  type AuditOf,
  type DeleteItem,
} from "../configuration/versioned.ts";

const ApiKeyItem = v.object({
  id: v.string(),
  name: v.string(),
  createdAt: v.string(),
  createdBy: v.optional(v.string()),
  /** The time of the first use on the most recent day with a use, in milliseconds. */
  used: v.optional(v.number()),
  ...KeyScope.entries,
  /** The signing secret, in plain text, because a request also needs the key, of which only a hash is stored. */
  signingSecret: v.optional(v.string()),
  // API keys of earlier versions could resolve all events, and users may depend on this.
  mayResolve: v.optional(KeyScope.entries.mayResolve, "any"),
  hash: v.instance(Uint8Array),
});
type ApiKeyItem = v.InferOutput<typeof ApiKeyItem>;

const pickScope = ({ source, mapping, eventKeys, mayResolve, expiresAt }: KeyScope): KeyScope => ({
  ...(source === undefined ? {} : { source }),
  ...(mapping === undefined ? {} : { mapping }),
  ...(eventKeys === undefined ? {} : { eventKeys }),
  mayResolve,
  ...(expiresAt === undefined ? {} : { expiresAt }),
});

const toApiKeys = async (
  deps: TableDeps,
  ws: WorkspaceId,
  items: readonly Omit<ApiKeyItem, "hash">[],
): Promise<ApiKey[]> => {
  const call = await createMemberNamer(
    deps,
    ws,
    items.map(({ createdBy }) => createdBy),
  );
  return items.map(({ id, name, createdAt, createdBy, used, signingSecret, ...scope }) => ({
    id,
    name,
    createdAt,
    createdBy: call(createdBy),
    lastUsedAt: toIsoOrNull(used),
    signed: signingSecret !== undefined,
    ...pickScope(scope),
  }));
};

const describeApiKeyForTrail = (ws: WorkspaceId, id: string): AuditOf<Omit<ApiKeyItem, "hash">> => ({
  ws,
  kind: "api_key",
  id,
  nameOf: ({ name }) => name,
  shown: (item) => ({ name: item.name, signed: item.signingSecret !== undefined, ...pickScope(item) }),
});

const createLimitRefusal = () =>
  new Refusal("limit_reached", `A workspace has at most ${API_KEYS_MAX} API keys. Delete one first.`);

/** Creates an API key, whose text is not stored. The key is listed before it becomes valid, so that every valid key is listed. */
export const createApiKey = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  { name, ...asked }: ApiKeyInput,
  creatorId?: string,
): Promise<ApiKey & { key: string }> => {
  const until = asked.expiresAt === undefined ? undefined : fromIso(asked.expiresAt);
  if (until !== undefined && until <= deps.now())
    throw refuseField("expiresAt", "out_of_range", "expiresAt must be in the future.");
  if ((await queryItems(deps, { pk: apiKeysPk(ws) }, ApiKeyItem)).length >= API_KEYS_MAX) throw createLimitRefusal();
  const id = deps.newId("key");
  const text = await createApiKeyText(deps.newId, ws, { source: asked.source, until });
  const hash = await hashApiKey(text);
  const item = {
    id,
    name,
    createdAt: toIso(deps.now()),
    createdBy: creatorId,
    ...pickScope({ ...asked, mayResolve: asked.mayResolve ?? "own" }),
    ...(asked.signingSecret === undefined ? {} : { signingSecret: asked.signingSecret }),
  };
  const key = apiKeyKey(ws, id);
  await createRecordedItem(deps, key, item, {
    schema: ApiKeyItem,
    recorded: describeApiKeyForTrail(ws, id),
    stored: { ...item, hash },
  });
  if (!(await allowApiKey(deps, ws, hash, API_KEYS_MAX))) {
    await deleteRecordedItem(deps, key, ApiKeyItem, describeApiKeyForTrail(ws, id));
    throw createLimitRefusal();
  }
  const [made] = await toApiKeys(deps, ws, [item]);
  if (made === undefined) throw new Error("the new API key could not be converted for the response");
  return { ...made, key: text };
};

/** Creates a key with the name, scope and expiry of key `id`, which stays valid. Returns undefined for an unknown `id`. */
export const createReplacementKey = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  id: string,
): Promise<(ApiKey & { key: string }) | undefined> => {
  const item = await getItem(deps, apiKeyKey(ws, id), ApiKeyItem);
  if (item === undefined) return undefined;
  const { name, signingSecret } = item;
  return createApiKey(deps, ws, {
    name,
    ...pickScope(item),
    ...(signingSecret === undefined ? {} : { signingSecret }),
  });
};

export const listApiKeys = async (deps: TableDeps, ws: WorkspaceId): Promise<ApiKey[]> => {
  const items = await queryItems(deps, { pk: apiKeysPk(ws) }, ApiKeyItem);
  return (await toApiKeys(deps, ws, items)).sort(compareByCreation);
};

export const readApiKey = async (deps: TableDeps, ws: WorkspaceId, id: string): Promise<ApiKey | undefined> => {
  const item = await getItem(deps, apiKeyKey(ws, id), ApiKeyItem);
  return item === undefined ? undefined : (await toApiKeys(deps, ws, [item]))[0];
};

export type KeyedSender = { sender: Sender; scope: KeyScope; used: number; signingSecret: string | undefined };

/** Returns the sender, scope, last use and signing secret of the API key with this hash; undefined if no key has it. */
export const readSenderOfKey = async (
  deps: TableDeps,
  ws: WorkspaceId,
  hash: Uint8Array,
): Promise<KeyedSender | undefined> => {
  const items = await queryItems(deps, { pk: apiKeysPk(ws) }, ApiKeyItem);
  const item = items.find((one) => Buffer.from(one.hash).equals(hash));
  if (item === undefined) return undefined;
  const { id, name, used = 0, signingSecret } = item;
  return { sender: { id, name }, scope: pickScope(item), used, signingSecret };
};

/** Stores that a key was used at `at`, unless the key is deleted or its stored use is later than `before`. */
export const setKeyUsed = async (
  deps: TableDeps,
  ws: WorkspaceId,
  id: string,
  { at, before }: { at: number; before: number },
): Promise<void> => {
  await updateItem(deps, apiKeyKey(ws, id), ApiKeyItem, {
    update: "SET used = :at",
    condition: "attribute_exists(pk) AND (attribute_not_exists(used) OR used <= :before)",
    values: { ":at": at, ":before": before },
  });
};

/** Revokes a key, then removes it. Throws Refusal `changed_meanwhile` unless version 1, the version of every key, is expected. */
export const deleteApiKey: DeleteItem = async (deps, ws, id, expected) => {
  const item = await getItem(deps, apiKeyKey(ws, id), ApiKeyItem);
  if (item === undefined) return false;
  requireExpectedVersion(API_KEY_VERSION, expected);
  await revokeApiKey(deps, ws, item.hash);
  await deleteRecordedItem(deps, apiKeyKey(ws, id), ApiKeyItem, describeApiKeyForTrail(ws, id));
  return true;
};
