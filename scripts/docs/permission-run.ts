import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import { Session } from "../../conformance/client.ts";
import { runChecks } from "../../conformance/run.ts";
import { type SpawnedService, spawnService } from "../../local/spawn.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";

export type Unused = { functionName: string; action: string; resource: string };

const Grants = v.object({
  unused: v.array(v.object({ functionName: v.string(), action: v.string(), resource: v.string() })),
});
const WithId = v.object({ id: v.string() });
const Notifications = v.array(v.object({ id: v.string(), event: v.object({ id: v.string() }) }));

const Queues = v.record(v.string(), v.object({ visible: v.number(), inFlight: v.number() }));

const SETTLE_MS = MINUTE_MS;
const POLL_MS = 50;
/** The number of consecutive polls that must find empty queues, because a running function may still send messages. */
const QUIET_POLLS = 6;

const waitUntilQueuesAreEmpty = async (service: SpawnedService): Promise<void> => {
  const deadline = Date.now() + SETTLE_MS;
  for (let quiet = 0; quiet < QUIET_POLLS; await sleep(POLL_MS)) {
    if (Date.now() > deadline) throw new Error("the workers do not come to an end");
    const queues = Object.entries(v.parse(Queues, await service.control("GET", "/queues")));
    const isQuiet = queues.every(([name, { visible, inFlight }]) => /dead/i.test(name) || visible + inFlight === 0);
    quiet = isQuiet ? quiet + 1 : 0;
  }
};

const advanceAndWait = async (service: SpawnedService, advanceSeconds: number): Promise<void> => {
  await service.control("POST", "/clock", { advanceSeconds });
  await service.control("POST", "/tick");
  await waitUntilQueuesAreEmpty(service);
};

type CallApi = (method: string, suffix: string, body?: unknown, as?: string) => Promise<unknown>;

/** Returns a function that calls the API as the first member, unless the call has another token. */
const createCaller = (service: SpawnedService): CallApi => {
  const { id, members } = service.workspace("Acme");
  return async (method, suffix, body, as = members[0]?.token ?? "") => {
    const path = `/v1/workspaces/${id}${suffix}`;
    const answer = await service.call(method, path, { as, ...(body === undefined ? {} : { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${suffix} was answered ${answer.status}`);
    return answer.body;
  };
};

/** Creates people, devices and rules. Pushes to one device fail at first. */
const createDemoData = async (service: SpawnedService, call: CallApi) => {
  const [first, second] = service.workspace("Acme").members;
  if (first === undefined || second === undefined) throw new Error("Acme has fewer members than it should");
  const createItem = async (suffix: string, body: unknown): Promise<string> =>
    v.parse(WithId, await call("POST", suffix, body)).id;

  await call("POST", "/devices", { token: "flaky-2-grants", platform: "android" });
  await call("POST", "/devices", { token: "steady-grants", platform: "ios" }, second.token);
  const group = await createItem("/groups", { name: "Grants" });
  await call("POST", `/groups/${group}/members`, { userId: first.userId });
  await call("POST", `/groups/${group}/members`, { userId: second.userId });
  const participants = [first.userId, second.userId];
  const layers = [{ start: "2026-01-05T09:00", every: 1, unit: "week", participants }];
  await call("PUT", `/groups/${group}/on-call`, { timeZone: "UTC", layers });
  await call("DELETE", `/groups/${group}/members/${second.userId}`);
  const steps = [
    { delayMinutes: 1, targets: [{ type: "user", userId: second.userId }] },
    { delayMinutes: 1, targets: [{ type: "group", groupId: group }] },
  ];
  const policy = await createItem("/escalation-policies", { name: "Grants", repeat: 1, steps });
  await call("PATCH", `/escalation-policies/${policy}`, { repeat: 2, steps });
  await call("GET", "/escalation-policies");
  const targets = [{ type: "group", groupId: group }];
  const rule = { name: "Grants", eventKey: "grants.used", targets, requiresAck: true, escalationPolicyId: policy };
  await createItem("/routing-rules", rule);
  return { userId: first.userId, policyId: policy };
};

const sendAndAcknowledgeEvents = async (service: SpawnedService, call: CallApi, userId: string): Promise<void> => {
  const { apiKey } = service.workspace("Acme");
  const targets = [{ type: "user", userId }];
  const policy = v.parse(
    WithId,
    await call("POST", "/escalation-policies", { name: "Told", repeat: 0, steps: [{ delayMinutes: 1, targets }] }),
  );
  const group = v.parse(WithId, await call("POST", "/groups", { name: "Nobody" }));
  await call("POST", "/routing-rules", {
    name: "Told",
    eventKey: "grants.told",
    targets: [{ type: "group", groupId: group.id }],
    requiresAck: true,
    escalationPolicyId: policy.id,
  });
  const event = { event: "grants.told", title: "Told", body: "Told" };
  await service.call("POST", "/v1/events", { as: apiKey, body: { ...event, dedupeKey: "told" } });
  for (let minute = 0; minute < 3; minute += 1) await advanceAndWait(service, 60);
  await service.call("POST", "/v1/events", { as: apiKey, body: { ...event, resolves: "told" } });
  await advanceAndWait(service, 60);
  // Three events notify the user, who acknowledges each event by another endpoint.
  await call("POST", `/groups/${group.id}/members`, { userId });
  const sendAndReadNotification = async (): Promise<{ id: string; event: { id: string } }> => {
    await service.call("POST", "/v1/events", { as: apiKey, body: event });
    await waitUntilQueuesAreEmpty(service);
    const [latest] = v.parse(Notifications, await call("GET", "/notifications?limit=1"));
    if (latest === undefined) throw new Error("nobody was notified of the event");
    return latest;
  };
  await call("POST", "/events/acknowledge", { eventIds: [(await sendAndReadNotification()).event.id] });
  await call("POST", `/events/${(await sendAndReadNotification()).event.id}/snooze`, { minutes: 5 });
  await call("PATCH", `/notifications/${(await sendAndReadNotification()).id}`, { status: "ACKNOWLEDGED" });
  await waitUntilQueuesAreEmpty(service);
};

const Inbox = v.object({ messages: v.array(v.looseObject({ to: v.string() })) });

/** Adds a contact, and verifies it with the only number of six digits in the message. */
const addContact = async (call: CallApi, body: object, address: string, inboxUrl: string): Promise<void> => {
  const { id } = v.parse(WithId, await call("POST", "/devices", body));
  const { messages } = v.parse(Inbox, await (await fetch(inboxUrl)).json());
  const [code] = /\b\d{6}\b/.exec(JSON.stringify(messages.findLast(({ to }) => to === address))) ?? [];
  await call("POST", `/devices/${id}/verify`, { code });
  await call("POST", `/devices/${id}/test`);
};

const PHONE = "+4930555555";
const TELEPHONE = "+4930555556";

/** The number of characters of a call's first sentence, which contains the code. */
const SPOKEN_CODE = "Your code is 0, 1, 2, 3, 4, 5.".length;

const Calls = v.object({ messages: v.array(v.object({ id: v.string(), way: v.string(), text: v.string() })) });

const readLastCall = async (inboxUrl: string): Promise<{ id: string; text: string }> => {
  const { messages } = v.parse(Calls, await (await fetch(inboxUrl)).json());
  const call = messages.findLast(({ way }) => way === "voice");
  if (call === undefined) throw new Error("nobody was called");
  return call;
};

const addContacts = async ({ session }: SpawnedService, call: CallApi): Promise<void> => {
  const email = "grants@acme.example";
  await addContact(call, { email }, email, session.mail.inboxUrl);
  await addContact(call, { phone: PHONE, ways: ["sms"] }, PHONE, session.phone.inboxUrl);
  // The service sends the code and the test by call, so that every function that makes calls uses its grant.
  const { id } = v.parse(WithId, await call("POST", "/devices", { phone: TELEPHONE, ways: ["voice"] }));
  const code = (await readLastCall(session.phone.inboxUrl)).text.slice(0, SPOKEN_CODE).replaceAll(/\D/g, "");
  await call("POST", `/devices/${id}/verify`, { code });
  await call("POST", `/devices/${id}/test`);
};

const pressKeys = async (inboxUrl: string, digits: string): Promise<void> => {
  const { id } = await readLastCall(inboxUrl);
  await fetch(`${inboxUrl}/press`, { method: "POST", body: JSON.stringify({ id, digits }) });
};

/** Uses the permissions that the API's checks do not use. */
const useRemainingPermissions = async (service: SpawnedService): Promise<void> => {
  const call = createCaller(service);
  const { userId, policyId } = await createDemoData(service, call);
  await addContacts(service, call);
  const { apiKey } = service.workspace("Acme");
  const event = { event: "grants.used", title: "Grants", body: "Grants" };
  const sendAndReadNotification = async (): Promise<{ id: string; event: { id: string } }> => {
    await service.call("POST", "/v1/events", { as: apiKey, body: event });
    await waitUntilQueuesAreEmpty(service);
    const [latest] = v.parse(Notifications, await call("GET", "/notifications?limit=200"));
    if (latest === undefined) throw new Error("nobody was notified of the event");
    return latest;
  };
  // One escalation runs to its end; another escalation stops at an acknowledgement.
  const latest = await sendAndReadNotification();
  for (let minute = 0; minute < 8; minute += 1) await advanceAndWait(service, 60);
  const acknowledged = await sendAndReadNotification();
  await call("PATCH", `/notifications/${acknowledged.id}`, { status: "ACKNOWLEDGED" });
  await advanceAndWait(service, 120);
  await call("GET", `/notifications/${latest.id}`);
  await call("GET", `/events/${latest.event.id}/explain?userId=${userId}`);
  await sendAndReadNotification();
  for (let digit = 1; digit <= 9; digit += 1)
    await fetch(`${service.session.phone.inboxUrl}/reply`, {
      method: "POST",
      body: JSON.stringify({ from: PHONE, text: String(digit) }),
    });
  await waitUntilQueuesAreEmpty(service);
  for (const key of ["5", "4"]) {
    await sendAndReadNotification();
    await pressKeys(service.session.phone.inboxUrl, key);
    await waitUntilQueuesAreEmpty(service);
  }
  // The invitation becomes invalid when its sender's role changes.
  const [, other] = service.workspace("Acme").members;
  await call("PATCH", `/members/${other?.userId}`, { role: "owner" });
  await call("POST", "/invitations", { email: "grants@acme.example" }, other?.token);
  await call("PATCH", `/members/${other?.userId}`, { role: "manager" });
  await call("DELETE", `/escalation-policies/${policyId}?force=true`);
  // A heartbeat is missed and later called again.
  const WithUrl = v.object({ id: v.string(), url: v.string() });
  const heartbeat = v.parse(WithUrl, await call("POST", "/heartbeats", { name: "Grants", everySeconds: 60 }));
  await advanceAndWait(service, 180);
  await service.call("POST", new URL(heartbeat.url).pathname, {});
  await advanceAndWait(service, 60);
  await call("DELETE", `/heartbeats/${heartbeat.id}`);
  // One webhook fails at first, and another webhook accepts nothing, so that the webhook's owners are notified.
  const { hooks } = service.session;
  for (const name of ["flaky-3-grants", "gone-grants"]) {
    const url = `${hooks.inboxUrl}/${name}`;
    await call("POST", "/webhooks", { name, url, eventKeys: ["grants.told"] });
  }
  await sendAndAcknowledgeEvents(service, call, userId);
  // Three hours are enough for all markers, and for the audit of event numbers.
  for (let hour = 0; hour < 3; hour += 1) await advanceAndWait(service, 3600);
};

/** Exceeds the burst of a workspace. A refused event frees its Idempotency-Key; freeing a key needs a grant. */
const exceedBurst = async (service: SpawnedService): Promise<void> => {
  const { apiKey, plan } = service.workspace("Tiny");
  const body = { event: "grants.used", title: "Grants", body: "Grants" };
  const postEvent = (nr: number) =>
    service.call("POST", "/v1/events", { as: apiKey, body, headers: { "Idempotency-Key": `grants-${nr}` } });
  await Promise.all(Array.from({ length: 2 * plan.burst }, (_, nr) => postEvent(nr)));
};

/** Runs the checks of the API. Returns the number of checks, failures and unused grants. Throws if a call was denied. */
export const findUnusedGrants = async (): Promise<{ unused: Unused[]; checks: number; failed: string[] }> => {
  const dir = mkdtempSync(join(tmpdir(), "permissions-"));
  const service = await spawnService({ dir });
  try {
    const session = v.parse(Session, JSON.parse(readFileSync(join(dir, "session.json"), "utf8")));
    let checks = 0;
    const failed: string[] = [];
    for await (const { check, outcome } of runChecks(service.session.baseUrl, session)) {
      if (outcome.kind !== "skipped") checks += 1;
      if (outcome.kind === "failed") failed.push(`${check.section}: ${check.holds}: ${outcome.reason}`);
    }
    await exceedBurst(service);
    await useRemainingPermissions(service);
    const denied = service
      .output()
      .split("\n")
      .filter((line) => line.includes("is not authorized to perform"));
    if (denied.length > 0) throw new Error(`grants are missing:\n${denied.join("\n")}`);
    return { unused: v.parse(Grants, await service.control("GET", "/grants")).unused, checks, failed };
  } finally {
    await service.stop();
    rmSync(dir, { recursive: true, force: true });
  }
};
