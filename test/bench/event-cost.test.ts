import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { queueNames } from "../world/queues.ts";
import { closeWorlds, createWorld } from "../world/world.ts";

/*
 * These tests count the AWS calls of one event and the code it loads, which do not depend on the machine. If a count falls,
 * lower its limit here.
 */

afterAll(closeWorlds);

const SECOND_MS = 1000;

const measureCost = async ({ before, eventKey }: { before: readonly string[]; eventKey: string }) => {
  const world = await createWorld();
  await world.rule([await world.group("Ops", ["usr_ann", "usr_bob", "usr_cleo"], 2)], { eventKey: "orders.*" });
  for (const event of before) {
    await world.post({ event });
    await world.runFor(SECOND_MS);
  }
  let requests = 0;
  for (const name of queueNames) {
    const { client } = world.deps.queues[name];
    const send = client.send.bind(client);
    client.send = ((command: never) => {
      requests += 1;
      return send(command);
    }) as never;
  }
  world.used();
  const pushed = world.pushed.length;
  await world.post({ event: eventKey });
  await world.runFor(SECOND_MS);
  return { ...world.used(), queueRequests: requests, pushes: world.pushed.length - pushed };
};

const orderEventKeys = (count: number) => Array<string>(count).fill("orders.failed");
const otherEventKeys = (count: number) => Array<string>(count).fill("other.thing");

describe("the budget of AWS calls for one event", () => {
  it.each([
    [
      "that no rule matches",
      ["other.thing"],
      "other.thing",
      { calls: 5, reads: 0, writes: 5, queueRequests: 1, pushes: 0 },
    ],
    [
      "for three people",
      ["orders.failed"],
      "orders.failed",
      { calls: 9, reads: 0.5, writes: 8, queueRequests: 2, pushes: 6 },
    ],
    [
      "for three people, after nine earlier events for them",
      orderEventKeys(9),
      "orders.failed",
      { calls: 9, reads: 0.5, writes: 8, queueRequests: 2, pushes: 6 },
    ],
    [
      "whose pages count towards the page limit, after ten events that no rule matches",
      [...otherEventKeys(10), ...orderEventKeys(2)],
      "orders.failed",
      { calls: 12, reads: 0.5, writes: 11, queueRequests: 2, pushes: 6 },
    ],
    [
      "beyond the page limit",
      orderEventKeys(12),
      "orders.failed",
      { calls: 9, reads: 0.5, writes: 8, queueRequests: 2, pushes: 6 },
    ],
  ])("is not exceeded by an event %s", async (_name, before, eventKey, most) => {
    const cost = await measureCost({ before, eventKey });

    const risen = Object.entries(cost).filter(([what, count]) => count > most[what as keyof typeof most]);
    expect(risen).toEqual([]);
  });
});

const listLoadedFiles = (entry: string): number => {
  const files = new Set<string>();
  const addWithImports = (file: string): void => {
    if (files.has(file) || !existsSync(file)) return;
    files.add(file);
    const imports = readFileSync(file, "utf8").matchAll(/^(?:import|export)\s(?!type\b)([^;]*?)from "(\.[^"]+)";/gms);
    for (const [, names = "", path = ""] of imports)
      if (!/^\{(?:\s*type\s[^,}]+,?)+\s*\}/.test(names.trim())) addWithImports(join(dirname(file), path));
  };
  addWithImports(entry);
  return files.size;
};

describe("among the functions that every event passes through,", () => {
  it.each([
    ["functions/doors/post-event.ts", 135],
    ["functions/matcher.ts", 220],
    ["functions/sender.ts", 250],
  ])("%s loads at most %i files", (entry, most) => {
    expect(listLoadedFiles(entry)).toBeLessThanOrEqual(most);
  });
});
