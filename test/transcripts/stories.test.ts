import type { PushOutcome } from "../../core/domain/delivery/push/outcome.ts";
import type { PostOutcome, PostRequest } from "../../core/domain/webhook/delivery-queue.ts";
import { createDevice } from "../faults/fixtures.ts";
import { NOON } from "../world/clock.ts";
import { readLinkToken, pressInSlack } from "../support/slack.ts";
import { stepTo } from "../world/world.ts";
import { testStory } from "./tell.ts";

const HOUR = 60;
const DAY = 24 * HOUR;
const ack = { requiresAck: true };
const disk = { event: "disk.full", title: "Disk full", body: "db-1 has 2 % left", dedupeKey: "db-1" };
const fine = { event: "disk.ok", title: "Disk is fine again", body: "db-1 has 60 % left", resolves: "db-1" };
const phone = "+4915112345678";

testStory("escalation", {}, async ({ world, send, ask, look, wait, say }) => {
  const ops = await world.group("Ops", ["usr_dana"]);
  const leads = await world.group("Leads", ["usr_emil"], 0);
  await ask("usr_emil", "POST /devices", createDevice("browser", "web"));
  const escalationPolicyId = await world.policy([stepTo(leads, 5), stepTo("usr_owner", 8)], { ackMinutes: 30 });
  await world.rule([ops], { ...ack, escalationPolicyId, eventKey: "disk.full" });
  await world.rule([leads], { ...ack, name: "Later", escalationPolicyId: await world.policy([stepTo(ops, 20)]) });
  await ask("usr_owner", "POST /webhooks", { name: "Status", url: "https://hooks.example.com/status" });
  for (const part of ["Acknowledged late, asked about, snoozed and escalated, open again, resolved", "Another alert"]) {
    say(part);
    const id = await send({ ...disk, url: "https://wiki.example/disk", data: { site_name: "Shop" } });
    const acknowledge = () => ask("usr_dana", "POST /events/acknowledge", { eventIds: [id] });
    await wait(16);
    await acknowledge();
    await wait(28);
    await acknowledge();
    await ask("usr_dana", `POST /events/${id}/snooze`, { minutes: 20 });
    await ask("usr_dana", `POST /events/${id}/escalate`, { note: "Please help" });
    await wait(21);
    await ask("usr_owner", `POST /events/${id}/escalate`, {});
    await wait(1);
    await ask("usr_owner", `POST /events/${id}/resolve`, { note: "Logs deleted" });
    await wait(60);
    await look(id);
    await ask("usr_owner", "GET /statistics?by=group");
  }
});

testStory("groups", {}, async ({ world, send, ask, look, wait, say }) => {
  const ops = await world.group("Ops", ["usr_dana"], 2);
  await world.rule([ops], { ...ack, eventKey: "disk.full", groupBy: ["data.rack"], groupMinutes: HOUR });
  await world.rule([ops], { name: "Many", eventKey: "login.*", atLeast: { count: 3, withinMinutes: 5 } });
  const sendDisk = (dedupeKey: string, more = {}) => send({ ...disk, dedupeKey, data: { rack: 7 }, ...more });
  say("A group whose first event is resolved, and that opens again");
  const first = await sendDisk("db-1");
  await wait(1);
  const second = await sendDisk("db-2");
  await wait(5);
  await ask("usr_dana", `POST /events/${first}/resolve`, {});
  const third = await sendDisk("db-3");
  await wait(1);
  const fourth = await sendDisk("db-4", { priority: "HIGH" });
  await wait(2);
  await look(first, second, third, fourth);
  await ask("usr_owner", "GET /events?state=open&order=urgency");
  say("Too few events, then enough");
  for (const nr of [1, 2, 3, 4]) {
    await send({ event: "login.failed", title: `Login ${nr}`, body: "x" });
    await wait(0.2);
  }
});

testStory("flapping", {}, async ({ world, send, ask, look, wait, say }) => {
  await world.contact("usr_dana", { email: "dana@acme.example" });
  await world.rule([await world.group("Ops", ["usr_dana"])], { ...ack, eventKey: "disk.full" });
  const ids: string[] = [];
  for (const part of [
    "An alert that starts and ends",
    "It starts again",
    "It flaps, and ends",
    "It flaps, and stays open",
  ]) {
    say(part);
    ids.push(await send(disk));
    await wait(1);
    if (ids.length === 4) break;
    await send(fine);
    await wait(1);
  }
  await look(ids[2]!, ids[3]!);
  await wait(15);
  await look(ids[3]!);
  await ask("usr_owner", `GET /events/${ids[3]}/explain?userId=usr_dana`);
});

testStory("silences", {}, async ({ world, send, ask, at, look, wait, say }) => {
  await world.rule([await world.group("Ops", ["usr_dana"])], { ...ack, eventKey: "disk.full" });
  const silence = (name: string, minutes: number, fields: object = {}) =>
    ask<{ id: string }>("usr_owner", "POST /silences", { name, eventKey: "disk.full", endsAt: at(minutes), ...fields });
  say("Two silences end one after the other, with events held");
  await silence("Short", 30);
  await silence("Long", 60, { conditions: [{ field: "data.rack", operator: "equals", value: 7 }] });
  const held = await send({ ...disk, data: { rack: 7 } });
  const other = await send({ ...disk, dedupeKey: "db-2" });
  const ended = await send({ ...disk, dedupeKey: "db-3" });
  await wait(5);
  await send({ ...fine, resolves: "db-3" });
  await send({ ...disk, priority: "HIGH", data: { rack: 7 } });
  await wait(27);
  await look(held, other, ended);
  await wait(31);
  await look(held);
  say("A repeat raises the priority of a held alert, another is held until somebody deletes the silence");
  const { id } = await silence("Third", DAY);
  const raised = await send({ ...disk, dedupeKey: "db-4" });
  const acknowledged = await send({ ...disk, dedupeKey: "db-5" });
  const kept = await send({ ...disk, dedupeKey: "db-6" });
  await wait(1);
  await ask("usr_dana", "POST /events/acknowledge", { eventIds: [acknowledged] });
  await send({ ...disk, dedupeKey: "db-4", priority: "URGENT" });
  await wait(2);
  await ask("usr_owner", `GET /events/${kept}/explain?userId=usr_dana`);
  await ask("usr_owner", `DELETE /silences/${id}`);
  await wait(2);
  await look(raised, acknowledged, kept);
});

testStory(
  "quiet-hours",
  { start: NOON, monthly: { sms: 3, voice: 0 } },
  async ({ world, send, ask, look, wait, say }) => {
    await world.rule([await world.group("Ops", ["usr_dana", "usr_emil"])], ack);
    await world.contact("usr_dana", { phone, ways: ["sms", "voice"] });
    const steps = [["push"], ["sms"], ["voice"]].map((ways, nr) => ({ afterMinutes: nr * 5, ways }));
    const quietHours = {
      days: ["sat", "sun"],
      from: "14:00",
      to: "20:00",
      timeZone: "Europe/Berlin",
      holdBelow: "HIGH",
    };
    await ask("usr_dana", "PUT /notification-rules", { rungs: { HIGH: steps, URGENT: steps }, quietHours });
    say("Before quiet hours");
    const first = await send({ ...disk, priority: "HIGH" });
    await wait(7);
    await ask("usr_emil", "POST /events/acknowledge", { eventIds: [first] });
    await wait(HOUR);
    say("Within: held back, then raised, with the month's calls used up");
    const second = await send({ ...disk, dedupeKey: "db-2" });
    await wait(1);
    await look(first, second);
    await send({ ...disk, dedupeKey: "db-2", priority: "URGENT" });
    await wait(20);
    const third = await send({ ...disk, dedupeKey: "db-3", priority: "LOW" });
    await wait(6 * HOUR);
    await look(second, third);
    await ask("usr_dana", "GET /notifications?user=me");
  },
);

testStory("on-call", { start: NOON, monthly: { sms: 9 } }, async ({ world, send, ask, look, wait, say }) => {
  const ops = await world.group("Ops", ["usr_dana", "usr_emil", "usr_fritz"]);
  await world.contact("usr_emil", { phone, ways: ["sms"] });
  const layers = [{ start: "2026-11-20T15:00", every: 1, unit: "day", participants: ["usr_dana", "usr_emil"] }];
  await ask("usr_owner", `PUT /groups/${ops}/on-call`, { timeZone: "Europe/Berlin", layers });
  await ask("usr_owner", "PATCH /v1/workspaces/ws_story", { proveShifts: { minutesBefore: HOUR } });
  await world.rule([ops], { ...ack, onCallOnly: true, eventKey: "disk.full" });
  say("A reachability check that nobody confirms, and a handoff");
  const id = await send(disk);
  await wait(1);
  await ask("usr_dana", "POST /events/acknowledge", { eventIds: [id] });
  await wait(3 * HOUR);
  await look(id);
  say("A cover");
  const span = { start: "2026-11-21T18:00:00Z", end: "2026-11-21T22:00:00Z" };
  const cover = await ask<{ id: string }>("usr_emil", `POST /groups/${ops}/on-call/covers`, span);
  await wait(1);
  await ask("usr_fritz", `POST /covers/${cover.id}/take`, {});
  const feed = await ask<{ url: string }>("usr_fritz", "POST /on-call/mine/calendar", {});
  await ask("nobody", `GET ${new URL(feed.url).pathname}`);
  await wait(4 * HOUR);
  await send({ ...disk, dedupeKey: "db-2" });
  await ask("usr_owner", `GET /groups/${ops}/on-call/now`);
  await wait(3 * HOUR);
  await ask("usr_owner", "GET /on-call/report?from=2026-11-21T00:00:00Z");
});

testStory("heartbeat", { sweepAtSecond: 30 }, async ({ world, ask, wait, say }) => {
  await world.rule([await world.group("Ops", ["usr_dana"])], { eventKey: "heartbeat.*" });
  const input = { name: "Backup", everySeconds: 300, priority: "HIGH" };
  const { id, url } = await ask<{ id: string; url: string }>("usr_owner", "POST /heartbeats", input);
  const callHeartbeat = () => ask("nobody", `POST ${new URL(url).pathname}`);
  for (const part of ["Called, missing, back", "Missing again"]) {
    say(part);
    await callHeartbeat();
    await wait(8);
    await ask("usr_owner", `GET /heartbeats/${id}`);
    await callHeartbeat();
    await wait(2);
    await ask("usr_owner", `GET /heartbeats/${id}`);
  }
  say("Missing, then paused and resumed, missing again, back, and deleted");
  await wait(8);
  for (const paused of [true, false]) {
    await ask("usr_owner", `PATCH /heartbeats/${id}`, { paused });
    await wait(8);
  }
  await callHeartbeat();
  await wait(2);
  await ask("usr_owner", `DELETE /heartbeats/${id}`);
  await callHeartbeat();
  await wait(10);
  await ask("usr_owner", "GET /events");
});

let isDown = false;
const receive = ({ body }: PostRequest): PostOutcome => {
  if (isDown) return { kind: "failed", code: "HTTP_503" };
  return body.includes("Odd") ? { kind: "refused", code: "HTTP_400" } : { kind: "taken", code: "HTTP_200" };
};
testStory("webhook", { receive }, async ({ world, send, ask, at, wait, say }) => {
  await world.rule([await world.group("Ops", ["usr_dana"], 0)], { ...ack, eventKey: "disk.full" });
  const input = { name: "Status", url: "https://hooks.example.com/status" };
  const { id } = await ask<{ id: string }>("usr_owner", "POST /webhooks", input);
  for (const part of ["A receiver that works, fails, and works again after a minute", "Again"]) {
    say(part);
    await send(disk);
    await wait(1);
    isDown = true;
    await send(fine);
    await wait(1);
    isDown = false;
    await wait(5);
    await ask("usr_owner", `GET /webhooks/${id}`);
  }
  say("It refuses a message, fails for three days, and is suspended");
  await send({ ...disk, dedupeKey: "db-2", title: "Odd" });
  await wait(HOUR);
  isDown = true;
  await send(disk);
  await wait(73 * HOUR);
  await ask("usr_owner", `GET /webhooks/${id}`);
  await ask("usr_owner", `PATCH /webhooks/${id}`, { name: "Status page" });
  await wait(1);
  await ask("usr_owner", `GET /webhooks/${id}`);
  say("It works again, its messages are replayed, and it fails again");
  isDown = false;
  await ask("usr_owner", `POST /webhooks/${id}/test`, {});
  await wait(1);
  await ask("usr_owner", `POST /webhooks/${id}/replay`, { from: at(-4 * DAY), to: at(-74 * HOUR - 8) });
  await wait(1);
  isDown = true;
  await send(fine);
  await wait(1);
  await ask("usr_owner", `GET /webhooks/${id}`);
  await ask("usr_owner", `GET /webhooks/${id}/deliveries`);
  isDown = false;
});

testStory("slack", {}, async ({ world, send, ask, look, wait, say }) => {
  const escalationPolicyId = await world.policy([stepTo("usr_owner", 5)], { ackMinutes: 30 });
  await world.rule([await world.group("Ops", ["usr_dana"])], { ...ack, escalationPolicyId });
  await ask("usr_owner", "POST /connections", { name: "Alerts", kind: "slack", channel: "C0123456789" });
  const id = await send(disk);
  await wait(1);
  say("Somebody without an account presses a button, links the account, and presses again");
  await pressInSlack(world, "acknowledge");
  await ask("usr_dana", "POST /slack-account", { token: readLinkToken(world) });
  await pressInSlack(world, "acknowledge");
  await wait(32);
  await look(id);
  await pressInSlack(world, "resolve");
  await wait(1);
});

const answer = (): PushOutcome =>
  isDown ? { kind: "retry", code: "UNAVAILABLE" } : { kind: "accepted", messageId: "m" };
testStory("storm", { answer, monthly: { sms: 3 } }, async ({ world, send, ask, look, wait, say }) => {
  await world.rule([await world.group("Ops", ["usr_dana"])]);
  for (const one of [phone, "+4915187654321"]) await world.contact("usr_dana", { phone: one, ways: ["sms"] });
  await ask("usr_owner", "PATCH /v1/workspaces/ws_story", { loudPerTenMinutes: 3 });
  say("More pages than the limit, and more text messages than the budget");
  for (const nr of [1, 2, 3, 4, 5, 6]) {
    const id = await send({ event: "disk.full", title: `Disk ${nr}`, body: "Full" });
    await wait(nr === 5 ? 12 : 1);
    if (nr > 3) await look(id);
  }
  say("The push service fails for two minutes, and a sweep is 90 s late");
  isDown = true;
  const late = await send({ event: "disk.full", title: "Disk 7", body: "Full" });
  await wait(0.1);
  world.skip(90_000);
  await wait(0.5);
  isDown = false;
  await wait(10);
  await look(late);
  await ask("usr_owner", "GET /v1/workspaces/ws_story");
});

testStory("leaving", {}, async ({ world, send, ask, at, wait, say }) => {
  const ops = await world.group("Ops", ["usr_dana", "usr_emil"]);
  await world.policy([stepTo("usr_dana", 5)]);
  const key = await ask<{ key: string }>("usr_owner", "POST /api-keys", { name: "Shop", expiresAt: at(16 * DAY) });
  const rule = { name: "All", eventKey: "disk.full", targets: [{ type: "group", groupId: ops }], requiresAck: true };
  await ask("usr_owner", "POST /routing-rules", rule);
  const post = (title: string) => ask("key", "POST /v1/events", { ...disk, title, dedupeKey: title }, key.key);
  say("A person leaves");
  await post("Both");
  await wait(1);
  for (const force of ["", "?force=true"]) await ask("usr_owner", `DELETE /members/usr_dana${force}`);
  await post("Only Emil");
  await wait(1);
  await ask("usr_owner", "GET /members");
  await ask("usr_owner", "GET /audit?limit=6");
  say("A key expires, and events stay open for 30 days");
  await wait(17 * DAY);
  await post("Nobody");
  await ask("usr_owner", "GET /api-keys");
  await wait(14 * DAY);
  await ask("usr_owner", "GET /events?limit=20");
  await send({ event: "last.one", title: "Last", body: "x" });
});
