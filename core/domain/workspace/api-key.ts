import * as v from "valibot";
import { KEY_PATTERNS_MAX, NAME_MAX_CODE_POINTS } from "../basics/limits.ts";
import { Refusal } from "../basics/refusal.ts";
import { MAPPED, signatureHeaders, SourceName } from "../basics/source-name.ts";
import { nameSchema } from "../basics/text.ts";
import { Somebody } from "../basics/authored.ts";
import { Mapping } from "../basics/mapping.ts";
import { timestampSchema } from "../basics/clock/timestamp.ts";
import { EventKeyPattern, matchesEventKey } from "../basics/event-key.ts";

const mayResolve = ["own", "any"] as const;

const SECRET = "signingSecret must be the tool's signing secret: 16 to 200 characters, without spaces.";

const ApiKeyFields = v.strictObject({
  name: nameSchema("name", NAME_MAX_CODE_POINTS),
  /** The only tool that may use the key; if absent, any program may use it. */
  source: v.exactOptional(SourceName),
  /** Which fields of the tool's messages become fields of events; only if the source is `mapped`. */
  mapping: v.exactOptional(Mapping),
  /** The secret with which the tool must sign its messages, if set. */
  signingSecret: v.exactOptional(v.pipe(v.string(SECRET), v.regex(/^[!-~]{16,200}$/, SECRET))),
  /** Patterns of the event keys that the API key may send; by default, the API key may send all event keys. */
  eventKeys: v.exactOptional(
    v.pipe(
      v.array(EventKeyPattern),
      v.minLength(1, "eventKeys must have at least one pattern; leave it out for all."),
      v.maxLength(KEY_PATTERNS_MAX, `eventKeys must have at most ${KEY_PATTERNS_MAX} patterns.`),
    ),
  ),
  /** Whether the key's events may resolve only events of API keys with the same name (`own`), or all events (`any`). */
  mayResolve: v.exactOptional(v.picklist(mayResolve, "mayResolve must be own or any.")),
  expiresAt: v.exactOptional(timestampSchema("expiresAt")),
});
const usesMapping = ({ source }: { source?: SourceName | undefined }): boolean => source === MAPPED;

export const ApiKeyInput = v.pipe(
  ApiKeyFields,
  v.forward(
    v.check(
      (key) => usesMapping(key) === (key.mapping !== undefined),
      ({ input }) =>
        usesMapping(input)
          ? '"mapping" is required if "source" is "mapped": the mapping says where title, body and so on are.'
          : '"mapping" is allowed only if "source" is "mapped".',
    ),
    ["mapping"],
  ),
  v.forward(
    v.check(
      ({ source, signingSecret }) =>
        signingSecret === undefined || (source !== undefined && signatureHeaders[source] !== undefined),
      `"signingSecret" is allowed only if "source" is "${Object.keys(signatureHeaders).join('" or "')}".`,
    ),
    ["signingSecret"],
  ),
);
export type ApiKeyInput = v.InferOutput<typeof ApiKeyInput>;

/** What an API key may be used for. A key with a source may send only messages of this source's tool. */
const scope = {
  source: v.exactOptional(SourceName),
  mapping: v.exactOptional(v.object(Mapping.entries)),
  eventKeys: v.exactOptional(v.array(v.string())),
  mayResolve: v.picklist(mayResolve),
  expiresAt: v.exactOptional(v.string()),
};
export const KeyScope = v.object(scope);
export type KeyScope = v.InferOutput<typeof KeyScope>;

export const ApiKey = v.object({
  id: v.string(),
  name: v.string(),
  createdAt: v.string(),
  /** The person who created the key; null for keys of operators and of earlier versions. */
  createdBy: v.nullable(Somebody),
  lastUsedAt: v.nullable(v.string()),
  /** Whether a signing secret is set. */
  signed: v.boolean(),
  ...scope,
});
export type ApiKey = v.InferOutput<typeof ApiKey>;

/** All API keys have this version, because API keys never change. */
export const API_KEY_VERSION = { version: 1 };

/** Returns whether the API key may send events with the event key. */
export const maySend = ({ eventKeys }: Pick<KeyScope, "eventKeys">, eventKey: string): boolean =>
  eventKeys === undefined || eventKeys.some((pattern) => matchesEventKey(pattern, eventKey));

export const refuseEventKey = ({ eventKeys = [] }: Pick<KeyScope, "eventKeys">, eventKey: string): Refusal =>
  new Refusal("key_scope", `This API key may send only ${eventKeys.join(", ")}, not ${eventKey}.`);

/** Returns the refusal of a key that may send only messages of the tool `source`. */
export const refuseOutOfScope = (source: SourceName): Refusal =>
  new Refusal("key_scope", `This API key is for POST /v1/events/from/${source} only. Create a key without a source.`);

const NEEDS_KEY = "A valid API key is required in the header X-Api-Key.";

/** Returns the same refusal for a missing, deleted or unknown key. `hint`: why the text cannot be an API key. */
export const refuseApiKey = (hint = ""): Refusal =>
  new Refusal("unauthenticated", hint === "" ? NEEDS_KEY : `${NEEDS_KEY} ${hint}`, { challenge: "ApiKey" });
