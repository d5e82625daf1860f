import { beforeAll, describe, expect, it } from "vitest";
import { startApp, type App } from "../world/app.ts";
import { alice, bob } from "../support/people.ts";

const DAY_MS = 24 * 3_600_000;
const carol = "usr_ca201000000000000000000000000007";

let app: App;
let root: string;
let group: string;

type Warned = { warnings: { code: string; id?: string }[] };

const ask = async <Body>(method: "GET" | "POST" | "PUT" | "PATCH", path: string, body?: object, as = alice) => {
  const answer = await app.ask<Body>(`${root}${path}`, { method, as, ...(body === undefined ? {} : { body }) });
  expect(answer).toMatchObject({ status: expect.toBeOneOf([200, 201]) as number });
  return answer.body;
};

/** Lists the people whom warnings with this code name, for every item that refers to Bob or Carol. */
const listNamedPeople = async (code: string) => {
  const event = { event: "disk.full", title: "t", body: "b" };
  const rule = { name: "All", eventKey: "*", targets: [{ type: "group", groupId: group }] };
  const steps = [bob, carol].map((userId) => ({ delayMinutes: 5, targets: [{ type: "user", userId }] }));
  const layers = [{ start: "2026-11-21T09:00", every: 1, unit: "day", participants: [bob, carol] }];
  const shift = (userId: string) => ({ userId, start: "2026-12-24T00:00:00Z", end: "2026-12-25T00:00:00Z" });
  const overrides = `/groups/${group}/on-call/overrides`;
  const answers = {
    rule: [await ask<Warned>("POST", "/routing-rules", rule)],
    policy: [await ask<Warned>("POST", "/escalation-policies", { name: "P", steps })],
    schedule: [await ask<Warned>("PUT", `/groups/${group}/on-call`, { timeZone: "UTC", layers })],
    override: [await ask<Warned>("POST", overrides, shift(bob)), await ask<Warned>("POST", overrides, shift(carol))],
    "dry run": [await ask<Warned>("POST", "/routing-rules/test", { event })],
    "dry run of a draft": [await ask<Warned>("POST", "/routing-rules/test", { event, rule })],
    simulation: [await ask<Warned>("POST", "/simulate", { event })],
  };
  return Object.fromEntries(
    Object.entries(answers).map(([what, written]) => [
      what,
      written.flatMap(({ warnings }) => warnings.filter((one) => one.code === code).map(({ id }) => id)),
    ]),
  );
};
const expectEverywhere = (ids: string[]) => ({
  rule: ids,
  policy: ids,
  schedule: ids,
  override: ids,
  "dry run": ids,
  "dry run of a draft": ids,
  simulation: ids,
});

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

it("a person without a device is shown as unreachable wherever they are named", async () => {
  expect(await listNamedPeople("no_device")).toEqual(expectEverywhere([carol]));
  expect(await listNamedPeople("devices_silent")).toEqual(expectEverywhere([]));
});

describe("the list of members", () => {
  const readReachability = async () => {
    const members = await ask<{ userId: string; reachable: string }[]>("GET", "/members");
    return Object.fromEntries(members.map((member) => [member.userId, member.reachable]));
  };

  it("says who is reachable: people with a device that has confirmed a push", async () => {
    expect(await readReachability()).toEqual({ [alice]: "no", [bob]: "unproven", [carol]: "no" });

    const { key } = await ask<{ key: string }>("POST", "/api-keys", { name: "k" });
    type Notified = { id: string; user: { id: string } }[];
    const notifyBob = async () => {
      const body = { event: "disk.full", title: "t", body: "b" };
      await app.ask("/v1/events", { method: "POST", apiKey: key, body });
      await app.work();
      return (await ask<Notified>("GET", "/notifications")).find(({ user }) => user.id === bob);
    };
    // A status may be set on another device, so a status does not prove that the phone shows pushes.
    await ask("PATCH", `/notifications/${(await notifyBob())?.id}`, { status: "ACKNOWLEDGED" }, bob);
    const mine = await notifyBob();
    for (const status of ["DELIVERED", "OPENED"])
      expect(
        await app.ask(`${root}/notifications/${mine?.id}`, { method: "PATCH", as: alice, body: { status } }),
      ).toMatchObject({ status: 403, body: { code: "not_the_recipient" } });
    expect((await readReachability())[bob]).toBe("unproven");

    await ask("PATCH", `/notifications/${mine?.id}`, { status: "DELIVERED" }, bob);
    expect((await readReachability())[bob]).toBe("proven");
    const [device] = await ask<{ lastDeliveredAt: string; lastSeenAt: string }[]>("GET", "/devices", undefined, bob);
    expect(device).toMatchObject({ lastDeliveredAt: device?.lastSeenAt, lastFailure: null });
  });
});

describe("a phone that was not seen for 30 days", () => {
  const listSilentPeople = async () => {
    const members = await ask<{ userId: string; reachable: string; silent: boolean }[]>("GET", "/members");
    return members.filter((member) => member.silent).map(({ userId, reachable }) => `${userId} ${reachable}`);
  };

  it("is marked as silent wherever its owner is named, and in the list of members", async () => {
    app.advance(30 * DAY_MS);
    expect(await listSilentPeople()).toEqual([]);

    app.advance(1);
    expect(await listSilentPeople()).toEqual([`${bob} unproven`]);
    expect(await listNamedPeople("devices_silent")).toEqual(expectEverywhere([bob]));
    expect(await listNamedPeople("no_device")).toEqual(expectEverywhere([carol]));
    expect(await listNamedPeople("no_devices")).toMatchObject({ rule: [], policy: [carol] });
  });

  it("is not reported any more once another device of its owner has registered", async () => {
    await ask("POST", "/devices", { token: "bobs-tablet", platform: "ios" }, bob);

    expect(await listSilentPeople()).toEqual([]);
    expect(await listNamedPeople("devices_silent")).toEqual(expectEverywhere([]));
    const devices = await ask<{ silent: boolean }[]>("GET", "/devices", undefined, bob);
    expect(devices.map((device) => device.silent)).toEqual([true, false]);
  });
});
