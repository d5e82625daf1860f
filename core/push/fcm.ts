import { randomUUID } from "node:crypto";
import { Agent } from "node:https";
import type { Messaging } from "firebase-admin/messaging";
import type { FcmMessage } from "../domain/delivery/push/message.ts";
import { fromIso } from "../domain/basics/time.ts";
import type { PushOutcome, DeviceTimes, PushChannel } from "../domain/delivery/push/outcome.ts";
import { cacheAccessToken } from "./access-token.ts";
import type { AccessToken, Refused } from "./access-token.ts";
import { buildConnectionOptions, createTransport, sendInTime } from "./attempt.ts";
import type { Attempt } from "./attempt.ts";
import { CREDENTIALS_RELOAD_MS, MAX_CONNECTIONS, PUSH_DEADLINE_MS } from "./limits.ts";
import { interpretError } from "./outcome-of-error.ts";
import { parseServiceAccount } from "./service-account.ts";
import type { ServiceAccount } from "./service-account.ts";
import { afterRealTime, LATE, withTimeLimit } from "./time-limit.ts";
import type { SetTimer } from "./time-limit.ts";

/** The part of its deadline for which a send may wait for credentials, so that time is left for FCM. */
const CREDENTIALS_SHARE = 0.5;

export type PushOptions = {
  /** Reads Google's key file (JSON). Called before the first send, and after FCM refused the credentials. */
  getServiceAccount: () => Promise<string>;
  now: () => number;
  deadlineMs?: number;
  maxConnections?: number;
  after?: SetTimer;
};

type Client = {
  kind: "client";
  account: ServiceAccount;
  messaging: Messaging;
  accessToken: () => Promise<AccessToken | Refused>;
  close: () => Promise<void>;
};

/** `asOfMs`: the last time at which the session's account was known to be stored. */
type Session = { client: Promise<Client | Refused>; atMs: number; asOfMs: number };

/** FCM's error code for a fault of the APNs key, not of the service's own credentials. */
const NOT_OUR_CREDENTIALS = "THIRD_PARTY_AUTH_ERROR";

const readField = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/**
 * Disables firebase-admin's retries after a 503, a reset or a timeout by removing its HTTP client's retry setting. firebase-admin
 * has no option for disabling retries. After a reset, FCM may have accepted the message, and a retry could send the push again.
 * Returns false if a new version of firebase-admin has moved the setting; in this case, nothing may be sent.
 */
const disableRetries = (messaging: Messaging): boolean => {
  const httpClient = readField(readField(messaging, "messagingRequestHandler"), "httpClient");
  if (typeof httpClient !== "object" || httpClient === null || readField(httpClient, "retry") === undefined)
    return false;
  return Reflect.set(httpClient, "retry", undefined);
};

type ClientOptions = Required<Pick<PushOptions, "getServiceAccount" | "now" | "deadlineMs" | "after">> & {
  agent: Agent;
};

/** Imports firebase-admin at the first send, because an earlier import would delay the start of every instance. */
const loadFirebase = async () => ({
  ...(await import("firebase-admin/app")),
  ...(await import("firebase-admin/messaging")),
});

/** Creates an FCM client for an account. Returns a Refused if firebase-admin's own retries cannot be disabled. */
const openClient = (
  account: ServiceAccount,
  { deleteApp, getMessaging, initializeApp }: Awaited<ReturnType<typeof loadFirebase>>,
  { now, deadlineMs, after, agent }: ClientOptions,
): Client | Refused => {
  const accessToken = cacheAccessToken({ account, now, after, timeoutMs: deadlineMs });
  const getAccessToken = async () => {
    const token = await accessToken();
    if (token.kind !== "token") throw new Error(token.code);
    return { access_token: token.token, expires_in: Math.floor((token.expiresAtMs - now()) / 1000) };
  };
  const app = initializeApp(
    { credential: { getAccessToken }, projectId: account.projectId, httpAgent: agent },
    `push-${randomUUID()}`,
  );
  const messaging = getMessaging(app);
  if (!disableRetries(messaging)) return { kind: "auth", code: "FIREBASE_ADMIN_CHANGED" };
  return { kind: "client", account, messaging, accessToken, close: () => deleteApp(app) };
};

/** Reads the service account and opens a client for it. */
const connectClient = async (options: ClientOptions): Promise<Client | Refused> => {
  const firebase = loadFirebase();
  let text: string | typeof LATE;
  try {
    text = await withTimeLimit(options.after, options.deadlineMs, options.getServiceAccount());
  } catch {
    return { kind: "retry", code: "SERVICE_ACCOUNT_UNAVAILABLE" };
  }
  if (text === LATE) return { kind: "retry", code: "SERVICE_ACCOUNT_TIMEOUT" };
  const account = parseServiceAccount(text);
  return account === undefined
    ? { kind: "auth", code: "SERVICE_ACCOUNT_INVALID" }
    : openClient(account, await firebase, options);
};

/** Returns the session's client once the client has an access token, or else the reason why it has none. */
const getClient = async (session: Session): Promise<Client | Refused> => {
  const client = await session.client;
  if (client.kind !== "client") return client;
  const token = await client.accessToken();
  return token.kind === "token" ? client : token;
};

/** Calls `send`, and turns a thrown error into an outcome. */
const attemptSend = async (send: () => Promise<string>, attempt: Attempt, now: () => number): Promise<PushOutcome> => {
  try {
    return { kind: "accepted", messageId: await send() };
  } catch (error) {
    const outcome = interpretError(error, attempt.mayHaveArrived(), now());
    if (outcome.kind === "foreign") attempt.refused();
    return outcome;
  }
};

/** Creates the channel to FCM. Sends run concurrently, and no send waits for another send. */
export const createFcmChannel = ({
  getServiceAccount,
  now,
  deadlineMs = PUSH_DEADLINE_MS,
  maxConnections = MAX_CONNECTIONS,
  after = afterRealTime,
}: PushOptions): PushChannel<FcmMessage> => {
  const transport = createTransport(new Agent(buildConnectionOptions(maxConnections)), now);
  const clientOptions = { getServiceAccount, now, deadlineMs, after, agent: transport.agent };
  let current: Session | undefined;
  const good = new Set<string>();

  const closeSession = async (session: Session): Promise<void> => {
    if (current === session) current = undefined;
    const client = await session.client;
    if (client.kind === "client") await client.close();
  };

  const openSession = (): Session => {
    const session = { client: connectClient(clientOptions), atMs: now(), asOfMs: now() };
    // After a failed connection, the next send reads the secret again.
    void session.client.then((client) => (client.kind === "retry" ? closeSession(session) : undefined));
    return session;
  };

  /** Returns `outcome`. Closes a session older than a minute if FCM refused its credentials: the next send reads them. */
  const closeSessionIfRefused = async (session: Session, outcome: PushOutcome): Promise<PushOutcome> => {
    const isOurs = outcome.kind === "auth" && outcome.code !== NOT_OUR_CREDENTIALS;
    if (isOurs && now() - session.atMs >= CREDENTIALS_RELOAD_MS) await closeSession(session);
    return outcome;
  };

  /** Returns whether the session's account was stored at `since` (ms) or later. Closes the session if another is stored. */
  const isAccountStillStored = async (session: Session, { account }: Client, since: number): Promise<boolean> => {
    if (session.asOfMs >= since) return true;
    const asOfMs = now();
    try {
      const text = await withTimeLimit(after, deadlineMs * CREDENTIALS_SHARE, getServiceAccount());
      const stored = text === LATE ? undefined : parseServiceAccount(text);
      if (stored === undefined) return false;
      if (stored.projectId === account.projectId) session.asOfMs = asOfMs;
      else await closeSession(session);
    } catch {
      return false;
    }
    return session.asOfMs >= since;
  };

  /** Returns `foreign` (the device's fault) if our account was still in use after the registration, otherwise `auth` (ours). */
  const decideRefusalOutcome = async (
    session: Session,
    client: Client,
    code: string,
    device: DeviceTimes,
  ): Promise<PushOutcome> =>
    (await isAccountStillStored(session, client, fromIso(device.registeredAt) ?? Infinity))
      ? { kind: "foreign", code, proven: good.has(client.account.projectId) }
      : { kind: "auth", code };

  const getClientInTime = async (session: Session): Promise<Client | Refused> => {
    const client = await withTimeLimit(after, deadlineMs * CREDENTIALS_SHARE, getClient(session));
    return client === LATE ? { kind: "retry", code: "CREDENTIALS_TIMEOUT" } : client;
  };

  const sendMessage = async (message: FcmMessage, attempt: Attempt, device: DeviceTimes): Promise<PushOutcome> => {
    current ??= openSession();
    const session = current;
    const client = await getClientInTime(session);
    if (client.kind !== "client") return closeSessionIfRefused(session, client);
    const outcome = await attemptSend(() => transport.run(attempt, () => client.messaging.send(message)), attempt, now);
    if (outcome.kind === "accepted") good.add(client.account.projectId);
    if (outcome.kind === "foreign") return decideRefusalOutcome(session, client, outcome.code, device);
    return closeSessionIfRefused(session, outcome);
  };

  return {
    send: (message, device) => sendInTime(after, deadlineMs, (attempt) => sendMessage(message, attempt, device)),
    prepare: async () => (await getClientInTime((current ??= openSession()))).kind !== "retry",
  };
};
