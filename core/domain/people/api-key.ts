import * as v from "valibot";
import { crc32 } from "node:zlib";
import { sha256 } from "../basics/digest.ts";
import { encode32, type IdPrefix } from "../basics/ids.ts";
import { NAME_MAX_CODE_POINTS } from "../basics/limits.ts";
import { Refusal } from "../basics/refusal.ts";
import { text } from "../basics/text.ts";

export const ApiKeyInput = v.object({ name: text("name", NAME_MAX_CODE_POINTS) });
export type ApiKeyInput = v.InferOutput<typeof ApiKeyInput>;

/** An API key as lists show it, never with its text. */
export const ApiKey = v.object({ id: v.string(), name: v.string(), createdAt: v.string() });
export type ApiKey = v.InferOutput<typeof ApiKey>;

const CHECK_WIDTH = 7;
const SHAPE = /^eak_(?<workspace>[0-9A-Za-z]{1,64})_[0-9A-Za-z_-]{43}_(?<check>[0-9a-z]{7})$/;

const checkOf = (head: string): string => encode32(crc32(head), CHECK_WIDTH);

/** The text of a key and the workspace that it names. */
export type ApiKeyText = { workspaceId: string; text: string };

/** Reads the text of a key; undefined when it does not look like a key or its checksum is wrong. */
export const parseApiKey = (text: string): ApiKeyText | undefined => {
  const { workspace, check } = SHAPE.exec(text)?.groups ?? {};
  if (workspace === undefined || check !== checkOf(text.slice(0, -CHECK_WIDTH - 1))) return undefined;
  return { workspaceId: `ws_${workspace}`, text };
};

/** The refusal of a key that is missing, mistyped, deleted or unknown. All look the same. */
export const badApiKey = (): Refusal =>
  new Refusal("unauthenticated", "A valid API key is needed, once, in the header X-Api-Key.", { challenge: "ApiKey" });

const HASH_BYTES = 16;

/** What is stored of a key: enough of its SHA-256 that nobody will find another text with the same hash. */
export const hashApiKey = async (text: string): Promise<Uint8Array> => (await sha256(text)).slice(0, HASH_BYTES);

/** How many ids make up a secret; each has 80 random bits. */
const SECRET_IDS = 4;

/** The text of a new key: the workspace, 256 bits of secret, and a checksum. */
export const newApiKeyText = async (newId: (prefix: IdPrefix) => string, workspaceId: string): Promise<string> => {
  const random = Array.from({ length: SECRET_IDS }, () => newId("key")).join();
  const secret = Buffer.from(await sha256(random)).toString("base64url");
  const head = `eak_${workspaceId.slice("ws_".length)}_${secret}`;
  return `${head}_${checkOf(head)}`;
};
