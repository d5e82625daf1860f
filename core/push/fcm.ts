import type { FcmMessage } from "../domain/delivery/push/message.ts";
import { fromIso } from "../domain/basics/time.ts";
import type { PushOutcome, Registered, PushChannel } from "../domain/delivery/push/outcome.ts";
import { createAccessTokens } from "./access-token.ts";
import type { AccessToken, Refused } from "./access-token.ts";
import { sendWithin } from "./attempt.ts";
import type { Attempt } from "./attempt.ts";
import { outcomeOfFcm } from "./fcm-answer.ts";
import { CREDENTIALS_RELOAD_MS, MAX_CONNECTIONS, PUSH_DEADLINE_MS } from "./limits.ts";
import { createTransports, postOnce } from "./post.ts";
import { parseServiceAccount } from "./service-account.ts";
import type { ServiceAccount } from "./service-account.ts";
import { afterRealTime, LATE, within } from "./within.ts";
import type { After } from "./within.ts";

/**
 * A send waits for credentials for at most this share of its deadline, so that the rest is enough for FCM to answer.
 */
const CREDENTIALS_SHARE = 0.5;

export type PushOptions = {
  /** The service account's key file, as JSON. Read at the first send, and again after its credentials are refused. */
  getServiceAccount: () => Promise<string>;
  now: () => number;
  deadlineMs?: number;
  maxConnections?: number;
  after?: After;
};

type Client = { kind: "client"; account: ServiceAccount; accessToken: () => Promise<AccessToken | Refused> };

/** A client, or why there is none; when the session began, and as of when the service account is the one stored. */
type Session = { client: Promise<Client | Refused>; atMs: number; asOfMs: number };

/** A refusal that says nothing about the service's own credentials: APNs' key. */
const NOT_OUR_CREDENTIALS = "THIRD_PARTY_AUTH_ERROR";

type ClientOptions = Required<Pick<PushOptions, "getServiceAccount" | "now" | "deadlineMs" | "after">>;

/** A client for the service account as it is stored. */
const open = async ({ getServiceAccount, now, deadlineMs, after }: ClientOptions): Promise<Client | Refused> => {
  let text: string | typeof LATE;
  try {
    text = await within(after, deadlineMs, getServiceAccount());
  } catch {
    return { kind: "retry", code: "SERVICE_ACCOUNT_UNAVAILABLE" };
  }
  if (text === LATE) return { kind: "retry", code: "SERVICE_ACCOUNT_TIMEOUT" };
  const account = parseServiceAccount(text);
  return account === undefined
    ? { kind: "auth", code: "SERVICE_ACCOUNT_INVALID" }
    : { kind: "client", account, accessToken: createAccessTokens({ account, now, after, timeoutMs: deadlineMs }) };
};

/** A client with a token for one send. */
type Ready = { kind: "ready"; account: ServiceAccount; token: string };

const ready = async (session: Session): Promise<Ready | Refused> => {
  const client = await session.client;
  if (client.kind !== "client") return client;
  const token = await client.accessToken();
  return token.kind === "token" ? { kind: "ready", account: client.account, token: token.token } : token;
};

/** The request of FCM's HTTP v1 API that sends one message. */
const requestOf = ({ account, token }: Ready, message: FcmMessage) => ({
  url: new URL(`https://fcm.googleapis.com/v1/projects/${account.projectId}/messages:send`),
  headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
  body: Buffer.from(JSON.stringify({ message })),
});

/** The way to devices through FCM. Any number of sends may run at once; none waits for another's answer. */
export const createPush = ({
  getServiceAccount,
  now,
  deadlineMs = PUSH_DEADLINE_MS,
  maxConnections = MAX_CONNECTIONS,
  after = afterRealTime,
}: PushOptions): PushChannel<FcmMessage> => {
  const transports = createTransports({ now, maxConnections });
  let current: Session | undefined;
  /** The projects of which FCM has taken a push. */
  const good = new Set<string>();

  const forget = (session: Session): void => {
    if (current === session) current = undefined;
  };

  const openSession = (): Session => {
    const session = { client: open({ getServiceAccount, now, deadlineMs, after }), atMs: now(), asOfMs: now() };
    // A secret that could not be read is read again by the next send. A client is kept while its credentials are valid.
    void session.client.then((client) => {
      if (client.kind === "retry") forget(session);
    });
    return session;
  };

  /** Refused credentials are read again after a while, because they may have been replaced. */
  const refusal = (session: Session, outcome: PushOutcome): PushOutcome => {
    const isOurs = outcome.kind === "auth" && outcome.code !== NOT_OUR_CREDENTIALS;
    if (isOurs && now() - session.atMs >= CREDENTIALS_RELOAD_MS) forget(session);
    return outcome;
  };

  /** Whether the session's service account is the one that is stored, as of `since` or later. */
  const isStored = async (session: Session, { account }: Ready, since: number): Promise<boolean> => {
    if (session.asOfMs >= since) return true;
    const asOfMs = now();
    try {
      const text = await within(after, deadlineMs * CREDENTIALS_SHARE, getServiceAccount());
      const stored = text === LATE ? undefined : parseServiceAccount(text);
      if (stored === undefined) return false;
      if (stored.projectId === account.projectId) session.asOfMs = asOfMs;
      else forget(session);
    } catch {
      return false;
    }
    return session.asOfMs >= since;
  };

  /**
   * A device of another project is the device's fault only if others of ours take pushes. Otherwise the service account
   * may be the wrong one; it may also have been replaced since it was read, if the device registered later than that.
   */
  const judge = async (session: Session, client: Ready, code: string, device: Registered): Promise<PushOutcome> =>
    (await isStored(session, client, fromIso(device.registeredAt) ?? Infinity))
      ? { kind: "foreign", code, proven: good.has(client.account.projectId) }
      : { kind: "auth", code };

  const credentials = async (session: Session): Promise<Ready | Refused> => {
    const client = await within(after, deadlineMs * CREDENTIALS_SHARE, ready(session));
    return client === LATE ? { kind: "retry", code: "CREDENTIALS_TIMEOUT" } : client;
  };

  const deliver = async (message: FcmMessage, attempt: Attempt, device: Registered): Promise<PushOutcome> => {
    current ??= openSession();
    const session = current;
    const client = await credentials(session);
    if (client.kind !== "ready") return refusal(session, client);
    const outcome = await postOnce({ ...requestOf(client, message), attempt, transports }, (answer) =>
      outcomeOfFcm(answer, now()),
    );
    if (outcome.kind === "accepted") good.add(client.account.projectId);
    if (outcome.kind !== "foreign") return refusal(session, outcome);
    attempt.refused();
    return judge(session, client, outcome.code, device);
  };

  return {
    send: (message, device) => sendWithin(after, deadlineMs, (attempt) => deliver(message, attempt, device)),
    prepare: async () => (await credentials((current ??= openSession()))).kind !== "retry",
  };
};
