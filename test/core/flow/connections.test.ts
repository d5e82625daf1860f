import { describe, expect, it } from "vitest";
import { MESSAGES_KEPT_DAYS, OPEN_DAYS } from "../../../core/domain/basics/limits.ts";
import * as v from "valibot";
import { ConnectionInput } from "../../../core/domain/connection/connection.ts";
import {
  createConnection,
  testConnection,
  linkSlackAccount,
  updateConnection,
} from "../../../core/flow/admin/connections.ts";
import { acknowledgeEvents, resolveEvent } from "../../../core/flow/respond/lifecycle.ts";
import { listEventsBetween, readEvent } from "../../../core/store/events/events.ts";
import { setRole } from "../../../core/store/people/members.ts";
import { readQueue } from "../../../core/store/delivery/delivery-queues.ts";
import { readLinkToken, pressInSlack, slackApp } from "../../support/slack.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, type World, type WorldOptions } from "../../world/world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CHANNEL = "C0123456789";
const bob = { id: "usr_bob", name: "bob" };

const connect = ({ deps, ws }: World, fields: object) =>
  createConnection(deps, ws, v.parse(ConnectionInput, { name: "room", ...fields }));

const setUp = async (options: WorldOptions = {}) => {
  const world = await useWorld(options);
  const ops = await world.group("Ops", ["usr_ann"]);
  await world.group("Bobs", ["usr_bob"]);
  return { world, ops, room: await connect(world, { kind: "slack", channel: CHANNEL }) };
};

/** Sets up a world, posts an event that requires an acknowledgement to the Slack channel, and lets a minute pass. */
const setUpEvent = async (options?: WorldOptions) => {
  const { world, ops } = await setUp(options);
  await world.rule([ops], { requiresAck: true });
  const { eventId } = await world.post();
  await world.runFor(MINUTE);
  return { world, eventId };
};

const listMessagesIn = ({ slack }: World, channel = CHANNEL) => slack.channels.get(channel) ?? [];
const listMessages = (world: World) =>
  listMessagesIn(world).map(({ blocks, edits }) => ({ edits, said: JSON.stringify(blocks) }));
const listButtons = (world: World) =>
  listMessagesIn(world).map(({ blocks }) =>
    blocks.flatMap((block) => (block.type === "actions" ? block.elements.map(({ action_id: id }) => id) : [])),
  );
const listNotices = async ({ deps, ws, start }: World) =>
  (await listEventsBetween(deps, ws, { from: 1, to: 1_000 }))
    .filter(({ content }) => content.eventKey === "service.connection")
    .map(({ content, receivedAt }) => ({ title: content.title, minute: (receivedAt - start) / MINUTE }))
    .reverse();

const linkAccount = async (world: World, user: string, userId: string) => {
  await pressInSlack(world, "resolve", { user });
  return linkSlackAccount(world.deps, world.ws, userId, readLinkToken(world));
};

describe("a Slack channel", () => {
  it("gets one message per event, which is edited as the event changes and has buttons for the remaining actions", async () => {
    const { world, ops } = await setUp();
    await world.rule([ops], { requiresAck: true });
    const { eventId } = await world.post({ data: { site: "https://shop.example", site_name: "Shop <1>" } });
    await world.runFor(MINUTE);
    expect(listButtons(world)).toEqual([["acknowledge", "resolve", "open"]]);
    expect(listMessagesIn(world)[0]!.text).toBe("Open: Disk full");
    expect(listMessages(world)[0]!.said).toContain("Shop <1>");
    await acknowledgeEvents(world.deps, world.ws, [eventId], bob);
    await world.runFor(MINUTE);
    expect(listButtons(world)).toEqual([["resolve", "open"]]);
    expect(listMessages(world)[0]!.said).toContain("Acknowledged by bob");
    await resolveEvent(world.deps, world.ws, eventId, bob, undefined);
    await world.runFor(MINUTE);

    expect(listMessagesIn(world)).toMatchObject([{ text: "Resolved: Disk full", edits: 2 }]);
    expect(listButtons(world)).toEqual([["open"]]);
    expect(world.slackCalls.map(({ method }) => method)).toEqual(["chat.postMessage", "chat.update", "chat.update"]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("keeps the id of an event's message until no edit of the message can come any more", async () => {
    const { world } = await setUpEvent();
    const post = (await world.listItems()).find((item) => "ts" in item);

    expect(Number(post?.["ttl"]) * 1000 - world.now()).toBeGreaterThan((OPEN_DAYS + MESSAGES_KEPT_DAYS) * DAY);
  });

  it("gets at most one edit per second, which contains everything that happened meanwhile", async () => {
    const { world, ops } = await setUp();
    await world.rule([ops], { requiresAck: true });
    const ids: string[] = [];
    for (let nr = 0; nr < 5; nr += 1) ids.push((await world.post({ title: `Disk ${nr}` })).eventId);
    for (const id of ids) {
      await world.work();
      await acknowledgeEvents(world.deps, world.ws, [id], bob);
      await resolveEvent(world.deps, world.ws, id, bob, undefined);
    }
    await world.runFor(5 * MINUTE);
    const times = world.slackCalls.map(({ at }) => at);

    expect(listMessagesIn(world).map(({ text }) => text)).toEqual(ids.map((_, nr) => `Resolved: Disk ${nr}`));
    expect(times.length).toBeLessThanOrEqual(10);
    for (const [index, at] of times.entries())
      if (index > 0) expect(at - times[index - 1]!).toBeGreaterThanOrEqual(1000);
  });

  it("gets only events of its linked rules and groups", async () => {
    const world = await useWorld();
    const [ops, bobs] = [await world.group("Ops", ["usr_ann"]), await world.group("Bobs", ["usr_bob"])];
    const rule = await world.rule([ops], { eventKey: "disk.*" });
    await world.rule([bobs], { eventKey: "cpu.*" });
    await world.rule([ops], { eventKey: "net.*" });
    const tied = { C00000000A: { ruleIds: [rule.id] }, C00000000B: { groupIds: [bobs] }, C00000000C: {} };
    for (const [channel, to] of Object.entries(tied))
      await connect(world, { name: channel, kind: "slack", channel, ...to });
    for (const event of ["disk.full", "cpu.hot", "net.down", "other.thing"]) await world.post({ event, title: event });
    await world.runFor(MINUTE);

    const listTextsIn = (channel: string) => listMessagesIn(world, channel).map(({ text }) => text);
    expect(listTextsIn("C00000000A")).toEqual(["Told: disk.full"]);
    expect(listTextsIn("C00000000B")).toEqual(["Told: cpu.hot"]);
    expect(listTextsIn("C00000000C")).toEqual(["Told: disk.full", "Told: cpu.hot", "Told: net.down"]);
  });

  it("gets a second message only if the answer to the first was lost, and later edits change the second message", async () => {
    let lost = true;
    const { world, eventId } = await setUpEvent({
      slack: ({ method }) => {
        if (method !== "chat.postMessage" || !lost) return undefined;
        lost = false;
        return { kind: "failed", code: "DEADLINE" };
      },
    });
    await resolveEvent(world.deps, world.ws, eventId, bob, undefined);
    await world.runFor(MINUTE);

    expect(listMessagesIn(world)).toMatchObject([{ text: "Resolved: Disk full", edits: 1 }]);
  });

  it("gets a new message if somebody deleted the old one, and later edits change the new message", async () => {
    const { world, eventId } = await setUpEvent();
    world.slack.channels.clear();
    await acknowledgeEvents(world.deps, world.ws, [eventId], bob);
    await world.runFor(MINUTE);
    expect(listMessages(world)).toMatchObject([{ edits: 0 }]);
    await resolveEvent(world.deps, world.ws, eventId, bob, undefined);
    await world.runFor(MINUTE);

    expect(listMessagesIn(world)).toMatchObject([{ text: "Resolved: Disk full", edits: 1 }]);
  });

  it("does not delay pushes, which are sent while Slack hangs", async () => {
    const { world, ops } = await setUp({ slack: () => ({ kind: "failed", code: "DEADLINE" }) });
    await world.rule([ops]);
    await world.post();
    await world.runFor(1000);

    expect(world.pushed.map(({ at }) => at - world.start)).toEqual([0]);
  });
});

describe("a failing Slack connection", () => {
  it("continues after an hour of 429 once Slack accepts messages, and owners are notified after that hour", async () => {
    const { world, ops } = await setUp({
      slack: () =>
        world.now() - world.start < HOUR + 2 * MINUTE
          ? { kind: "answered", status: 429, body: "", retryAfterMs: 30_000 }
          : undefined,
    });
    await world.rule([ops], { eventKey: "disk.*" });
    await world.post();
    await world.runFor(3 * HOUR);

    expect(await listNotices(world)).toEqual([{ title: "Connection room is failing", minute: expect.closeTo(60, 0) }]);
    expect((world.slackCalls.at(-1)!.at - world.start) / MINUTE).toBeCloseTo(62.2, 0);
    expect(listMessagesIn(world)).toHaveLength(1);
  });

  it("to a deleted channel is suspended and reported at once, and sends the waiting messages after a successful test", async () => {
    let gone = true;
    const { world, ops, room } = await setUp({
      slack: () =>
        gone ? { kind: "answered", status: 200, body: '{"ok":false,"error":"channel_not_found"}' } : undefined,
    });
    await world.rule([ops], { eventKey: "disk.*" });
    await world.post();
    await world.runFor(DAY);
    const [notice] = (await listEventsBetween(world.deps, world.ws, { from: 1, to: 10 })).filter(
      ({ content }) => content.eventKey === "service.connection",
    );
    gone = false;

    expect(world.slackCalls).toHaveLength(1);
    expect(await listNotices(world)).toEqual([{ title: "Connection room is suspended", minute: 0 }]);
    expect(notice!.content.body).toContain("The Slack channel was deleted");
    expect(await testConnection(world.deps, world.ws, room.id)).toMatchObject({ delivered: true, code: "SLACK_OK" });
    await world.runFor(MINUTE);
    expect(listMessagesIn(world).map(({ text }) => text)).toEqual([
      ":white_check_mark: The connection *room* posts alerts here.",
      "Told: Disk full",
    ]);
  });

  it("with a revoked token is reported at once, and posts the waiting messages automatically with a new token", async () => {
    let revoked = true;
    const { world, ops, room } = await setUp({
      slack: () =>
        revoked ? { kind: "answered", status: 200, body: '{"ok":false,"error":"token_revoked"}' } : undefined,
    });
    await world.rule([ops], { eventKey: "disk.*" });
    await world.post();
    await world.runFor(10 * MINUTE);
    expect(await listNotices(world)).toEqual([{ title: "Connection room is failing", minute: 0 }]);
    revoked = false;
    await world.runFor(HOUR);

    expect(listMessagesIn(world).map(({ text }) => text)).toEqual(["Told: Disk full"]);
    expect(await readQueue(world.deps, { ws: world.ws, id: room.id })).toMatchObject({ tries: 0 });
  });

  it("is retried at once when somebody changes its settings", async () => {
    let down = true;
    const { world, ops, room } = await setUp({
      slack: () => (down ? { kind: "failed", code: "ECONNRESET" } : undefined),
    });
    await world.rule([ops], { eventKey: "disk.*" });
    await world.post();
    await world.runFor(6 * HOUR);
    down = false;
    await updateConnection(world.deps, world.ws, room, { name: "other" });
    await world.runFor(1000);

    expect(listMessagesIn(world)).toHaveLength(1);
  });
});

describe("a button press in Slack", () => {
  it("by an unlinked account is answered with a link, and counts as the member's once the account is linked", async () => {
    const { world, eventId } = await setUpEvent();
    expect(await linkAccount(world, "U0BOB", "usr_bob")).toMatchObject({ team: "T0TEST", user: "U0BOB", name: "bob" });
    expect((await readEvent(world.deps, world.ws, eventId))!.life.resolved).toBeUndefined();

    await pressInSlack(world, "acknowledge");
    await world.runFor(MINUTE);
    expect((await readEvent(world.deps, world.ws, eventId))!.life.acknowledged).toMatchObject(bob);
    expect(listMessages(world)[0]!.said).toContain("Acknowledged by bob");
    await pressInSlack(world, "resolve");
    await world.runFor(MINUTE);

    expect(listMessagesIn(world)).toMatchObject([{ text: "Resolved: Disk full" }]);
    expect(world.slack.ephemeral).toHaveLength(1);
  });

  it("is refused before anything is read if the press is forged, old, or from an unknown app", async () => {
    const { world } = await setUpEvent();
    world.usedUnits();
    const unsigned = { kind: "unauthenticated" };

    await expect(pressInSlack(world, "acknowledge", { secret: "f".repeat(32) })).rejects.toMatchObject(unsigned);
    await expect(pressInSlack(world, "acknowledge", { ageSeconds: 301 })).rejects.toMatchObject(unsigned);
    await expect(pressInSlack(world, "acknowledge", { ageSeconds: -301 })).rejects.toMatchObject(unsigned);
    const deps = { ...world.deps, slackApps: async () => [{ ...slackApp, workspaces: ["ws_other"] }] };
    await expect(pressInSlack({ ...world, deps }, "acknowledge")).rejects.toMatchObject(unsigned);
    expect(world.usedUnits()).toBe(0);
    await expect(pressInSlack(world, "acknowledge", { ageSeconds: 299 })).resolves.toBeUndefined();
  });

  it("by a viewer does not resolve an event", async () => {
    const { world, eventId } = await setUpEvent();
    await linkAccount(world, "U0ANN", "usr_ann");
    await setRole(world.deps, world.ws, "usr_ann", "viewer");
    await pressInSlack(world, "resolve", { user: "U0ANN" });

    expect((await readEvent(world.deps, world.ws, eventId))!.life.resolved).toBeUndefined();
    expect(world.slack.ephemeral.at(-1)).toMatchObject({ user: "U0ANN", text: expect.stringContaining("responder") });
  });

  it("by an unlinked account gets a signed link that is valid for one workspace and ten minutes", async () => {
    const { world } = await setUpEvent();
    await pressInSlack(world, "resolve");
    const token = readLinkToken(world);
    const refused = { kind: "invalid_input" };

    await expect(linkSlackAccount(world.deps, "ws_other", "usr_bob", token)).rejects.toMatchObject(refused);
    const changed = token.replace(/^./, (first) => (first === "e" ? "f" : "e"));
    await expect(linkSlackAccount(world.deps, world.ws, "usr_bob", changed)).rejects.toMatchObject(refused);
    world.skip(10 * MINUTE + 1);
    await expect(linkSlackAccount(world.deps, world.ws, "usr_bob", token)).rejects.toMatchObject(refused);
  });
});

it("a Teams channel gets a card for each timeline entry, whose button opens the event", async () => {
  const url = "https://prod-1.westeurope.logic.azure.com/workflows/abc/triggers/manual/paths/invoke?sig=secret";
  const world = await useWorld();
  const ops = await world.group("Ops", ["usr_ann"]);
  await connect(world, { kind: "teams", url });
  await world.rule([ops], { requiresAck: true });
  const { eventId } = await world.post({ title: "Disk *full* [now](https://evil.example)" });
  await world.runFor(MINUTE);
  await resolveEvent(world.deps, world.ws, eventId, bob, undefined);
  await world.runFor(MINUTE);

  expect(world.posted.map((one) => one.url)).toEqual([url, url]);
  const [opened, resolved] = world.posted.map(({ body }) => JSON.parse(body).attachments[0].content);
  expect(opened.body.map(({ text }: { text?: string }) => text)).toEqual([
    "Opened",
    String.raw`Disk \*full\* \[now\]\(https://evil.example\)`,
    String.raw`db\-1 has 2 % left`,
    undefined,
  ]);
  expect(resolved.body[0].text).toBe("Resolved by bob");
  expect(opened.actions).toEqual([
    {
      type: "Action.OpenUrl",
      title: "Open the event",
      url: `https://alerts.example/events/${eventId}?workspace=${world.ws}`,
    },
  ]);
});

it("an event that goes to no Slack or Teams channel needs no additional capacity units", async () => {
  const measureUnits = async (channels: readonly string[]) => {
    const world = await useWorld();
    const ops = await world.group("Ops", ["usr_ann"]);
    const other = await world.group("Others", ["usr_bob"]);
    for (const channel of channels) await connect(world, { kind: "slack", channel, groupIds: [other] });
    await world.rule([ops], { requiresAck: true });
    await world.post();
    await world.runFor(MINUTE);
    world.usedUnits();
    const { eventId } = await world.post();
    await world.runFor(30_000);
    await resolveEvent(world.deps, world.ws, eventId, bob, undefined);
    await world.runFor(10_000);
    expect(world.slackCalls).toEqual([]);
    return world.usedUnits();
  };

  expect(await measureUnits([CHANNEL])).toEqual(await measureUnits([]));
});
