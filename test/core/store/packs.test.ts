import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DeviceAttempt } from "../../../core/domain/delivery/notification.ts";
import { claimPack, createPack, readPack, storeOutcomes } from "../../../core/store/packs.ts";
import { type Pack } from "../../../core/domain/delivery/pack.ts";
import { startTable, type TestTable } from "../../world/table.ts";

const PACK = "1m7yzmhj000000000100000000";
let stand: TestTable;
let pack: Pack;
beforeAll(async () => {
  stand = await startTable();
});
afterAll(() => stand.close());

let count = 0;
let ws = "";
const sending: DeviceAttempt = { outcome: "sending", tries: 1, unknowns: 0 };
const accepted: DeviceAttempt = { outcome: "accepted", tries: 1, unknowns: 0 };
const lease = (id: string, until: number) => ({ id, until });
const claim = (id: string, until: number, expected?: { id: string; until: number }) =>
  claimPack(stand, ws, PACK, lease(id, until), expected, new Map([[0, { phone: sending }]]));
const store = (leaseId: string) =>
  storeOutcomes(
    stand,
    pack,
    leaseId,
    [{ position: 0, attempts: { phone: accepted }, result: { kind: "sent", at: 5 } }],
    { retryAt: undefined },
  );

beforeEach(async () => {
  ws = `ws_${(count += 1)}`;
  await createPack(stand, ws, PACK, {
    eventId: "evt_1",
    eventKey: "order.failed",
    title: "Order 1 failed",
    priority: "HIGH",
    priorityFrom: "event",
    requiresAck: false,
    escalates: false,
    rule: { id: "rule_1", version: 1, name: "orders" },
    recipients: [{ userId: "usr_ann", name: "Ann", email: "ann@acme.example", reason: {} }],
  });
  pack = (await readPack(stand, ws, PACK))!;
});

describe("a pack", () => {
  it("is claimed by one sender, and by the same again when the SDK repeats its write", async () => {
    expect(await claim("lease_a", 1000)).toMatchObject({ kind: "claimed" });

    expect(await claim("lease_b", 1000)).toMatchObject({ kind: "refused", pack: { lease: { id: "lease_a" } } });
    expect(await claim("lease_a", 1000)).toMatchObject({ kind: "claimed" });
  });

  it("is taken over by one sender only of those who saw the same lease", async () => {
    await claim("lease_a", 1000);

    expect(await claim("lease_b", 2000, lease("lease_a", 1000))).toMatchObject({ kind: "claimed" });
    expect(await claim("lease_c", 2000, lease("lease_a", 1000))).toMatchObject({ kind: "refused" });
  });

  it("takes no outcome from a sender that has lost it", async () => {
    await claim("lease_a", 1000);
    await claim("lease_b", 2000, lease("lease_a", 1000));

    expect(await store("lease_a")).toEqual({ kind: "lost" });

    expect(await readPack(stand, ws, PACK)).toMatchObject({
      lease: { id: "lease_b", until: 2000 },
      recipients: [{ status: "QUEUED", attempts: { phone: sending } }],
    });
  });
});
