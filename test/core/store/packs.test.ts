import { beforeEach, describe, expect, it } from "vitest";
import type { DeviceAttempt } from "../../../core/domain/delivery/notification.ts";
import { formatPackId, parsePackId, type PackId, type WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { claimPack, createPack, readPack, storeOutcomes, walkNewestPacks } from "../../../core/store/delivery/packs.ts";
import { listNewestPacks } from "../../world/newest-packs.ts";
import type { Pack, PackHead } from "../../../core/domain/delivery/pack.ts";
import { useTable } from "../../world/use-table.ts";

const PACK = "1m7yzmhj000000000100000000";
const stand = await useTable();
let pack: Pack;

let count = 0;
let ws: WorkspaceId = "ws_";
const sending: DeviceAttempt = { outcome: "sending", tries: 1, unknowns: 0 };
const accepted: DeviceAttempt = { outcome: "accepted", tries: 1, unknowns: 0 };
const lease = (id: string, until: number) => ({ id, until });
const claim = (id: string, until: number, expected?: { id: string; until: number }) =>
  claimPack(stand, ws, PACK, lease(id, until), expected, new Map([[0, { phone: sending }]]));
const head = {
  eventId: "evt_1",
  eventKey: "order.failed",
  title: "Order 1 failed",
  priority: "HIGH",
  priorityFrom: "event",
  requiresAck: false,
  escalates: false,
  rule: { id: "rule_1", version: 1, name: "orders" },
} as const;
const storeOutcome = (leaseId: string, at = 5) =>
  storeOutcomes(stand, pack, leaseId, [{ position: 0, attempts: { phone: accepted }, result: { kind: "sent", at } }], {
    retryAt: undefined,
  });

beforeEach(async () => {
  ws = `ws_${(count += 1)}`;
  await createPack(stand, { workspaceId: ws }, PACK, {
    ...head,
    recipients: [{ userId: "usr_ann", name: "Ann", email: "ann@acme.example", reason: {} }],
  });
  pack = (await readPack(stand, ws, PACK))!;
});

describe("the notification packs of a workspace", () => {
  const headOf = (people: number, packs?: number): PackHead => ({
    ...head,
    recipients: Array.from({ length: people }, (_, index) => ({
      userId: `usr_${index}`,
      name: "",
      email: "",
      reason: {},
    })),
    ...(packs === undefined ? {} : { packs }),
  });
  /** Stores the notifications of one rule or step like a matcher, without the packs in `missing`. */
  const storePacks = async (first: Omit<PackId, "pack">, people: number, missingPacks: readonly number[] = []) => {
    const packs = Math.ceil(people / 16);
    for (let pack = 0; pack < packs; pack += 1)
      if (!missingPacks.includes(pack))
        await createPack(
          stand,
          { workspaceId: ws },
          formatPackId({ ...first, pack }),
          headOf(Math.min(16, people - 16 * pack), pack === 0 && packs > 1 ? packs : undefined),
        );
  };

  it("are listed once each and newest first, however many packs each rule has", async () => {
    ws = "ws_listed";
    await storePacks({ at: 1, seq: 1, spread: false, rule: 0, cursor: 0 }, 3);
    await storePacks({ at: 2, seq: 2, spread: false, rule: 0, cursor: 0 }, 70);
    await storePacks({ at: 2, seq: 2, spread: false, rule: 1, cursor: 0 }, 16);
    await storePacks({ at: 2, seq: 2, spread: false, rule: 2, cursor: 0 }, 33, [1]);
    await storePacks({ at: 3, seq: 1, spread: false, rule: 0, cursor: 1 }, 17);
    const packIds = (await listNewestPacks(stand, ws, 1_000)).map(({ packId }) => packId);

    expect(packIds).toHaveLength(1 + 5 + 1 + 2 + 2);
    expect(packIds).toEqual(packIds.toSorted().toReversed());
    for (let limit = 1; limit <= 130; limit += 1) {
      const packs = await listNewestPacks(stand, ws, limit);
      expect(packs.map(({ packId }) => packId)).toEqual(packIds.slice(0, packs.length));
      const held = packs.map(({ recipients }) => recipients.length).reduce((sum, count) => sum + count, 0);
      expect(held).toBeGreaterThanOrEqual(Math.min(limit, 3 + 70 + 16 + 17 + 17));
    }
    for (const [index, packId] of packIds.entries()) {
      const rest = await Array.fromAsync(walkNewestPacks(stand, ws, 1_000, parsePackId(packId)));
      expect(rest.map((one) => one.packId)).toEqual(packIds.slice(index));
    }
  });

  it("are listed newest first, each once, even if the packs of some events are spread over partitions", async () => {
    ws = "ws_spread";
    const seqs = Array.from({ length: 120 }, (_, index) => index + 1);
    for (const seq of seqs)
      await storePacks({ at: seq, seq, spread: seq > 60, rule: 0, cursor: 0 }, seq % 10 === 0 ? 20 : 1);
    const packIds = (await listNewestPacks(stand, ws, 1_000)).map(({ packId }) => packId);

    expect(packIds).toEqual(packIds.toSorted().toReversed());
    expect(packIds).toHaveLength(120 + 12);
    for (const limit of [1, 2, 5, 30, 75, 100, 300]) {
      const packs = await listNewestPacks(stand, ws, limit);
      expect(packs.map(({ packId }) => packId)).toEqual(packIds.slice(0, packs.length));
      expect(packs.reduce((sum, { recipients }) => sum + recipients.length, 0)).toBeGreaterThanOrEqual(
        Math.min(limit, 348),
      );
    }
    stand.usedUnits();
    await listNewestPacks(stand, ws, 30);
    expect(stand.usedUnits()).toBeLessThanOrEqual(4);
    const partitions = (await stand.listItems())
      .map(({ pk }) => String(pk))
      .filter((pk) => /#ws_spread#NOTIFICATIONS(#\d)?$/.test(pk));
    expect(new Set(partitions).size).toBe(4);
  });

  it("are read by one query if each rule has one pack; further packs of a very large rule are stored elsewhere", async () => {
    ws = "ws_cost";
    for (let seq = 1; seq <= 50; seq += 1) await storePacks({ at: seq, seq, spread: false, rule: 0, cursor: 0 }, 1);
    stand.usedUnits();
    await listNewestPacks(stand, ws, 50);
    expect(stand.usedUnits()).toBeLessThanOrEqual(3);

    await storePacks({ at: 51, seq: 51, spread: false, rule: 0, cursor: 0 }, 5_000);
    const written = (await stand.listItems()).filter(({ pk }) => String(pk).startsWith("WS#ws_cost#NOTIFICATIONS"));
    expect(written).toHaveLength(50 + 313);
    expect(written.filter(({ pk }) => pk === "WS#ws_cost#NOTIFICATIONS")).toHaveLength(51);
    expect(new Set(written.map(({ pk }) => pk)).size).toBe(1 + 312);
  });
});

describe("a notification pack", () => {
  it("is claimed by one sender, and again by the same sender when the SDK repeats the write", async () => {
    expect(await claim("lease_a", 1000)).toMatchObject({ kind: "claimed" });

    expect(await claim("lease_b", 1000)).toMatchObject({ kind: "refused", pack: { lease: { id: "lease_a" } } });
    expect(await claim("lease_a", 1000)).toMatchObject({ kind: "claimed" });
  });

  it("is taken over by only one of the senders that saw the same expired lease", async () => {
    await claim("lease_a", 1000);

    expect(await claim("lease_b", 2000, lease("lease_a", 1000))).toMatchObject({ kind: "claimed" });
    expect(await claim("lease_c", 2000, lease("lease_a", 1000))).toMatchObject({ kind: "refused" });
  });

  it("keeps the time at which its first push was accepted", async () => {
    await claim("lease_a", 1000);
    await storeOutcome("lease_a");
    await claim("lease_b", 2000, lease("lease_a", 0));
    await storeOutcome("lease_b", 9);

    expect((await readPack(stand, ws, PACK))?.recipients).toMatchObject([{ status: "SENT", sentAt: 5 }]);
  });

  it("accepts no outcome from a sender that has lost its lease", async () => {
    await claim("lease_a", 1000);
    await claim("lease_b", 2000, lease("lease_a", 1000));

    expect(await storeOutcome("lease_a")).toEqual({ kind: "lost" });

    expect(await readPack(stand, ws, PACK)).toMatchObject({
      lease: { id: "lease_b", until: 2000 },
      recipients: [{ status: "QUEUED", attempts: { phone: sending } }],
    });
  });
});
