import { describe, expect, it } from "vitest";
import { faultsOfPlan, faultsOfHold, reconcile } from "../../../../core/domain/delivery/ledger.ts";
import type { PackRecipient } from "../../../../core/domain/delivery/pack.ts";
import { aPack, aRecipient } from "../support.ts";

const accepted = { dev_1: { outcome: "accepted", tries: 1, unknowns: 0 } } as const;
const ann = aRecipient({ attempts: accepted });
const bob = aRecipient({
  userId: "usr_bob",
  status: "FAILED",
  failedReason: "No registered devices for user",
  attempts: {},
});
const cat = aRecipient({ userId: "usr_cat", status: "QUEUED" });

const ledger = (userIds: string[], recipients: PackRecipient[], finished = false) =>
  reconcile([{ packId: "p", userIds }], [aPack({ packId: "p", recipients })], { silenced: 2, finished });

describe("the ledger of an event", () => {
  it("has each recipient once: told, failed, silenced or pending", () => {
    expect(ledger(["usr_ann", "usr_bob", "usr_cat"], [ann, bob, cat])).toEqual({
      recipients: 5,
      told: 1,
      failed: 1,
      silenced: 2,
      pending: 1,
      faults: [],
    });
    expect(reconcile([{ packId: "q", userIds: ["usr_ann"] }], [], { finished: false })).toMatchObject({ pending: 1 });
  });

  it.each([
    ["somebody is missing", ["usr_ann", "usr_bob"], [ann]],
    ["somebody is there whom nothing calls for", ["usr_ann"], [ann, bob]],
    ["somebody is another one", ["usr_ann"], [bob]],
    ["somebody is pending at the end", ["usr_cat"], [cat]],
    ["nothing is there at the end", ["usr_ann"], []],
    ["somebody was told by no device", ["usr_ann"], [aRecipient({ attempts: {} })]],
    ["somebody failed whom a device was told", ["usr_bob"], [{ ...bob, attempts: accepted }]],
    ["somebody failed without a reason", ["usr_bob"], [{ ...bob, failedReason: undefined }]],
  ])("does not come out where %s", (_, userIds, recipients) => {
    expect(ledger(userIds, recipients, true).faults).toHaveLength(1);
  });
});

describe("the ledger of a plan", () => {
  const tells = (...userIds: string[]) => ({
    rule: { id: "rule_1", version: 1, name: "Rule" },
    requiresAck: true,
    priority: "NORMAL" as const,
    priorityFrom: "event" as const,
    recipients: userIds.map((userId) => ({ userId, reason: {} })),
  });
  const silence = { id: "sil_1", name: "Release", recipients: 2 };
  const escalation = { id: "pol_1", name: "Ladder", repeat: 0, steps: [] };

  it("has each of those whom the rules call for once: to be told, or silenced", () => {
    expect(faultsOfPlan(2, { rules: [tells("usr_ann", "usr_bob")] })).toEqual([]);
    expect(faultsOfPlan(2, { rules: [tells()], silence })).toEqual([]);
    expect(faultsOfPlan(2, { rules: [tells("usr_ann")] })).toHaveLength(1);
    expect(faultsOfPlan(3, { rules: [tells()], silence })).toHaveLength(1);
  });

  it("does not come out where somebody is told of what is silenced, at once or by a step", () => {
    expect(faultsOfHold({ rules: [tells("usr_ann")] })).toEqual([]);
    expect(faultsOfHold({ rules: [tells()], silence })).toEqual([]);
    expect(faultsOfHold({ rules: [tells("usr_ann")], silence })).toHaveLength(1);
    expect(faultsOfHold({ rules: [{ ...tells(), escalation }], silence })).toHaveLength(1);
  });
});
