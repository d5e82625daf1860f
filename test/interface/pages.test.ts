import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { expect, it } from "vitest";
import { deflate } from "../../core/store/codec.ts";
import { formatEventId, formatPackId, type WorkspaceId } from "../../core/domain/basics/ids.ts";
import { putOpenEvent } from "../../core/store/events/open-events.ts";
import { createPack } from "../../core/store/delivery/packs.ts";
import { markLost } from "../../core/store/events/sequence.ts";
import { startApp, type App } from "../world/app.ts";
import { alice } from "../support/people.ts";

/** `npm run test:pages` uses 100,000 events. */
const EVENTS = Number(process.env["PAGE_EVENTS"] ?? 3_000);
const LIMIT = 50;
/** The number of events that wait for an acknowledgement. */
const OPEN = 30;

/** Returns a text of about a kilobyte, even when compressed. */
const createKilobyte = (): string => {
  let text = "";
  for (let value = 1; text.length < 1_200; value = (value * 48_271) % 2_147_483_647) text += value.toString(36);
  return text.slice(0, 1_200);
};

const plan = {
  at: 1_793_000_000_000,
  rulesVersion: 7,
  peopleVersion: 9,
  rules: [
    {
      rule: { id: "rule_5x0c9g2v8k1m7q4t", version: 3, name: "Disks" },
      requiresAck: false,
      priority: "LOW",
      priorityFrom: "event",
      recipients: ["4f1c09d2", "9b27e6a1", "c5d80f3e"].map((hex) => ({
        userId: `usr_${hex.repeat(4)}`,
        reason: { type: "group", groupId: "grp_7h2j9d4s6f1k3m8p", groupName: "Operations" },
      })),
    },
  ],
};

/** Fills a workspace with events. The older half is in one partition, as the service stored all events in earlier versions. */
const fillWorkspace = async ({ deps, stand }: App, ws: WorkspaceId, lost: ReadonlySet<number>): Promise<void> => {
  const body = createKilobyte();
  const seqs = Array.from({ length: EVENTS + lost.size }, (_, index) => index + 1).filter((seq) => !lost.has(seq));
  const progress = { plan: deflate(plan), count: 3 };
  await stand.fill(
    seqs.flatMap((seq) => {
      const sk = String(seq).padStart(12, "0");
      const content = deflate({ eventKey: "a.b", title: "Event", body, priority: "LOW" });
      const own = { by: "req_test", at: deps.now() + seq, rv: 1, pv: 1, content };
      if (seq < EVENTS / 2 + OPEN) return [{ pk: `WS#${ws}#EVENTS`, sk, nonce: "00000000000", ...own, ...progress }];
      const pk = `WS#${ws}#EVENTS${["", "#1", "#2", "#3"][Math.floor(seq / 64) % 4]}`;
      const nonce = "u0000000000";
      return [
        { pk, sk, nonce, ...own },
        { pk, sk: `${sk}#C`, nonce, ...progress },
      ];
    }),
  );
};

it(
  `each page of ${LIMIT} events in a list of ${EVENTS} costs the same, and each event is on one page; a list of open events reads only open events`,
  { timeout: 900_000 },
  async () => {
    const app = await startApp();
    const made = await app.ask<{ id: WorkspaceId }>("/v1/workspaces", {
      method: "POST",
      as: alice,
      body: { name: "Big" },
    });
    const ws = made.body.id;
    const lost = new Set([7, 8, 9, 1_000, EVENTS]);
    await fillWorkspace(app, ws, lost);
    await markLost(app.deps, ws, [...lost]);
    await app.deps.table.client.send(
      new UpdateCommand({
        TableName: app.deps.table.name,
        Key: { pk: `WS#${ws}`, sk: "CONTROL" },
        UpdateExpression: "SET seq = :seq",
        ExpressionAttributeValues: { ":seq": EVENTS + lost.size },
      }),
    );
    const pages = EVENTS / LIMIT;
    const costs = new Map<number, number>();
    const seen = new Set<string>();

    for (let page = 1; page <= pages + 1; page += 1) {
      app.stand.usedUnits();
      const { body } = await app.ask<{ total: number; items: { id: string; title: string }[] }>(
        `/v1/workspaces/${ws}/events?page=${page}&limit=${LIMIT}`,
        { as: alice },
      );
      costs.set(page, app.stand.usedUnits());
      expect(body.total).toBe(EVENTS);
      for (const { id } of body.items) seen.add(id);
    }
    const people = [alice, ...Array.from({ length: 4 }, (_, index) => `usr_${String(index).repeat(32)}`)];
    for (let seq = EVENTS / 2; seq < EVENTS / 2 + OPEN; seq += 1) {
      const eventId = formatEventId({ seq, nonce: "00000000000" });
      await createPack(
        app.deps,
        { workspaceId: ws },
        formatPackId({ at: seq, seq, spread: false, rule: 0, cursor: 0, pack: 0 }),
        {
          eventId,
          eventKey: "disk.full",
          title: "x".repeat(100),
          priority: "URGENT",
          priorityFrom: "event",
          requiresAck: true,
          escalates: false,
          rule: { id: "rule_1", name: "Disks", version: 1 },
          recipients: people.map((userId) => ({ userId, name: userId, email: `${userId}@acme.example`, reason: {} })),
        },
      );
      await putOpenEvent(app.deps, ws, {
        eventId,
        seq,
        told: { at: seq, escalates: false, rules: [[0, people]] },
        receivedAt: app.deps.now() + seq,
        notifications: 5,
        content: { eventKey: "disk.full", title: "x".repeat(100), priority: "URGENT", dedupeKey: "host-1" },
      });
    }
    app.stand.usedUnits();
    const open = await app.ask<{ total: number; items: { state: string }[] }>(
      `/v1/workspaces/${ws}/events?state=open&limit=${LIMIT}`,
      { as: alice },
    );
    const costOfOpen = app.stand.usedUnits();
    const inbox = await app.ask<object[]>(`/v1/workspaces/${ws}/notifications?user=me&state=open`, { as: alice });
    const costOfInbox = app.stand.usedUnits();
    await app.close();

    expect(open.body.items.map(({ state }) => state)).toEqual(Array.from({ length: OPEN }, () => "open"));
    expect(costOfOpen).toBe(3);
    // In addition to the list of open events, the inbox reads each notification's pack, which costs half a unit.
    expect(inbox.body).toHaveLength(OPEN);
    expect(costOfInbox).toBe(3 + OPEN / 2);
    expect(seen.size).toBe(EVENTS);
    // Membership, event counter and the number of lost events cost one unit each; 50 events of 0.97 KB with plans cost about
    // eight. If event numbers are lost, each page costs one more unit, and a page near these numbers two more.
    expect(Math.max(...costs.values())).toBe(13);
    expect(costs.get(pages + 1)).toBe(3);
  },
);
