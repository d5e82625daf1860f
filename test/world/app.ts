import { SendMessageCommand } from "@aws-sdk/client-sqs";
import type { Deps, Log } from "../../core/deps.ts";
import { toIso } from "../../core/domain/basics/time.ts";
import { defaultUsagePlan, type UsagePlan } from "../../core/domain/workspace/usage-plan.ts";
import type { Profile, ReadProfile } from "../../core/identity/profile.ts";
import type { PostRequest } from "../../core/domain/webhook/delivery-queue.ts";
import type { PushMessage } from "../../core/domain/delivery/push/message.ts";
import type { WithChannels } from "../../core/flow/admin/notification-rules.ts";
import type { CallMessage } from "../../core/domain/delivery/push/call.ts";
import type { MailMessage } from "../../core/domain/delivery/push/mail.ts";
import type { SmsMessage } from "../../core/domain/delivery/push/sms.ts";
import type { Push, PushChannel } from "../../core/domain/delivery/push/outcome.ts";
import type { ContactDeps } from "../../core/flow/admin/contacts.ts";
import { createEscalator } from "../../functions/escalator.ts";
import { createInbound } from "../../functions/inbound.ts";
import { createMatcher } from "../../functions/matcher.ts";
import { createSender } from "../../functions/sender.ts";
import { createSweeper } from "../../functions/sweeper.ts";
import { createVoice } from "../../functions/voice.ts";
import { createWebhookSender } from "../../functions/webhook-sender.ts";
import type { HttpHandler } from "../../functions/http/endpoint.ts";
import { fallback, otherKeys, type Route, routes } from "../../interface/routes.ts";
import type { Method } from "../../interface/contract.ts";
import { createRouter } from "../../local/http/router.ts";
import { createTestClock } from "./clock.ts";
import { limitToKinds } from "./leading-keys.ts";
import { startTable } from "./table.ts";
import { call, type Answer, type Call } from "./http.ts";
import { createTestQueues } from "./queues.ts";
import { toPush } from "../support/push.ts";
import { slackApp, createSlackStandIn } from "../support/slack.ts";
import { vapidKeys } from "../support/web-push.ts";
import { CHECK_MAX_MS, SEND_SETTLE_MS } from "../../core/flow/notify/send-notification.ts";

export type Ask = Call & { method?: Method; apiKey?: string };

/** The id of a reply by text message, and the time at which SNS received the reply. */
type Replied = { id?: string; at?: number };

const toSnsEnvelope = (message: object, sentAt: number) => ({
  Type: "Notification",
  Timestamp: toIso(sentAt),
  Message: JSON.stringify(message),
});

const routeOf = createRouter([...routes, ...otherKeys]);

const SWEEP_EVERY_MS = 60_000;

type Factory = (deps: object) => HttpHandler;

/** Imports the export of this name, or the only export. */
const importFactory = async (path: string, name?: string): Promise<Factory> => {
  const file = new URL(`../../functions/${path}.ts`, import.meta.url).href;
  const { handler: _, ...module } = (await import(/* @vite-ignore */ file)) as Record<string, Factory>;
  return (name === undefined ? Object.values(module)[0] : module[name])!;
};

export const findFactory = ({ auth, function: name, entry, exported }: Route): Promise<Factory> =>
  auth === "session" ? importFactory(entry.split("/")[0]!, exported) : importFactory(`doors/${name}`);

type HandlerOf<Found> = (found: Found) => HttpHandler | Promise<HttpHandler>;

/** Returns a function that calls the API as its gateway does. `other`: returns the handler of requests that match no route. */
export const createCaller =
  (handlerOf: HandlerOf<Route>, other: HandlerOf<void>) =>
  async <Body = unknown>(
    url: string,
    { method = "GET", apiKey, ...rest }: Ask,
  ): Promise<{ answer: Answer<Body>; route?: Route }> => {
    const [path = "", search] = url.split("?");
    const found = routeOf(method, path);
    const refuse = (status: number, message: string) => ({
      answer: { status, headers: {}, body: { message } as Body },
    });
    if (found.kind === "malformed") return refuse(400, "Bad Request");
    if (found.kind === "missing")
      return { answer: await call<Body>(await other(), { ...rest, method, rawPath: path }) };
    const { route, parameters } = found;
    if (route.auth === "session" && rest.as === undefined) return refuse(401, "Unauthorized");
    const headers = { ...(apiKey === undefined ? {} : { "x-api-key": apiKey }), ...rest.headers };
    const query = search === undefined ? rest.query : Object.fromEntries(new URLSearchParams(search));
    const answer = await call<Body>(await handlerOf(route), {
      ...rest,
      method,
      headers,
      rawPath: path,
      path: parameters,
      routeKey: `${route.method} ${route.path}`,
      ...(query === undefined ? {} : { query }),
    });
    return { answer, route };
  };

/** Starts the whole API in this process, on one table in memory, behind a minimal gateway. */
export const startApp = async ({
  log,
  push,
  mail,
  sms,
  voice,
  monthly = { sms: 500, voice: 500 },
  pausesPass = false,
}: {
  log?: Log;
  push?: Push;
  /** The sender of emails; "none" for a stage without email. By default, emails are recorded with the pushes. */
  mail?: PushChannel<MailMessage> | "none";
  /** The sender of text messages; "none" for a stage without text messages. */
  sms?: PushChannel<SmsMessage> | "none";
  /** The sender of calls; "none" for a stage without calls. */
  voice?: PushChannel<CallMessage> | "none";
  monthly?: Deps["monthly"];
  /** Whether the pause before a retried write advances the clock and ends at once. */
  pausesPass?: boolean;
} = {}) => {
  const { deps: clock, advance } = createTestClock();
  let requests = 0;
  const stand = await startTable({ turn: () => clock.now() + requests });
  const { queues } = createTestQueues(clock.now);
  const pushed: PushMessage[] = [];
  const posted: PostRequest[] = [];
  const profiles = new Map<string, Profile>();
  const slack = createSlackStandIn(clock.now);
  const recorded = toPush(async (message) => {
    pushed.push(message);
    return { kind: "accepted", messageId: "m" };
  });
  const deps = {
    ...clock,
    ...(log === undefined ? {} : { log }),
    table: stand.table,
    // The sender's time limit for slow devices never ends, so it waits for all calls.
    sleep: (ms: number) =>
      pausesPass && ![SEND_SETTLE_MS, CHECK_MAX_MS].includes(ms)
        ? Promise.resolve(void advance(ms))
        : new Promise<void>(() => {}),
    queues: {
      events: queues.events.queue,
      pushes: queues.pushes.queue,
      escalations: queues.escalations.queue,
      webhooks: queues.webhooks.queue,
      inbound: queues.inbound.queue,
    },
    slack: async (call) => slack.takeCall(call),
    slackApps: async () => [slackApp],
    post: async (request) => {
      posted.push(request);
      const isDown = request.url.startsWith("https://down.");
      return isDown ? { kind: "failed", code: "ECONNREFUSED" } : { kind: "taken", code: "HTTP_200" };
    },
    baseUrl: "https://alerts.example",
    plan: defaultUsagePlan,
    // The answer of the user pool, which is the same for an unknown token and for a person without a name or an address.
    readProfile: async (token: string) => profiles.get(token) ?? {},
    getVapidKeys: async () => ({ current: vapidKeys, previous: undefined }),
    push: push ?? recorded,
    monthly,
    mail: mail === "none" ? undefined : (mail ?? { ...recorded, prepare: async () => true }),
    sms:
      sms === "none" ? undefined : { ...(sms ?? { ...recorded, prepare: async () => true }), countries: ["DE", "AT"] },
    voice:
      voice === "none"
        ? undefined
        : { ...(voice ?? { ...recorded, prepare: async () => true }), countries: ["DE", "AT"] },
    ways: [
      "push",
      ...(mail === "none" ? [] : (["email"] as const)),
      ...(sms === "none" ? [] : (["sms"] as const)),
      ...(voice === "none" ? [] : (["voice"] as const)),
    ],
  } satisfies Deps & ContactDeps & WithChannels & { getVapidKeys: unknown; plan: UsagePlan; readProfile: ReadProfile };
  const denied: string[] = [];
  const handlers = new Map<string, HttpHandler>();
  for (const route of routes) {
    const { keys } = route.access;
    const table = keys === undefined ? stand.table : limitToKinds(stand.table, keys, denied);
    if (!handlers.has(route.function)) handlers.set(route.function, (await findFactory(route))({ ...deps, table }));
  }
  const unknown = (await importFactory(fallback.entry))(deps);
  const matcher = createMatcher(deps);
  const sender = createSender(deps);
  const inbound = createInbound(deps);
  const escalator = createEscalator(deps);
  const voiceKeys = createVoice(deps);
  const sweeper = createSweeper(deps);
  // At its rate limit, a delivery queue waits until the clock advances, so this wait advances the clock.
  const webhookSender = createWebhookSender({ ...deps, sleep: async (ms) => void advance(ms) });

  const used = new Map<string, Set<string>>();

  const call = createCaller(
    (route) => handlers.get(route.function)!,
    () => unknown,
  );
  const ask = async <Body = unknown>(url: string, options: Ask = {}): Promise<Answer<Body>> => {
    requests += 1;
    stand.usedActions();
    const { answer, route } = await call<Body>(url, options);
    if (route !== undefined) used.set(route.entry, new Set([...(used.get(route.entry) ?? []), ...stand.usedActions()]));
    return answer;
  };

  const deliverFromSns = async (body: object): Promise<void> => {
    const { url: QueueUrl, client } = queues.inbound.queue;
    const message = { QueueUrl, MessageBody: JSON.stringify(body), MessageGroupId: "aws" };
    await client.send(new SendMessageCommand(message));
    await inbound(queues.inbound.drainBatch());
  };

  return {
    ask,
    deps,
    advance,
    stand,
    pushed,
    posted,
    profiles,
    /** The table actions that each endpoint has used. Exact only if one request is made at a time. */
    used,
    /** The keys of items that endpoints without a session requested, although they may not access items of this kind. */
    denied,
    waiting: () =>
      Object.values(queues).flatMap(({ messages, dead }) => [...messages, ...dead].map(({ body }) => body)),
    /** Removes the events that wait for the matcher from the queue, in Lambda's format. */
    queued: () => queues.events.drainBatch(),
    work: async () => {
      await matcher(queues.events.drainBatch());
      await sender(queues.pushes.drainBatch());
    },
    fromSns: deliverFromSns,
    /** Handles an event that the SMS service published about a message. */
    fromPhones: async (body: object): Promise<void> => deliverFromSns(toSnsEnvelope(body, deps.now())),
    /** Replies by text message. `id`: the id of an earlier message repeats that message; `at`: when SNS received the message. */
    reply: async (from: string, text: string, { id = deps.newId("req"), at = deps.now() }: Replied = {}) => {
      const message = { originationNumber: from, messageBody: text, inboundMessageId: id };
      await deliverFromSns(toSnsEnvelope({ ...message, destinationNumber: "+18005550100" }, at));
      await sender(queues.pushes.drainBatch());
    },
    /** Presses a key in a call, as Connect passes it on; `phone`: the number that was called. */
    press: async ({ call: called, receipt = "" }: CallMessage, key: string, phone = called): Promise<string> => {
      const answer = await voiceKeys({
        Name: "ContactFlowEvent",
        Details: {
          ContactData: {
            Attributes: { say: "", token: receipt },
            Channel: "VOICE",
            ContactId: deps.newId("req"),
            CustomerEndpoint: { Address: phone, Type: "TELEPHONE_NUMBER" },
          },
          Parameters: { key },
        },
      });
      return answer.say;
    },
    /** Runs the escalation steps that are due, including those that were too far ahead for a queue message. */
    escalate: async () => {
      await sweeper(undefined, { getRemainingTimeInMillis: () => SWEEP_EVERY_MS });
      await escalator(queues.escalations.drainBatch());
      await sender(queues.pushes.drainBatch());
    },
    tellWebhooks: async () => {
      await webhookSender(queues.webhooks.drainBatch());
    },
    close: stand.close,
  };
};
export type App = Awaited<ReturnType<typeof startApp>>;
