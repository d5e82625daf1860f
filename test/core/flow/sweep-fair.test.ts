import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { dueAuditKey, eventMarkerKey, heartbeatCheckKey, stepMarkerKey } from "../../../core/store/keys.ts";
import { createAccount, memoryMb } from "../../world/account.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
type Account = ReturnType<typeof createAccount>;

const formatId = (kind: string, index: number) => `evt_${kind}${String(index).padStart(20 - kind.length, "0")}`;
const latest = (times: Iterable<number>) => Math.max(...times);
const indices = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Adds events of a workspace that were all due at the same moment ten minutes ago. */
const fillEvents = (
  { put, start }: Account,
  ws: WorkspaceId,
  kind: string,
  count: number,
  due = start - 10 * MINUTE,
) => {
  for (const index of indices(count)) {
    const eventId = formatId(kind, index);
    put({ ...eventMarkerKey(due, ws, eventId), ws, eventId, due, since: due, tries: 0 });
  }
};
const fillSteps = ({ put, start: due }: Account, count: number) => {
  for (const index of indices(count)) {
    const eventId = formatId("step", index);
    const marker = { ws: "ws_1", eventId, due, since: due, tries: 0, rule: 0, cursor: 1 };
    put({ ...stepMarkerKey(due, "ws_1", eventId, 0, 1), ...marker });
  }
};
const fillChecks = ({ put, start: due }: Account, count: number) => {
  for (const index of indices(count))
    put({ ...heartbeatCheckKey(due, "ws_1", `hb_${index}`), ws: "ws_1", id: `hb_${index}` });
};
const fillAudits = ({ put, start: due }: Account, count: number) => {
  for (const index of indices(count)) put({ ...dueAuditKey(due, `ws_${index}`), ws: `ws_${index}`, due });
};
const listSendTimes = ({ sent }: Account, kind: string) =>
  [...sent].flatMap(([eventId, at]) => (eventId.startsWith(`evt_${kind}`) ? [at] : []));
const listReadTimes = ({ readAt }: Account, names: RegExp) =>
  [...readAt].flatMap(([name, at]) => (names.test(name) ? [at] : []));

describe("a sweep over all workspaces", () => {
  it(
    "reaches the due escalation steps, heartbeats and audits, however many markers of events exist",
    { timeout: 60_000 },
    async () => {
      const account = createAccount(memoryMb);
      fillEvents(account, "ws_1", "x", 100_000);
      fillSteps(account, 1_000);
      fillChecks(account, 2_000);
      fillAudits(account, 100);

      const { ended } = await account.sweep();

      expect(ended).toBe(true);
      expect(listSendTimes(account, "x").length).toBeGreaterThan(25_000);
      expect(listSendTimes(account, "step")).toHaveLength(1_000);
      expect(latest(listSendTimes(account, "step")) - account.start).toBeLessThan(10 * SECOND);
      expect(listReadTimes(account, /#HEARTBEATS /)).toHaveLength(2_000);
      expect(latest(listReadTimes(account, /#HEARTBEATS /)) - account.start).toBeLessThan(30 * SECOND);
      expect(listReadTimes(account, /CONTROL$/)).toHaveLength(100);
    },
  );

  it("spends less than a tenth of its time on audits, however many audits are due", { timeout: 60_000 }, async () => {
    const [without, beside] = [createAccount(memoryMb), createAccount(memoryMb)];
    for (const account of [without, beside]) fillEvents(account, "ws_1", "x", 5_000);
    fillAudits(beside, 20_000);

    for (const account of [without, beside]) await account.sweep();

    const [alone, shared] = [without, beside].map((account) => latest(account.sent.values()) - account.start);
    expect([without.sent.size, beside.sent.size]).toEqual([5_000, 5_000]);
    // The sweep moves each marker that it sends to a later time, and must not find and send the marker a second time.
    expect(without.messages()).toBe(5_000);
    expect(shared! / alone!).toBeLessThan(1.1);
    expect(listReadTimes(beside, /CONTROL$/).length).toBeGreaterThan(200);
  });

  it("sends one workspace's few events soon, although another workspace has thousands", async () => {
    const account = createAccount(memoryMb);
    fillEvents(account, "ws_1", "many", 4_000);
    fillEvents(account, "ws_2", "few", 20, account.start - MINUTE);

    await account.sweep();

    const few = listSendTimes(account, "few");
    const before = listSendTimes(account, "many").filter((at) => at <= latest(few));
    expect(few).toHaveLength(20);
    expect(before.length).toBeLessThan(1_000);
  });
});
