import * as v from "valibot";
import { crc32 } from "node:zlib";
import { sha256 } from "../basics/digest.ts";
import { encode32, type IdPrefix, type WorkspaceId } from "../basics/ids.ts";
import { KEY_PATTERNS_MAX, NAME_MAX_CODE_POINTS } from "../basics/limits.ts";
import { Refusal } from "../basics/refusal.ts";
import { isSource, MAPPED, signatureHeaders, SourceName } from "../basics/source-name.ts";
import { nameSchema } from "../basics/text.ts";
import { Somebody } from "../basics/authored.ts";
import { Mapping } from "../basics/mapping.ts";
import { timestamp } from "../basics/clock/timestamp.ts";
import { EventKeyPattern, matchesEventKey } from "../basics/event-key.ts";

const mayResolve = ["own", "any"] as const;

const SECRET = "signingSecret must be the tool's signing secret: 16 to 200 characters, without spaces.";

const ApiKeyFields = v.object({
  name: nameSchema("name", NAME_MAX_CODE_POINTS),
  /** The only tool that may use the key; absent for any. */
  source: v.exactOptional(SourceName),
  /** The mapping of the key's messages, if its source is `mapped`. */
  mapping: v.exactOptional(Mapping),
  /** The secret with which the tool signs. If set, unsigned messages are refused. */
  signingSecret: v.exactOptional(v.pipe(v.string(SECRET), v.regex(/^[!-~]{16,200}$/, SECRET))),
  /** The patterns of event keys that the key may send; any by default. */
  eventKeys: v.exactOptional(
    v.pipe(
      v.array(EventKeyPattern),
      v.minLength(1, "eventKeys must have at least one pattern; leave it out for all."),
      v.maxLength(KEY_PATTERNS_MAX, `eventKeys must have at most ${KEY_PATTERNS_MAX} patterns.`),
    ),
  ),
  /** Whether the key's events may also resolve events of keys with other names. */
  mayResolve: v.exactOptional(v.picklist(mayResolve, "mayResolve must be own or any.")),
  expiresAt: v.exactOptional(timestamp("expiresAt")),
});
const isSignedSource = (source: SourceName): boolean => signatureHeaders[source] !== undefined;
const isMapped = ({ source }: { source?: SourceName | undefined }): boolean => source === MAPPED;

/** The input that creates an API key. */
export const ApiKeyInput = v.pipe(
  ApiKeyFields,
  v.forward(
    v.check(
      (key) => isMapped(key) === (key.mapping !== undefined),
      ({ input }) =>
        isMapped(input)
          ? "mapping is required for the source mapped: it says where title, body and so on are."
          : "mapping is for the source mapped only.",
    ),
    ["mapping"],
  ),
  v.forward(
    v.check(
      ({ source, signingSecret }) => signingSecret === undefined || (source !== undefined && isSignedSource(source)),
      `signingSecret is for the source ${Object.keys(signatureHeaders).join(" or ")} only.`,
    ),
    ["signingSecret"],
  ),
);
export type ApiKeyInput = v.InferOutput<typeof ApiKeyInput>;

/** The scope of a key. A key with a source accepts only that tool's messages. */
const scope = {
  source: v.exactOptional(SourceName),
  mapping: v.exactOptional(v.object(Mapping.entries)),
  eventKeys: v.exactOptional(v.array(v.string())),
  mayResolve: v.picklist(mayResolve),
  expiresAt: v.exactOptional(v.string()),
};
export const KeyScope = v.object(scope);
export type KeyScope = v.InferOutput<typeof KeyScope>;

/** An API key as lists show it, without its secret text. */
export const ApiKey = v.object({
  id: v.string(),
  name: v.string(),
  createdAt: v.string(),
  /** Null for a key that an operator or an earlier version created. */
  createdBy: v.nullable(Somebody),
  /** The day of the last use; null if the key was never used. */
  lastUsedAt: v.nullable(v.string()),
  /** Whether the key has the secret with which its tool signs. */
  signed: v.boolean(),
  ...scope,
});
export type ApiKey = v.InferOutput<typeof ApiKey>;

/** The version of every key, because keys never change. */
export const API_KEY_VERSION = { version: 1 };

const CHECK_WIDTH = 7;
/** Source names never begin with a digit, so an expiry cannot be mistaken for one. */
const SHAPE =
  /^eak_(?<workspace>[0-9A-Za-z]{1,64})(?:_(?<source>[a-z-]+))?(?:_0(?<until>[0-9a-z]{1,8}))?_[0-9A-Za-z_-]{43}_(?<check>[0-9a-z]{7})$/;

const keyChecksum = (head: string): string => encode32(crc32(head), CHECK_WIDTH);

/** The text of a key, with its workspace, its source if it has one, and its expiry if it has one. */
export type ApiKeyText = { workspaceId: WorkspaceId; text: string; source?: SourceName; until?: number };

/** Parses the text of a key; undefined if it does not look like a key or its checksum is wrong. */
export const parseApiKey = (text: string): ApiKeyText | undefined => {
  const { workspace, source, until, check } = SHAPE.exec(text)?.groups ?? {};
  if (workspace === undefined || check !== keyChecksum(text.slice(0, -CHECK_WIDTH - 1))) return undefined;
  const key: ApiKeyText = {
    workspaceId: `ws_${workspace}`,
    text,
    ...(until === undefined ? {} : { until: Number.parseInt(until, 36) * 1000 }),
  };
  if (source === undefined) return key;
  return isSource(source) ? { ...key, source } : undefined;
};

/** Returns whether a key may send an event with this key. */
export const maySend = ({ eventKeys }: Pick<KeyScope, "eventKeys">, eventKey: string): boolean =>
  eventKeys === undefined || eventKeys.some((pattern) => matchesEventKey(pattern, eventKey));

/** Returns the refusal of an event that a valid key may not send. */
export const refuseEventKey = ({ eventKeys = [] }: Pick<KeyScope, "eventKeys">, eventKey: string): Refusal =>
  new Refusal("key_scope", `This API key may send only ${eventKeys.join(", ")}, not ${eventKey}.`);

/** Returns the refusal of a valid key that is used for something else. */
export const refuseOutOfScope = (source: SourceName): Refusal =>
  new Refusal("key_scope", `This API key is for POST /v1/events/from/${source} only. Create one without a source.`);

const NEEDS_KEY = "A valid API key is required in the header X-Api-Key.";

/**
 * Returns the refusal of a missing, mistyped, deleted or unknown key, identical for every text that could be a
 * key. `hint`: what is wrong with a text that cannot be one.
 */
export const refuseApiKey = (hint = ""): Refusal =>
  new Refusal("unauthenticated", hint === "" ? NEEDS_KEY : `${NEEDS_KEY} ${hint}`, { challenge: "ApiKey" });

const HASH_BYTES = 16;

/** Returns the stored part of a key's SHA-256, long enough that nobody can find another text with the same hash. */
export const hashApiKey = async (text: string): Promise<Uint8Array> => (await sha256(text)).slice(0, HASH_BYTES);

/** How many ids a secret consists of; each has 80 random bits. */
const SECRET_IDS = 4;

/**
 * Returns the text of a new key: workspace, source and expiry if set, 256 secret bits, and a checksum. The stored hash
 * covers all of it, so nobody can extend a key's scope or lifetime, and an expired key is refused without a read.
 */
export const newApiKeyText = async (
  newId: (prefix: IdPrefix) => string,
  workspaceId: WorkspaceId,
  { source, until }: { source?: SourceName | undefined; until?: number | undefined } = {},
): Promise<string> => {
  const random = Array.from({ length: SECRET_IDS }, () => newId("key")).join();
  const secret = Buffer.from(await sha256(random)).toString("base64url");
  const names = [
    workspaceId.slice("ws_".length),
    ...(source === undefined ? [] : [source]),
    ...(until === undefined ? [] : [`0${Math.floor(until / 1000).toString(36)}`]),
  ];
  const head = `eak_${names.join("_")}_${secret}`;
  return `${head}_${keyChecksum(head)}`;
};
