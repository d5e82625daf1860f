import { listEventsBetween } from "../../../core/store/events/events.ts";
import { listDevices } from "../../../core/store/people/devices.ts";
import { readToken } from "../engine/fcm.ts";
import { buildWorkspace, createDevice } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";

const REGISTERED_AGAIN = "a device registered again during a push";

const TOKENS = ["t0", "t1", "t2", "t3"];
const APART_MS = 7;
/** The tokens whose registration was answered, by run. */
const registered = new WeakMap<object, Set<string>>();

export const concurrentRegistrations: Scenario = {
  name: "concurrent-registrations",
  about: "two people register the same phone almost at the same time, with four phones and growing distances in time",
  setup: async (deps) => {
    const acme = await buildWorkspace(deps, {
      people: { alice: [], bob: [] },
      rules: { orders: { eventKey: "order.*" } },
    });
    // Each phone may belong to either person during the run.
    return [{ ...acme, laterTokens: new Map(Object.values(acme.users).map((userId) => [userId, TOKENS])) }];
  },
  play: async ({ clients, world, fixtures: [acme] }) => {
    const answered = new Set<string>();
    registered.set(world, answered);
    for (const [index, token] of TOKENS.entries()) {
      const register = async (user: string, after: number) => {
        await world.kernel.sleep(after);
        const { status } = await clients.call(acme!, user, "register-device", {
          body: { token, platform: "android" },
        });
        return status < 300;
      };
      const done = await Promise.all([register("alice", 0), register("bob", index * APART_MS)]);
      // If one request got no answer, the phone may belong to nobody until the app registers again.
      if (done.every(Boolean)) answered.add(token);
    }
  },
  expectNotified: () => undefined,
  check: async ({ world, fixtures: [acme] }) => {
    const held = await world.outside(async (deps) =>
      Promise.all(["alice", "bob"].map((name) => listDevices(deps, acme!.ws, acme!.users[name]!))),
    );
    const countHolders = (wanted: string) => held.flat().filter((device) => readToken(device) === wanted).length;
    world.seen.add("two people registered one token concurrently");
    const isHeldByOne = (token: string) =>
      countHolders(token) === 1 || (countHolders(token) === 0 && registered.get(world)?.has(token) !== true);
    return TOKENS.filter((token) => !isHeldByOne(token)).map((token) => `${countHolders(token)} people have ${token}`);
  },
};

export const invalidTokens: Scenario = {
  name: "invalid-tokens",
  about: "an event is pushed to valid, dead and refused tokens, one of which is registered again during its push",
  setup: async (deps) => [
    await buildWorkspace(deps, {
      people: {
        alice: ["stale-alice", "alice-phone"],
        bob: ["stale-bob"],
        cleo: ["invalid-cleo"],
        dora: [],
        eve: ["stale-eve"],
      },
      rules: { orders: { eventKey: "order.*" } },
    }),
  ],
  play: async ({ clients, world, fixtures: [acme] }) => {
    await clients.post(acme!, { event: "order.failed", title: "Order 1 failed" });
    await world.kernel.sleep(95);
    const body = createDevice("stale-eve", acme!.channel);
    const renewed = await clients.call(acme!, "eve", "register-device", { body });
    if (renewed.status < 300) world.seen.add(REGISTERED_AGAIN);
  },
  expectNotified: () => [["orders|alice", "orders|bob", "orders|cleo", "orders|dora", "orders|eve"]],
  check: async ({ world, fixtures: [acme] }) => {
    const [bobs, notices] = await world.outside(async (deps) => [
      await listDevices(deps, acme!.ws, acme!.users["bob"]!),
      (await listEventsBetween(deps, acme!.ws, { from: 0, to: 1000 })).filter(({ content }) =>
        content.title.startsWith("bob can no longer"),
      ).length,
    ]);
    const tokens = await world.outside(async (deps) =>
      Promise.all(
        ["alice", "cleo", "eve"].map(async (name) =>
          (await listDevices(deps, acme!.ws, acme!.users[name]!)).map(readToken).join(),
        ),
      ),
    );
    const found: string[] = [];
    if ((bobs.length === 0 && notices === 0) || notices > 1)
      found.push(`${notices} notices say that bob cannot be reached`);
    const dead = world.fcm.dead.size > 0;
    if (!dead && tokens[0] !== "stale-alice,alice-phone" && tokens[0] !== "alice-phone")
      found.push(`alice has ${tokens[0]}`);
    if (!dead && tokens[1] !== "invalid-cleo") found.push(`a refused token was removed: cleo has ${tokens[1]}`);
    if (tokens[0] === "alice-phone") world.seen.add("an invalid token was removed");
    const asked = world.calls.records.find(({ caller }) => caller.startsWith("register-device"))?.at ?? 0;
    const calledAfter = world.fcm.calls.some(({ token, at }) => token === "stale-eve" && at >= asked);
    if (world.seen.has(REGISTERED_AGAIN) && !calledAfter && tokens[2] !== "stale-eve")
      found.push("FCM's answer about a token removed a device that registered later with this token");
    return found;
  },
};

export const foreignDevices: Scenario = {
  name: "foreign-devices",
  about: "an event is pushed to valid devices and to devices of another FCM sender",
  setup: async (deps) => [
    await buildWorkspace(deps, {
      people: { alice: ["foreign-alice"], bob: ["bob-phone"], cleo: ["foreign-cleo", "cleo-phone"] },
      rules: { orders: { eventKey: "order.*" } },
    }),
  ],
  play: async ({ clients, fixtures: [acme] }) => {
    await clients.post(acme!, { event: "order.failed", title: "Order 1 failed" });
  },
  expectNotified: ({ eventKey }) =>
    eventKey === "service.device"
      ? ["alice", "cleo"].map((name) => [`The service's own notices|${name}`])
      : [["orders|alice", "orders|bob", "orders|cleo"]],
  check: async ({ world, fixtures: [acme] }) => {
    const devices = await world.outside(async (deps) =>
      Promise.all(["alice", "bob", "cleo"].map((name) => listDevices(deps, acme!.ws, acme!.users[name]!))),
    );
    const held = devices.flat().filter((device) => !world.fcm.dead.has(readToken(device)));
    const said = held.filter(({ foreignSince }) => foreignSince !== undefined).map(readToken);
    if (said.includes("foreign-alice")) world.seen.add("a foreign device was recognized at once");
    const found = said.filter((token) => !token.startsWith("foreign-")).map((token) => `${token} is marked as foreign`);
    if (held.length + world.fcm.dead.size < 4)
      found.push(`a device of another project or key was removed: ${held.length} left`);
    return found;
  },
};
