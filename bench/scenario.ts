import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import type { BenchWorkspace, LocalService } from "./local-service.ts";

const WithId = v.object({ id: v.string() });
const Posted = v.object({ eventId: v.string() });
const Pushed = v.object({ data: v.object({ eventId: v.string() }) });

const WAIT_MS = 60_000;

/** Returns a function that calls the API as a member, by default the first. */
export const callAsMember = (service: LocalService, workspace: BenchWorkspace, member = 0) => {
  const token = workspace.members[member]?.token ?? "";
  return (method: string, path: string, body?: object): Promise<unknown> =>
    service.call(method, `/v1/workspaces/${workspace.id}${path}`, { Authorization: `Bearer ${token}` }, body);
};

const GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2;

/** Starts a task once per interval, at a varying moment, so that tasks and pollers do not stay in step. Awaits all tasks. */
export const runAtRate = async (
  perSecond: number,
  taskCount: number,
  run: (number: number) => Promise<void>,
): Promise<void> => {
  const began = performance.now();
  const running: Promise<void>[] = [];
  for (let number = 0; number < taskCount; number += 1) {
    const at = ((number + ((number * GOLDEN_RATIO) % 1)) * 1000) / perSecond;
    await sleep(Math.max(0, began + at - performance.now()));
    running.push(run(number));
  }
  await Promise.all(running);
};

const toDeviceToken = (workspace: BenchWorkspace, person: number, device: number): string =>
  `bench-${workspace.id}-${person}-${device}`;

/** Creates a rule that notifies the first `people` members, on `devices` devices each. `rule`: the rule's further fields. */
export const setUpRule = async (
  service: LocalService,
  workspace: BenchWorkspace,
  { resource, people, devices, rule = {} }: { resource: string; people: number; devices: number; rule?: object },
): Promise<{ groupId: string; ruleId: string }> => {
  const call = callAsMember(service, workspace);
  const group = v.parse(WithId, await call("POST", "/groups", { name: `bench ${resource}` }));
  for (let person = 0; person < people; person += 1) {
    const userId = workspace.members[person]?.userId ?? "";
    await call("POST", `/groups/${group.id}/members`, { userId });
    for (let device = 0; device < devices; device += 1)
      await callAsMember(service, workspace, person)("POST", "/devices", {
        token: toDeviceToken(workspace, person, device),
        platform: "android",
      });
  }
  const created = v.parse(
    WithId,
    await call("POST", "/routing-rules", {
      name: `bench ${resource}`,
      eventKey: `${resource}.*`,
      targets: [{ type: "group", groupId: group.id }],
      ...rule,
    }),
  );
  return { groupId: group.id, ruleId: created.id };
};

/** Returns an event of about a kilobyte of JSON. */
export const buildEvent = (resource: string, number: number): object => ({
  event: `${resource}.failed`,
  title: `Payment of order ${100_000 + number} failed twice`,
  body:
    "The payment provider declined the card of the customer two times within five minutes. The order is on hold and its " +
    "stock reservation ends in half an hour. Check whether the provider reports an incident before you call the customer.",
  priority: "HIGH",
  url: `https://shop.example/admin/orders/${100_000 + number}`,
  data: {
    order: 100_000 + number,
    customer: { id: `C-${7919 * (number + 1)}`, tier: "gold", country: "DE" },
    amount: 129.9 + number,
    currency: "EUR",
    provider: "example-pay",
    attempts: 2,
    decline_code: "insufficient_funds",
    service: "checkout-api",
    environment: "production",
    region: "eu-central-1",
    version: `2026.11.${number % 30}`,
    trace: (BigInt(number + 1) * 0x9e3779b97f4a7c15n).toString(16),
  },
});

/** Sends an event, and returns its id. */
export const postEvent = async (
  service: LocalService,
  { apiKey }: Pick<BenchWorkspace, "apiKey">,
  event: object,
): Promise<string> => v.parse(Posted, await service.call("POST", "/v1/events", { "X-Api-Key": apiKey }, event)).eventId;

/** Lists pushes (to the device `token`, or all), with the ms since their event was accepted (`acceptedAt`, by event id). */
export const listPushDelays = async (service: LocalService, acceptedAt: ReadonlyMap<string, number>, token?: string) =>
  (await service.inbox(token)).flatMap(({ receivedAt, message }) => {
    const push = v.safeParse(Pushed, message);
    const eventId = push.success ? push.output.data.eventId : "";
    const since = acceptedAt.get(eventId);
    return since === undefined ? [] : [{ eventId, ms: new Date(receivedAt).getTime() - since }];
  });

/** Sends events to one person with one device. Returns the ms from accepting each event to its push, or 60,000 without a push. */
export const measurePushes = async (
  service: LocalService,
  workspace: BenchWorkspace,
  { resource, perSecond, seconds }: { resource: string; perSecond: number; seconds: number },
): Promise<number[]> => {
  const answered = new Map<string, number>();
  await runAtRate(perSecond, perSecond * seconds, async (number) => {
    const eventId = await postEvent(service, workspace, buildEvent(resource, number));
    // Times have fractions of a ms, because the median of a few whole numbers would jump.
    answered.set(eventId, performance.timeOrigin + performance.now());
  });
  for (let waited = 0; ; waited += 250) {
    const found = (await listPushDelays(service, answered, toDeviceToken(workspace, 0, 0))).map(({ ms }) => ms);
    if (found.length >= answered.size) return found;
    if (waited >= WAIT_MS) return [...found, ...Array.from({ length: answered.size - found.length }, () => WAIT_MS)];
    await sleep(250);
  }
};

/** Returns a quantile (from 0 to 1) of the measured values, by the nearest rank. */
export const findQuantile = (measured: readonly number[], quantile: number): number => {
  const sorted = measured.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(quantile * sorted.length) - 1)] ?? Number.NaN;
};

export const median = (measured: readonly number[]): number => findQuantile(measured, 0.5);
