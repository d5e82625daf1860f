import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { hashApiKey, newApiKeyText, type ApiKey } from "../domain/people/api-key.ts";
import { API_KEYS_MAX } from "../domain/basics/limits.ts";
import { Refusal } from "../domain/basics/refusal.ts";
import { toIso } from "../domain/basics/time.ts";
import { allowApiKey, revokeApiKey } from "./control.ts";
import { apiKeyKey, apiKeysPk } from "./keys.ts";
import { deleteItem, getItem, putItem, queryItems } from "./table.ts";
import { oldestFirst } from "./versioned.ts";

const ApiKeyItem = v.object({
  id: v.string(),
  name: v.string(),
  createdAt: v.string(),
  hash: v.instance(Uint8Array),
});

const toApiKey = ({ id, name, createdAt }: v.InferOutput<typeof ApiKeyItem>): ApiKey => ({ id, name, createdAt });

const tooMany = () =>
  new Refusal("limit_reached", `A workspace has at most ${API_KEYS_MAX} API keys. Delete one first.`);

/** Creates a key and gives its text, which is not stored. Listed before it is valid: no valid key is unlisted. */
export const createApiKey = async (
  deps: Pick<Deps, "table" | "now" | "newId">,
  ws: string,
  name: string,
): Promise<ApiKey & { key: string }> => {
  const others = await queryItems(deps, { pk: apiKeysPk(ws) }, ApiKeyItem);
  if (others.length >= API_KEYS_MAX) throw tooMany();
  const id = deps.newId("key");
  const key = await newApiKeyText(deps.newId, ws);
  const createdAt = toIso(deps.now());
  const hash = await hashApiKey(key);
  await putItem(deps, apiKeyKey(ws, id), { id, name, createdAt, hash });
  if (!(await allowApiKey(deps, ws, hash, API_KEYS_MAX))) {
    await deleteItem(deps, apiKeyKey(ws, id));
    throw tooMany();
  }
  return { id, name, key, createdAt };
};

/** The oldest first. */
export const listApiKeys = async (deps: Pick<Deps, "table">, ws: string): Promise<ApiKey[]> => {
  const items = await queryItems(deps, { pk: apiKeysPk(ws) }, ApiKeyItem);
  return items.map(toApiKey).sort(oldestFirst);
};

export const readApiKey = async (deps: Pick<Deps, "table">, ws: string, id: string): Promise<ApiKey | undefined> => {
  const item = await getItem(deps, apiKeyKey(ws, id), ApiKeyItem);
  return item === undefined ? undefined : toApiKey(item);
};

/** Revokes a key, then removes it. Says whether it existed. */
export const deleteApiKey = async (deps: Pick<Deps, "table">, ws: string, id: string): Promise<boolean> => {
  const item = await getItem(deps, apiKeyKey(ws, id), ApiKeyItem);
  if (item === undefined) return false;
  await revokeApiKey(deps, ws, item.hash);
  await deleteItem(deps, apiKeyKey(ws, id));
  return true;
};
