import { beforeAll, describe, expect, it } from "vitest";
import { startApp, type App } from "../support/app.ts";
import { alice, bob } from "../support/people.ts";

const carol = "usr_ca201000000000000000000000000007";

let app: App;
let root: string;
let group: string;

type Warned = { id: string; warnings: { code: string; id?: string }[] };

const ask = async <Body>(method: "GET" | "POST" | "PUT" | "PATCH", path: string, body?: object, as = alice) => {
  const answer = await app.ask<Body>(`${root}${path}`, { method, as, ...(body === undefined ? {} : { body }) });
  expect(answer).toMatchObject({ status: expect.toBeOneOf([200, 201]) as number });
  return answer.body;
};

/** Whom the warnings name as without a device. */
const withoutDevice = ({ warnings }: Pick<Warned, "warnings">) =>
  warnings.filter(({ code }) => code === "no_device").map(({ id }) => id);

beforeAll(async () => {
  app = await startApp();
  const made = await app.ask<{ id: string }>("/v1/workspaces", { method: "POST", as: alice, body: { name: "Acme" } });
  root = `/v1/workspaces/${made.body.id}`;
  group = (await ask<{ id: string }>("POST", "/groups", { name: "Ops" })).id;
  for (const [userId, name] of [
    [bob, "Bob"],
    [carol, "Carol"],
  ]) {
    await ask("POST", "/members", { userId, name, email: `${name}@acme.example` });
    await ask("POST", `/groups/${group}/members`, { userId });
  }
  await ask("POST", "/devices", { token: "bobs-phone", platform: "ios" }, bob);
});

describe("Carol has no device, and so it is said", () => {
  const steps = () => [{ delayMinutes: 5, targets: [{ type: "user", userId: carol }] }];
  const rule = () => ({ name: "All", eventKey: "*", targets: [{ type: "group", groupId: group }] });

  it("where a rule, a policy, a schedule or an override names her", async () => {
    const layers = [{ start: "2026-11-21T09:00", every: 1, unit: "day", participants: [bob, carol] }];
    const shift = { userId: carol, start: "2026-12-24T00:00:00Z", end: "2026-12-25T00:00:00Z" };

    expect(withoutDevice(await ask<Warned>("POST", "/routing-rules", rule()))).toEqual([carol]);
    expect(withoutDevice(await ask<Warned>("POST", "/escalation-policies", { name: "P", steps: steps() }))).toEqual([
      carol,
    ]);
    expect(withoutDevice(await ask<Warned>("PUT", `/groups/${group}/on-call`, { timeZone: "UTC", layers }))).toEqual([
      carol,
    ]);
    expect(withoutDevice(await ask<Warned>("POST", `/groups/${group}/on-call/overrides`, shift))).toEqual([carol]);
  });

  it("by the dry run, of a draft and of saved rules", async () => {
    const event = { event: "disk.full", title: "t", body: "b" };

    expect(withoutDevice(await ask<Warned>("POST", "/routing-rules/test", { event }))).toEqual([carol]);
    expect(withoutDevice(await ask<Warned>("POST", "/routing-rules/test", { event, rule: rule() }))).toEqual([carol]);
  });
});

describe("the list of members", () => {
  const reachable = async () => {
    const members = await ask<{ userId: string; reachable: string }[]>("GET", "/members");
    return Object.fromEntries(members.map((member) => [member.userId, member.reachable]));
  };

  it("says who can be reached, and it is proven by a device that confirms", async () => {
    expect(await reachable()).toEqual({ [alice]: "no", [bob]: "unproven", [carol]: "no" });

    const { key } = await ask<{ key: string }>("POST", "/api-keys", { name: "k" });
    const body = { event: "disk.full", title: "t", body: "b" };
    await app.ask("/v1/events", { method: "POST", apiKey: key, body });
    await app.work();
    type Told = { id: string; user: { id: string } }[];
    const mine = (await ask<Told>("GET", "/notifications")).find(({ user }) => user.id === bob);
    await ask("PATCH", `/notifications/${mine?.id}`, { status: "DELIVERED" }, alice);
    expect((await reachable())[bob]).toBe("unproven");

    await ask("PATCH", `/notifications/${mine?.id}`, { status: "DELIVERED" }, bob);
    expect((await reachable())[bob]).toBe("proven");
    const [device] = await ask<{ lastDeliveredAt: string; lastSeenAt: string }[]>("GET", "/devices", undefined, bob);
    expect(device).toMatchObject({ lastDeliveredAt: device?.lastSeenAt, lastFailure: null });
  });
});
