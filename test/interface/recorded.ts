import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import { signSlackRequest, createLinkToken } from "../../core/domain/connection/slack-request.ts";
import { slackApp } from "../support/slack.ts";
import { CLOUD_EVENT_TYPE } from "../../core/domain/sources/cloud-event.ts";
import { routes } from "../../interface/routes.ts";
import { findBodySchema, type Method } from "../../interface/contract.ts";
import { findBodySchemaName } from "../../interface/shapes.ts";
import { createRouter } from "../../local/http/router.ts";
import { type App, startApp, type Ask } from "../world/app.ts";

const ann = "usr_0f8fad5bd9cb469fa16570867728950e";
const bob = "usr_7c9e66797425440de944be07fc1f9073";
const cleo = "usr_c1e0a3d5b7f94c2e8d6a1b3c5d7e9f01";

/** The receiver of the example in RFC 8291. */
const browserKeys = {
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
};

const HOUR_MS = 3_600_000;

type Id = { id: string };
type Examples = Record<string, unknown>;
export type RecordedCall = { method: Method; path: string; status: number; answer: unknown };

/** Hides API keys, because a document must not show a valid key. */
const hideKeys = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/\beak_[\w-]+/g, "eak_<workspace>_<source>_<secret>_<checksum>"));

/** Shortens each list of objects to its first object. */
const shortenLists = (value: unknown): unknown => {
  if (Array.isArray(value)) return (typeof value[0] === "object" ? value.slice(0, 1) : value).map(shortenLists);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortenLists(inner)]));
};

const chooseLonger = (one: unknown, other: unknown): unknown =>
  JSON.stringify(one).length > (JSON.stringify(other) ?? "").length ? one : other;

/**
 * Plays one day of a hotel through the whole API, and records the longest answer of each shape. Time and ids are fixed, so the
 * result is always the same.
 */
export const recordExamples = async (): Promise<{ examples: Examples; calls: readonly RecordedCall[] }> => {
  const app = await startApp();
  const routeOf = createRouter(routes);
  const examples: Examples = {};
  const calls: RecordedCall[] = [];
  const storeExample = (name: string, value: unknown) => {
    examples[name] = chooseLonger(hideKeys(shortenLists(value)), examples[name]);
  };

  const recordRefusal = async (method: Method, url: string, body: object, as: string) => {
    const { status, body: problem } = await app.ask(url, { as, method, body });
    if (status < 400) throw new Error(`${method} ${url} was answered ${status}`);
    storeExample("Problem", problem);
  };

  const ask = async <Body = Id>(
    method: Method,
    url: string,
    body?: object | string,
    by: Ask = { as: ann },
  ): Promise<Body> => {
    const { status, body: answer } = await app.ask<Body>(url, {
      ...by,
      method,
      headers: { host: "alerts.example", ...by.headers },
      ...(body && { body }),
    });
    const [path = ""] = url.split("?");
    const found = routeOf(method, path);
    const operation = found.kind === "found" ? found.route : undefined;
    const answered = operation?.answers[status];
    if (found.kind !== "found" || operation === undefined || answered === undefined)
      throw new Error(`${method} ${url} was answered ${status}: ${JSON.stringify(answer)}`);
    calls.push({ method, path: found.route.path, status, answer });
    const [, other] = operation.otherBodies?.find(([type]) => type === by.headers?.["content-type"]) ?? [];
    const input = other ?? findBodySchema(operation);
    if (input !== undefined) storeExample(findBodySchemaName(input), body);
    if (Array.isArray(answered.shape)) for (const one of [answer].flat()) storeExample(String(answered.shape[0]), one);
    else if (answered.shape !== undefined) storeExample(String(answered.shape), answer);
    return answer;
  };

  /** Posts a press in Slack that belongs to no button of this service. */
  const postUnknownPress = async ({ deps }: Pick<App, "deps">) => {
    const body = new URLSearchParams({ payload: '{"type":"block_actions"}' }).toString();
    const timestamp = String(Math.floor(deps.now() / 1000));
    const signature = await signSlackRequest(slackApp.signingSecret, timestamp, body);
    const headers = { "x-slack-request-timestamp": timestamp, "x-slack-signature": signature };
    await ask("POST", "/v1/slack/presses", body, { headers });
  };

  const mine = { as: ann, headers: { authorization: "Bearer ann" } };
  app.profiles.set("ann", { name: "Ann", email: "ann@acme.example" });
  const { id: workspaceId } = await ask<{ id: WorkspaceId }>("POST", "/v1/workspaces", { name: "Acme" }, mine);
  const root = `/v1/workspaces/${workspaceId}`;
  const post = <Body = Id>(path: string, body?: object, caller: Ask = mine) =>
    ask<Body>("POST", root + path, body, caller);
  const patch = (path: string, body: object) => ask("PATCH", root + path, body);
  const get = <Body = Id>(path: string) => ask<Body>("GET", root + path);

  await patch("", { name: "Acme Hotels", loudPerTenMinutes: 10 });
  await post("/members", { userId: bob, name: "Bob", email: "bob@acme.example", role: "responder" });
  await patch(`/members/${bob}`, { role: "manager" });
  await get(`/members/${bob}`);
  await ask("GET", "/v1/workspaces");
  await ask("GET", "/v1/web-push/key");

  const subscription = { endpoint: "https://fcm.googleapis.com/fcm/send/1", keys: browserKeys };
  const device = await post("/devices", { subscription, name: "Ann's laptop", receiptKey: browserKeys.p256dh });
  await post("/devices", { token: "fcm-registration-token", platform: "ios", name: "Bob's phone" }, { as: bob });
  const address = await post("/devices", { email: "ann@acme.example" });
  await post(`/devices/${address.id}/verify`, { code: app.pushed[0]!.notification.title.slice(0, 6) });
  await post(`/devices/${device.id}/test`);
  await ask("PUT", `${root}/switch`, { url: "https://hc-ping.com/0c63e4f2", everyMinutes: 5, deviceId: device.id });
  await get("/switch");

  const group = (await post("/groups", { name: "Front desk" })).id;
  await patch(`/groups/${group}`, { name: "Front desk, day" });
  for (const userId of [ann, bob]) await post(`/groups/${group}/members`, { userId });
  await get(`/groups/${group}/members`);
  await ask("PUT", `${root}/groups/${group}/on-call`, {
    timeZone: "Europe/Berlin",
    layers: [
      {
        start: "2026-11-16T09:00",
        every: 1,
        unit: "week",
        participants: [ann, bob],
      },
    ],
  });
  await post(`/groups/${group}/on-call/overrides`, {
    userId: bob,
    start: "2026-12-24T00:00:00.000Z",
    end: "2026-12-27T00:00:00.000Z",
  });
  await post(`/groups/${group}/on-call/covers`, {
    start: "2026-11-22T18:00:00.000Z",
    end: "2026-11-22T22:00:00.000Z",
    to: [bob],
    note: "My daughter's play",
    inReturn: { start: "2026-11-25T18:00:00.000Z", end: "2026-11-25T22:00:00.000Z" },
  });
  await get("/covers/mine");
  await get(`/groups/${group}/on-call`);
  await get(`/groups/${group}/on-call/now`);
  await get("/on-call/now");
  await get("/on-call/mine");
  await post(`/groups/${group}/on-call/calendar`);

  const steps = [
    { delayMinutes: 5, targets: [{ type: "group", groupId: group, onCallOnly: true }] },
    { delayMinutes: 10, targets: [{ type: "user", userId: bob }] },
  ];
  const policyInput = { name: "Day shift", repeat: 2, confirmWithinSeconds: 60, ackMinutes: 60, steps };
  const policy = (await post("/escalation-policies", policyInput)).id;
  await patch(`/escalation-policies/${policy}`, { repeat: 1 });
  await get(`/escalation-policies/${policy}`);

  const ruleInput = {
    name: "Big bookings",
    eventKey: "booking.*",
    targets: [{ type: "group", groupId: group }],
    conditions: [{ field: "data.amount", operator: "greater_than", value: 1000 }],
    conditionMatch: "all",
    requiresAck: true,
    priorityOverride: "URGENT",
    onCallOnly: true,
    escalationPolicyId: policy,
    fallback: false,
    activeHours: [{ days: ["fri", "sat", "sun"], from: "08:00", to: "20:00" }],
    timeZone: "Europe/Berlin",
    groupBy: ["data.site"],
    groupMinutes: 30,
    atLeast: null,
    chain: "Bookings",
    position: 10,
  };
  const rule = (await post("/routing-rules", ruleInput)).id;
  await patch(`/routing-rules/${rule}`, { enabled: true, priorityOverride: "HIGH" });

  const silence = {
    name: "Saturday's release",
    eventKey: "deploy.*",
    conditions: [{ field: "data.environment", operator: "equals", value: "staging" }],
    conditionMatch: "all",
    startsAt: "2026-11-21T00:00:00Z",
    endsAt: null,
    weekly: { days: ["sat"], from: "22:00", to: "02:00", timeZone: "Europe/Berlin" },
    includeUrgent: false,
    afterwards: "tell",
  };
  const { id: silenceId } = await post("/silences", silence);
  await patch(`/silences/${silenceId}`, { endsAt: "2026-12-24T06:00:00Z" });
  await get(`/silences/${silenceId}`);

  const backup = { name: "Nightly backup", everySeconds: 86_400, graceSeconds: 1_800, priority: "HIGH" };
  const heartbeat = await post<Id & { url: string }>("/heartbeats", backup);
  await ask("POST", new URL(heartbeat.url).pathname, undefined, {});
  await get(`/heartbeats/${heartbeat.id}`);
  await patch(`/heartbeats/${heartbeat.id}`, { paused: true });

  const webhook = await post("/webhooks", {
    name: "Status page",
    url: "https://status.example.com/hooks/alerts",
    types: ["event.opened", "event.acknowledged", "event.resolved"],
    eventKeys: ["booking.*"],
  });
  await post(`/webhooks/${webhook.id}/test`);
  const connection = await post("/connections", {
    name: "Front desk's channel",
    kind: "slack",
    channel: "C0123456789",
    groupIds: [group],
  });
  await get(`/connections/${connection.id}`);
  await patch(`/connections/${connection.id}`, { name: "The desk's channel" });
  await post(`/connections/${connection.id}/test`);
  const onCall = await post("/connections", {
    name: "On call at the desk",
    kind: "slack_user_group",
    userGroup: "S0123456789",
    groupIds: [group],
  });
  const person = { workspaceId, team: "T0123456789", user: "U0123456789", name: "ann" };
  await post("/slack-account", { token: await createLinkToken(slackApp, person, app.deps.now()) });
  await post(`/connections/${onCall.id}/test`);
  await get(`/connections/${onCall.id}`);
  await ask("DELETE", `${root}/slack-account`);
  await postUnknownPress(app);

  const source = await post<{ key: string }>("/api-keys", {
    name: "CloudWatch",
    source: "cloudwatch",
    eventKeys: ["cloudwatch.*"],
    mayResolve: "own",
    expiresAt: "2027-01-01T00:00:00.000Z",
  });
  await get("/api-keys");
  const sender = { apiKey: (await post<{ key: string }>("/api-keys", { name: "Booking system" })).key };
  await ask("GET", "/v1/events/ping", undefined, sender);

  const booking = {
    event: "booking.created",
    title: "New booking",
    body: "Suite 12, three nights, 1,840 EUR",
    priority: "HIGH",
    detail: "Booked by phone. The guest arrives late.",
    data: { site: "https://hotel.example", site_name: "Hotel Example", amount: 1840 },
    url: "https://hotel.example/bookings/9",
    dedupeKey: "booking-9",
  };
  const { eventId } = await ask<{ eventId: string }>("POST", "/v1/events", booking, sender);
  await ask("POST", "/v1/events", booking, sender);
  await app.work();
  app.advance(1250);

  const [notification] = await get<Id[]>("/notifications?user=me");
  await get(`/notifications/${notification!.id}`);
  // One of the emails contains a link with a receipt token.
  const mails = app.pushed.flatMap((one) => ("email" in one ? [one.notification.body] : []));
  const receipt = /\/press#(?<token>\S+)/.exec(mails.join("\n"))!;
  await ask("POST", "/v1/receipts", { token: receipt.groups!["token"], status: "DELIVERED", at: app.deps.now() }, {});
  await patch("", { urgentFloor: { ways: ["email"], withinMinutes: 5 } });
  await ask("PUT", `${root}/notification-rules`, {
    rungs: { HIGH: [{ afterMinutes: 10, ways: ["email"] }] },
    quietHours: {
      days: ["sat"],
      from: "22:00",
      to: "07:00",
      timeZone: "Europe/Berlin",
      holdBelow: "HIGH",
    },
  });
  await get("/notification-rules");
  await get("/devices");
  await get("/members");

  await recordRefusal("POST", `${root}/routing-rules`, { nmae: "Big bookings", eventKey: "Booking", targets: [] }, ann);

  const event = `/events/${eventId}`;
  await post(`${event}/notes`, { text: "The guest was told that we call back by 14:00." });
  await post(`${event}/snooze`, { minutes: 60 });
  await get(event);
  await post(`${event}/escalate`, { note: "I cannot reach the guest." });
  await post(`${event}/tell`, { userIds: [bob], groupIds: [], note: "You know this guest." });
  await patch(`/notifications/${notification!.id}`, { status: "ACKNOWLEDGED" });
  await post("/events/acknowledge", { eventIds: [eventId] });
  await app.escalate();
  await app.tellWebhooks();
  await get("/events");
  await get(`${event}/explain?userId=${bob}`);
  await post(`${event}/resolve`, { note: "The guest has arrived." });
  await get(`/webhooks/${webhook.id}/deliveries`);
  await get("/audit?limit=3");
  await post("/invitations", { email: "cleo@acme.example", role: "responder" });
  await get("/invitations");
  await post(`/webhooks/${webhook.id}/replay`, { from: "2026-11-21T10:00:00.000Z", to: "2026-11-21T13:00:00.000Z" });
  await patch(`/webhooks/${webhook.id}`, { paused: true });

  const alarm = { AlarmName: "disk", NewStateValue: "ALARM", NewStateReason: "2 % left", Region: "eu-central-1" };
  await ask("POST", "/v1/events/from/cloudwatch", alarm, { apiKey: source.key });

  const cloudEvent = {
    specversion: "1.0",
    id: "A234-1234-1234",
    source: "https://shop.example/orders",
    type: "order.payment_failed",
    subject: "Order 4711",
    data: { message: "The card was declined twice.", order: 4711 },
  };
  await ask("POST", "/v1/events", cloudEvent, { ...sender, headers: { "content-type": CLOUD_EVENT_TYPE } });
  storeExample("CloudEvents", [{ specversion: "1.0", id: "A-2", source: "/shop", type: "order.failed" }]);

  await post("/routing-rules/test", {
    event: booking,
    rule: { name: "Draft", eventKey: "*", targets: ruleInput.targets },
  });
  await post(`/routing-rules/${rule}/probe`);
  await get("/probes");
  await post("/simulate", {
    event: booking,
    at: "2026-12-24T23:00:00Z",
    rules: [{ id: rule, ...ruleInput, activeHours: null, timeZone: null }],
    policies: [{ id: policy, ...policyInput, repeat: 0 }],
  });
  await post("/simulate/history", { rules: [{ id: rule, ...ruleInput, enabled: false }], days: 7 });
  await get("/event-types");
  await get("/event-types/booking.created");
  await get("/sites");

  for (let round = 0; round < 2; round += 1) {
    app.advance(4 * HOUR_MS);
    await app.escalate();
  }
  await ask("PUT", `${root}/shadow`, { until: new Date(app.deps.now() + 24 * HOUR_MS).toISOString() });
  await ask("POST", "/v1/events", { ...booking, dedupeKey: "shadow" }, sender);
  await app.work();
  await get("/shadow");
  await ask("DELETE", `${root}/shadow`);
  await get("/statistics");
  await get("/on-call/report");

  const invited = { as: cleo, headers: { authorization: "Bearer cleo" } };
  app.profiles.set("cleo", { name: "Cleo", email: "cleo@acme.example" });
  const [invitation] = await ask<Id[]>("GET", "/v1/invitations", undefined, invited);
  await ask("POST", `/v1/invitations/${invitation!.id}/accept`, undefined, invited);
  await app.close();
  return { examples, calls };
};
