import { afterEach, describe, expect, it } from "vitest";
import { AUDIT_INTERVAL_SECONDS } from "../../../core/domain/basics/limits.ts";
import { listEvents } from "../../../core/flow/list-events.ts";
import { sweep } from "../../../core/flow/sweep.ts";
import { closeWorlds, createWorld } from "../../world/world.ts";

afterEach(closeWorlds);

const HOUR = AUDIT_INTERVAL_SECONDS * 1000;
type Command = { constructor: { name: string }; input: { Item?: { pk?: string }; ConsistentRead?: boolean } };

const total = async (world: Awaited<ReturnType<typeof createWorld>>) =>
  (await listEvents(world.deps, world.ws, { page: 1, limit: 50 })).total;
const isEvent = ({ constructor, input: { Item: item } }: Command) =>
  constructor.name === "PutCommand" && item?.pk?.endsWith("#EVENTS") === true;

describe("the audit of the numbers", () => {
  it("leaves alone an event that is on its way while two sweepers audit at the same moment", async () => {
    let arrive: (() => void) | undefined;
    let isSlow = false;
    const world = await createWorld({
      beforeCall: async (command) => {
        if (isSlow && isEvent(command)) {
          isSlow = false;
          await new Promise<void>((resolve) => {
            arrive = resolve;
          });
        }
      },
    });
    await world.post();
    world.skip(25 * HOUR);
    await sweep(world.deps, Infinity);
    world.skip(HOUR);
    isSlow = true;
    const slow = world.post();
    while (arrive === undefined) await new Promise((resolve) => setTimeout(resolve, 5));

    await Promise.all([sweep(world.deps, Infinity), sweep(world.deps, Infinity)]);
    await sweep(world.deps, Infinity);
    arrive();
    await slow;

    expect(await total(world)).toBe(2);
  });

  it("finds the number of a request that died, and schedules itself once", async () => {
    const world = await createWorld({
      beforeCall: async (command) => {
        if (isEvent(command) && dies) throw new Error("died");
      },
    });
    let dies = true;
    await expect(world.post()).rejects.toThrow("died");
    dies = false;
    await world.post();
    expect(await total(world)).toBe(2);

    for (let hours = 0; hours < 28; hours += 1) {
      world.skip(HOUR);
      await Promise.all([sweep(world.deps, Infinity), sweep(world.deps, Infinity)]);
    }

    expect(await total(world)).toBe(1);
    expect([...world.markers.keys()].filter((name) => name.startsWith("AUDIT#"))).toHaveLength(1);
  });
});
