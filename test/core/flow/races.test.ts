import { describe, expect, it } from "vitest";
import type { ReportedStatus } from "../../../core/domain/delivery/notification.ts";
import { processReport } from "../../../core/flow/respond/report-notification.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, stepTo, type Sent } from "../../world/world.ts";

/*
 * Repeats a run once for each call of the workers, and reports a status just before that call, to test reports in every
 * state of a notification and its escalation.
 */

const MINUTE = 60_000;

/** Creates an interrupter that runs an action once, before the counted call with the number `at` (from 0). */
const createInterrupter = () => {
  let calls = 0;
  let target = -1;
  let act: (() => Promise<void>) | undefined;
  const names: string[] = [];
  return {
    names,
    beforeCall: async ({ constructor, input }: Sent) => {
      const pk = input.Key?.pk ?? input.ExpressionAttributeValues?.[":pk"] ?? "";
      // The sweeper's queries are not calls of a sender.
      if (act === undefined || (constructor.name === "QueryCommand" && !pk.startsWith("WS#"))) return;
      names.push(`${constructor.name} ${pk.split("#")[2] ?? ""}`);
      const mine = calls === target ? act : undefined;
      calls += 1;
      if (mine !== undefined) {
        const rest = act;
        act = undefined;
        await mine();
        act = rest;
      }
    },
    /** Counts the calls from 0 until `disarm`, which returns the count. */
    arm: (at: number, action: () => Promise<void>) => {
      calls = 0;
      target = at;
      names.length = 0;
      act = action;
    },
    disarm: () => {
      act = undefined;
      return calls;
    },
  };
};

describe("a status report from the app that races with the sender", () => {
  it.each<ReportedStatus>(["DELIVERED", "OPENED", "ACKNOWLEDGED"])(
    "is not overwritten: the state stays %s, at whichever moment the report arrives",
    async (status) => {
      const interrupt = createInterrupter();
      const world = await useWorld({ beforeCall: interrupt.beforeCall });
      await world.rule([await world.group("Ops", ["usr_ann", "usr_bob"])], { requiresAck: true });
      let calls = Infinity;
      let met = 0;

      for (let at = 0; at < calls; at += 1) {
        await world.post({ title: `Try ${at}` });
        const pushedBefore = world.pushed.length;
        let reported = false;
        interrupt.arm(at, async () => {
          const [ann] = await world.notifications();
          const own = ann?.userId === "usr_ann" && ann.acknowledgedAt === undefined && ann.status === "QUEUED";
          if (!own) return;
          await processReport(world.deps, world.ws, ann.notificationId, status);
          reported = true;
        });
        await world.runFor(MINUTE);
        calls = interrupt.disarm();

        const [ann, bob] = await world.notifications();
        met += reported ? 1 : 0;
        expect([at, ann?.status, bob?.status]).toEqual([at, reported ? status : "SENT", "SENT"]);
        expect(ann?.acknowledgedAt === undefined).toBe(!(reported && status === "ACKNOWLEDGED"));
        const notified = world.pushed.slice(pushedBefore).map(({ userId }) => userId);
        expect(notified.filter((userId) => userId === "usr_bob")).toEqual(["usr_bob"]);
        expect(notified.filter((userId) => userId === "usr_ann").length).toBeLessThanOrEqual(1);
      }

      expect(met).toBeGreaterThanOrEqual(3);
    },
  );
});

describe("an acknowledgement that races with an escalation step", () => {
  it("is followed only by pushes that were already on their way to FCM", async () => {
    const interrupt = createInterrupter();
    let stale = false;
    const world = await useWorld({ beforeCall: interrupt.beforeCall, stale: () => stale });
    const ops = await world.group("Ops", ["usr_ann"]);
    const lead = await world.group("Lead", ["usr_bob"]);
    const step = stepTo(lead, 5);
    const escalationPolicyId = await world.policy([step, step]);
    await world.rule([ops], { requiresAck: true, escalationPolicyId });
    const seen = { withheld: 0, failed: 0, onItsWay: 0 };
    let calls = Infinity;

    for (let at = 0; at < calls; at += 1) {
      await world.post({ title: `Try ${at}` });
      await world.runFor(4 * MINUTE);
      const [first] = await world.notifications();
      const before = world.pushed.length;
      interrupt.arm(at, async () => {
        await world.acknowledge(first!.notificationId);
      });
      stale = true;
      await world.runFor(2 * MINUTE);
      stale = false;
      calls = interrupt.disarm();
      await world.runFor(30 * MINUTE);

      const notified = world.pushed.slice(before).map(({ userId }) => userId);
      const [newest] = await world.notifications();
      // The sender takes the lease of the notification, checks the escalation a last time, and then pushes at once.
      const answered = interrupt.names.slice(0, at);
      const claim = answered.indexOf("UpdateCommand NOTIFICATIONS");
      const looked = claim >= 0 && answered.indexOf("GetCommand ESCALATIONS", claim) >= 0;
      expect([at, notified]).toEqual([at, looked ? ["usr_bob"] : []]);
      if (newest?.userId === "usr_ann") seen.withheld += 1;
      else if (newest?.status === "SENT") seen.onItsWay += 1;
      else {
        expect(newest?.failedReason).toBe("Not sent: the event was acknowledged before this escalation step was sent");
        seen.failed += 1;
      }
      expect(listMarkers(world)).toEqual([]);
    }

    expect(Object.values(seen).every((count) => count > 0)).toBe(true);
  });
});
