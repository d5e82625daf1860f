import { expect, it } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../core/domain/basics/units.ts";
import { computeDeletableTime } from "../../../core/domain/workspace/retention.ts";
import { claimDedupeKey } from "../../../core/store/claims.ts";
import { countPages } from "../../../core/store/delivery/pages.ts";
import { consumeSlackLink, putChannelPost } from "../../../core/store/delivery/slack.ts";
import { claimAlertKey, endAlert } from "../../../core/store/events/alert-changes.ts";
import { changeEventGroup } from "../../../core/store/events/event-groups.ts";
import { addHeldEvent } from "../../../core/store/events/held-events.ts";
import { addToStatistics } from "../../../core/store/events/statistics.ts";
import { recordDeletion } from "../../../core/store/people/deletions.ts";
import { countAnswerIfAllowed } from "../../../core/store/people/phones.ts";
import { putProbe, putProbedPerson } from "../../../core/store/schedules/probes.ts";
import { putReachabilityCheck } from "../../../core/store/schedules/reachability-checks.ts";
import { startFilled } from "../../support/filled-app.ts";

const { app, mine, send } = await startFilled();
const { deps } = app;
const ws = mine.workspaceId;
const now = deps.now();
const tomorrow = now + DAY_MS;

it("each item of an event or of the configuration gets a time to live of as many days as its kind allows", async () => {
  await send({ event: "disk.full", title: "Disk full", body: "2 % left", dedupeKey: "api" });
  await app.work();
  await app.tellWebhooks();

  const kindsWithDays = (await app.stand.listItems()).flatMap(({ pk, ttl }) => {
    const [kind] = String(pk).replace(`WS#${ws}#`, "").split("#");
    return ttl === undefined ? [] : [`${kind} ${Math.round((Number(ttl) * 1000 - now) / DAY_MS)}`];
  });
  expect([...new Set(kindsWithDays)].toSorted().join(", ")).toBe(
    "CODES 2, COVERS 32, DEDUPE 1, ESCALATIONS 407, EVENTS 407, IDEM 61, INVITATIONS 31, INVITED 31, LINES 31, " +
      "NOTIFICATIONS 407, OPEN 40, STAGE 2, STORY 91, TOKEN 2, TRAIL 401, USER 2, USER 32",
  );
});

const claim = { eventId: "evt_1", sender: "key_1", keptUntil: computeDeletableTime(now, 90) };
const group = { first: "evt_1", top: "evt_1", at: now, until: tomorrow, priority: "HIGH" } as const;
const held = { workspaceId: ws, eventId: "evt_000000000001u0000000001", seq: 1, receivedAt: tomorrow, content: {} };
const check = { groupId: "grp_1", userId: "usr_1", start: tomorrow, before: [], since: now, ways: [], asked: 0 };
const page = { at: tomorrow, by: "evt_1", priority: "HIGH" } as never;
const [week, counts] = ["2026-11-02", { events: 1 }];
const ann = { kind: "person", id: "usr_1", name: "Ann" } as const;

it.each<[string, number, () => Promise<unknown>]>([
  ["a dedupeKey", 1, () => claimDedupeKey(deps, ws, "k1", { ...claim, keptUntil: undefined })],
  ["an alert's dedupeKey", 97.5, () => claimDedupeKey(deps, ws, "k2", claim)],
  ["a change of an alert", 97.5, () => claimAlertKey(deps, ws, "k3", claim, now)],
  ["a change of an event", 2, () => claimAlertKey(deps, ws, "k4", { ...claim, keptUntil: undefined }, now)],
  ["the end of an alert", 2, () => endAlert(deps, ws, "k5", { id: "evt_1", at: now })],
  ["a group of events", 3, () => changeEventGroup(deps, ws, "g1", group, undefined)],
  ["a held event", 3, () => addHeldEvent(deps, held as never, "sil_1")],
  ["a page", 1, () => countPages(deps, ws, "usr_1", [{ one: page, limit: 5, uncounted: [] }])],
  ["a post in Slack", 91, () => putChannelPost(deps, { ws, id: "con_1", eventId: "evt_1" }, {} as never)],
  ["a used link of Slack", 1, () => consumeSlackLink(deps, ws, "usr_1", "link")],
  ["a probe", 62, () => putProbe(deps, ws, { ruleId: "rule_1", eventId: "e", acceptedAt: tomorrow, recipients: [] })],
  ["a silent push", 62, () => putProbedPerson(deps, ws, { userId: "usr_1", id: "p", askedAt: tomorrow })],
  ["a reachability check", 402, () => putReachabilityCheck(deps, ws, check)],
  ["the statistics of a person", 109.5, () => addToStatistics(deps, ws, 1, { week, counts, subject: ann }, 90)],
  ["other statistics", 85.5, () => addToStatistics(deps, ws, 1, { week, counts, subject: { kind: "workspace" } }, 90)],
  ["answers to a number", 3, () => countAnswerIfAllowed(deps, "+4930123456", "in_1")],
  ["a deleted workspace", 402, () => recordDeletion(deps, { ws, name: "A", by: "usr_1", at: tomorrow } as never)],
])("the item that stores %s gets a time to live of %d days", async (_, days, store) => {
  const before = new Set((await app.stand.listItems()).map(({ pk, sk }) => `${String(pk)} ${String(sk)}`));

  await store();

  const items = (await app.stand.listItems()).filter(({ pk, sk }) => !before.has(`${String(pk)} ${String(sk)}`));
  const kept = items.flatMap(({ ttl }) => (ttl === undefined ? [] : [(Number(ttl) * 1000 - now) / DAY_MS]));
  expect(kept.map((one) => Math.round(one * 10) / 10)).toEqual([days]);
});

it("after ten minutes, the dedupeKey of an open alert is still in use, and that of any other event is free", async () => {
  const claimFor = async (key: string, eventId: string, keptUntil: typeof claim.keptUntil | undefined) =>
    (await claimDedupeKey(deps, ws, key, { ...claim, eventId, keptUntil })).eventId;
  await claimFor("alert", "evt_1", claim.keptUntil);
  await claimFor("event", "evt_1", undefined);

  app.advance(11 * MINUTE_MS);

  expect(await claimFor("alert", "evt_2", claim.keptUntil)).toBe("evt_1");
  expect(await claimFor("event", "evt_2", undefined)).toBe("evt_2");
});
