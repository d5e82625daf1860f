import type { LookupFunction } from "node:net";
import { isAllowedEndpoint, isPushServiceEndpoint } from "../../domain/delivery/push/endpoint.ts";
import { buildDeclarativePush } from "../../domain/delivery/push/message.ts";
import type { WebPushMessage } from "../../domain/delivery/push/message.ts";
import { fromIso } from "../../domain/basics/time.ts";
import type { PushOutcome, DeviceTimes, PushChannel } from "../../domain/delivery/push/outcome.ts";
import { sendInTime } from "../attempt.ts";
import type { Attempt } from "../attempt.ts";
import type { CachedValue } from "../cached-value.ts";
import { MAX_CONNECTIONS, PUSH_DEADLINE_MS } from "../limits.ts";
import { createTransports, postOnce, type Transports } from "../post.ts";
import { afterRealTime } from "../time-limit.ts";
import type { SetTimer } from "../time-limit.ts";
import { encryptForBrowser } from "./encrypt.ts";
import { OTHER_KEY, interpretWebPushAnswer } from "./outcome-of-answer.ts";
import { createPublicLookup } from "../../post/public-lookup.ts";
import { createVapidAuthorization } from "./vapid.ts";
import type { VapidKeys } from "./vapid.ts";

export type StandIn = {
  /** The prefix of the URLs of the stand-in's own endpoints. */
  prefix: string;
  /** Whether the stand-in also accepts pushes for real push services, under `relay/`. */
  takesAll: boolean;
};

/** A browser needs the previous keys until its subscription is renewed. `madeAt`: when the keys `current` were stored. */
export type KnownKeys = { current: VapidKeys; previous: VapidKeys | undefined; madeAt: number };

export type WebPushOptions = {
  /** Returns the keys, or undefined if no keys are stored. Reads the keys again if the last read was before `since`. */
  getKeys: (since?: number) => Promise<CachedValue<KnownKeys | undefined>>;
  now: () => number;
  standIn?: StandIn | undefined;
  deadlineMs?: number;
  maxConnections?: number;
  after?: SetTimer;
  lookup?: LookupFunction;
};

/** Returns whether an outcome means that the push service refused the service's key pair. */
const areKeysRefused = ({ kind }: PushOutcome): boolean => kind === "auth" || kind === "foreign";

/** Encrypts a message for a browser. Returns undefined if the browser's `keys` are invalid. */
const encryptFor = (keys: WebPushMessage["subscription"]["keys"], message: WebPushMessage): Buffer | undefined => {
  try {
    return encryptForBrowser(Buffer.from(JSON.stringify(buildDeclarativePush(message))), keys);
  } catch {
    return undefined;
  }
};

/** Returns the URL to post to. Returns undefined if the endpoint does not belong to a push service. */
const chooseUrl = (endpoint: string, standIn: StandIn | undefined): URL | undefined => {
  if (!isAllowedEndpoint(endpoint, standIn?.prefix)) return undefined;
  const relayed = standIn?.takesAll === true && isPushServiceEndpoint(endpoint);
  return new URL(relayed ? `${standIn.prefix}relay/${encodeURIComponent(endpoint)}` : endpoint);
};

type Post = {
  message: WebPushMessage;
  encrypted: Buffer;
  url: URL;
  attempt: Attempt;
  transports: Transports;
  now: () => number;
};

const postSigned = async (
  { message, encrypted, url, attempt, transports, now }: Post,
  keys: VapidKeys,
): Promise<PushOutcome> => {
  const headers = {
    ...message.headers,
    Authorization: createVapidAuthorization(keys, message.subscription.endpoint, now()),
    "Content-Encoding": "aes128gcm",
    "Content-Type": "application/notification+json",
  };
  const outcome = await postOnce({ url, headers, body: encrypted, attempt, transports }, (answer) =>
    interpretWebPushAnswer(answer.status, answer.headers, answer.body, now()),
  );
  if (areKeysRefused(outcome)) attempt.refused();
  return outcome;
};

/** `refused`: the public keys that the push service refused. `takenBy`: the public key that was not refused. */
type Answer = { outcome: PushOutcome; refused: readonly string[]; takenBy?: string };

/** Posts a request with one pair of keys after the other, until the push service does not refuse the pair. */
const postWithEachKey = async (request: Post, pairs: readonly VapidKeys[]): Promise<Answer> => {
  let outcome: PushOutcome = { kind: "foreign", code: OTHER_KEY, proven: false };
  const refused: string[] = [];
  for (const keys of pairs) {
    const next = await postSigned(request, keys);
    if (!areKeysRefused(next)) return { outcome: next, refused, takenBy: keys.publicKey };
    refused.push(keys.publicKey);
    // The subscription was made with another Web Push key only if the push service refuses all pairs as foreign.
    if (next.kind === "auth") outcome = next;
  }
  return { outcome, refused };
};

const listKeyPairs = ({ current, previous }: KnownKeys): VapidKeys[] =>
  previous === undefined ? [current] : [current, previous];

/** Creates the channel for Web Push (RFC 8030, 8291, 8292). Sends one request per message and key, and follows no redirects. */
export const createWebPushChannel = ({
  getKeys,
  now,
  standIn,
  deadlineMs = PUSH_DEADLINE_MS,
  maxConnections = MAX_CONNECTIONS,
  after = afterRealTime,
  lookup = createPublicLookup(),
}: WebPushOptions): PushChannel<WebPushMessage> => {
  const transports = createTransports({ now, maxConnections, lookup });
  const good = new Set<string>();

  /** Returns our keys; undefined if they cannot be read. If the cached keys were read before `since`, reads them again. */
  const readKeys = async (since?: number) => {
    try {
      return await getKeys(since);
    } catch {
      return undefined;
    }
  };

  /**
   * Posts again with other keys. Reads our keys first if the device registered after the last read; outcome `auth` if this fails;
   * `foreign` if all keys are refused, with `proven` if a device accepted a key or this device is younger than the keys.
   */
  const retryWithUnrefusedKeys = async (
    request: Post,
    read: CachedValue<KnownKeys>,
    refused: Answer,
    device: DeviceTimes,
  ): Promise<Answer> => {
    const registeredAt = fromIso(device.registeredAt) ?? Infinity;
    const { value, atMs } = (read.atMs >= registeredAt ? read : await readKeys(registeredAt)) ?? read;
    if (value === undefined || atMs < registeredAt) return { ...refused, outcome: { kind: "auth", code: OTHER_KEY } };
    const pairs = listKeyPairs(value);
    const answer = await postWithEachKey(
      request,
      pairs.filter(({ publicKey }) => !refused.refused.includes(publicKey)),
    );
    if (answer.outcome.kind !== "foreign") return answer;
    const isYounger = (fromIso(device.createdAt) ?? 0) > value.madeAt;
    const proven = isYounger || pairs.some(({ publicKey }) => good.has(publicKey));
    return { ...answer, outcome: { ...answer.outcome, proven } };
  };

  const sendMessage = async (message: WebPushMessage, attempt: Attempt, device: DeviceTimes): Promise<PushOutcome> => {
    const { endpoint, keys: browser } = message.subscription;
    const url = chooseUrl(endpoint, standIn);
    if (url === undefined) return { kind: "invalid", code: "ENDPOINT_UNKNOWN" };
    const read = await readKeys();
    if (read === undefined) return { kind: "retry", code: "VAPID_KEYS_UNAVAILABLE" };
    const { value, atMs } = read;
    if (value === undefined) return { kind: "auth", code: "VAPID_KEYS_MISSING" };
    const encrypted = encryptFor(browser, message);
    if (encrypted === undefined) return { kind: "invalid", code: "KEYS_INVALID" };
    const request = { message, encrypted, url, attempt, transports, now };
    const first = await postWithEachKey(request, listKeyPairs(value));
    const isForeign = first.outcome.kind === "foreign";
    const { outcome, takenBy } = isForeign
      ? await retryWithUnrefusedKeys(request, { value, atMs }, first, device)
      : first;
    if (outcome.kind === "accepted" && takenBy !== undefined) good.add(takenBy);
    return outcome;
  };

  return {
    send: (message, device) => sendInTime(after, deadlineMs, (attempt) => sendMessage(message, attempt, device)),
    prepare: async () => (await readKeys()) !== undefined,
  };
};
