import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "../../../../core/domain/basics/ids.ts";
import type { PushOutcome } from "../../../../core/domain/delivery/push/outcome.ts";
import { openBudget, sendWithinBudget } from "../../../../core/flow/admin/budget.ts";
import { createTestClock } from "../../../world/clock.ts";
import { useTable } from "../../../world/use-table.ts";

const { table } = await useTable();
const accepted: PushOutcome = { kind: "accepted", messageId: "m" };
const aText = { phone: "+4930123456" };
let workspaces = 0;

const aBudget = (monthly: number | undefined, outcome: PushOutcome = accepted) => {
  const { deps: clock, advance } = createTestClock();
  const deps = { ...clock, table, monthly: monthly === undefined ? {} : { sms: monthly, voice: 1 } };
  const ws: WorkspaceId = `ws_${(workspaces += 1)}`;
  let requests = 0;
  const request = async () => {
    requests += 1;
    return outcome;
  };
  return {
    deps,
    advance,
    request,
    requests: () => requests,
    open: () => openBudget(deps, ws),
    send: (to = ws) => sendWithinBudget(deps, to, aText, request),
  };
};

const isUsedUp = (one: PushOutcome): boolean => one.kind === "invalid" && one.code === "BUDGET_USED_UP";

describe("the monthly limit of text messages of a workspace", () => {
  it("allows messages until it is used up, even by parallel requests, and again in the next month", async () => {
    const { send, requests, advance } = aBudget(3);

    const outcomes = await Promise.all(Array.from({ length: 5 }, () => send()));

    expect(outcomes.filter(({ kind }) => kind === "accepted")).toHaveLength(3);
    expect(outcomes.filter(isUsedUp)).toHaveLength(2);
    expect(requests()).toBe(3);
    expect((await send("ws_other")).kind).toBe("accepted");
    advance(31 * 24 * 3_600_000);
    expect((await send()).kind).toBe("accepted");
  });

  it.each<[string, number, PushOutcome]>([
    ["accepts each message", 1, accepted],
    // The message may have been accepted, and would then be charged.
    ["answers too late", 1, { kind: "unknown", code: "DEADLINE" }],
    ["throttles each message", 5, { kind: "retry", code: "ThrottlingException" }],
    ["refuses each message as too expensive", 5, { kind: "invalid", code: "PRICE_OVER_THRESHOLD" }],
    ["denies access", 5, { kind: "auth", code: "AccessDeniedException" }],
  ])(
    "counts only messages that may have been sent: if AWS %s, a limit of 1 allows %i of 5 messages",
    async (_, allowed, outcome) => {
      const { send, requests } = aBudget(1, outcome);

      for (let nr = 0; nr < 5; nr += 1) await send();

      expect(requests()).toBe(allowed);
    },
  );

  it("frees each reserved but unsent message once, even if a pack reserved messages twice", async () => {
    const { open, request, requests, send } = aBudget(4);
    const budget = open();
    await budget.reserve("sms", 1);
    await budget.reserve("sms", 3);
    expect([await send(), isUsedUp(await send())]).toEqual([accepted, true]);
    for (let nr = 0; nr < 2; nr += 1) await budget.spend("sms", request);

    await budget.close();

    expect([(await send()).kind, isUsedUp(await send()), requests()]).toEqual(["accepted", true, 4]);
  });

  it("lets a pack reserve at most the messages that are left, and frees the unsent messages", async () => {
    const { open, request, send } = aBudget(5);
    const first = open();
    await first.reserve("sms", 3);
    expect(await first.spend("sms", request)).toEqual(accepted);
    const second = open();
    await second.reserve("sms", 4);

    const outcomes = await Promise.all(Array.from({ length: 4 }, () => second.spend("sms", request)));

    expect(outcomes.filter(isUsedUp)).toHaveLength(2);
    expect(isUsedUp(await send())).toBe(true);
    await second.close();
    await first.close();
    expect([await send(), await send()]).toEqual([accepted, accepted]);
    expect(isUsedUp(await send())).toBe(true);
  });

  it("counts the messages of a pack once, however often the pack reserves them", async () => {
    const { open, send } = aBudget(2);
    const budget = open();

    await budget.reserve("sms", 1);
    await budget.reserve("sms", 1);

    expect(await send()).toEqual(accepted);
  });

  it("counts a message once and frees it once, even if the AWS client repeats each write", async () => {
    const { deps, request, send } = aBudget(3);
    const client = {
      send: async (command: never) => {
        await table.client.send(command).catch(() => {});
        return table.client.send(command);
      },
    };
    const twice = { ...deps, table: { ...table, client: client as typeof table.client } };
    const budget = openBudget(twice, "ws_twice");
    await budget.reserve("sms", 2);
    await budget.spend("sms", request);

    await budget.close();

    expect([await send("ws_twice"), await send("ws_twice")]).toEqual([accepted, accepted]);
    expect(isUsedUp(await send("ws_twice"))).toBe(true);
  });

  it("allows no message if the count cannot be written", async () => {
    const { deps, request, requests } = aBudget(1);
    const lost = { ...deps, table: { ...table, client: { send: () => Promise.reject(new Error("down")) } } };

    await expect(sendWithinBudget(lost, "ws_lost", aText, request)).rejects.toThrow("down");

    expect(requests()).toBe(0);
  });

  it("does not apply, and nothing is counted, if the stage has no limit", async () => {
    const { send, requests } = aBudget(undefined);

    for (let nr = 0; nr < 3; nr += 1) expect(await send()).toEqual(accepted);

    expect(requests()).toBe(3);
  });

  it("does not count phone calls, which have their own limit", async () => {
    const { deps, send, request } = aBudget(1);
    const call = () => sendWithinBudget(deps, "ws_calls", { call: "+4930123456" }, request);

    expect(await call()).toEqual(accepted);
    expect(isUsedUp(await call())).toBe(true);
    expect(await send("ws_calls")).toEqual(accepted);
  });

  it("does not limit channels that cost nothing per message", async () => {
    const { deps, request, requests } = aBudget(1);

    for (let nr = 0; nr < 3; nr += 1) await sendWithinBudget(deps, "ws_free", { email: "ann@acme.example" }, request);

    expect(requests()).toBe(3);
  });
});
