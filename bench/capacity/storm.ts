import "../../test/faults/engine/environment.ts";
import { updateWorkspace } from "../../core/store/people/workspaces.ts";
import { closeWorlds, createWorld, type Pushed } from "../../test/world/world.ts";

/* Uses the real handlers in virtual time on the local table, which counts units like DynamoDB's bill. */

const EVENTS = 2_000;
const HOSTS = 50;
const MINUTE_MS = 60_000;
/** The time after the last event: long enough for the last push, which states the number of events in a group. */
const AFTER_MS = 5 * MINUTE_MS;

const byHost = { groupBy: ["data.host"], groupMinutes: 30 };

/** The storms of events that are measured. `limit`: the page limit, in pages per person in ten minutes. */
const storms = [
  { name: "no groups, no page limit", rule: {}, limit: null },
  { name: "no groups, page limit 10", rule: {}, limit: 10 },
  { name: "grouped by host, no page limit", rule: byHost, limit: null },
  { name: "grouped by host, page limit 10", rule: byHost, limit: 10 },
  { name: "one group, page limit 10", rule: { ...byHost, groupBy: [] }, limit: 10 },
] as const;

const isLoudPush = ({ message }: Pushed): boolean =>
  "apns" in message && message.apns?.payload.aps["interruption-level"] !== "passive";

/** Posts a storm of events for one person with one device. Counts pages, silent pushes, and the table's units per event. */
const measureStorm = async ({ rule, limit }: (typeof storms)[number]) => {
  const world = await createWorld();
  const { deps, ws } = world;
  await updateWorkspace(deps, ws, { loudPerTenMinutes: limit });
  await world.rule([await world.group("Ops", ["usr_ann"])], { requiresAck: true, ...rule });
  world.usedUnits();
  for (let number = 0; number < EVENTS; number += 1) {
    await world.post({ data: { host: `host-${number % HOSTS}` } });
    await world.runFor(MINUTE_MS / EVENTS);
  }
  await world.runFor(AFTER_MS);
  const units = world.usedUnits() / EVENTS;
  await closeWorlds();
  const rings = world.pushed.filter(isLoudPush).length;
  return { rings, quiet: world.pushed.length - rings, units };
};

export const renderStormTable = async (): Promise<string[]> => {
  const rows: string[] = [];
  for (const storm of storms) {
    const { rings, quiet, units } = await measureStorm(storm);
    rows.push(
      `| ${storm.name} | ${rings.toLocaleString("en")} | ${quiet.toLocaleString("en")} | ${units.toFixed(1)} |`,
    );
  }
  return ["| Rule and workspace | Pages | Silent pushes | Table units per event |", "|---|---|---|---|", ...rows];
};
