import { sendProbe } from "../../../core/flow/ingest/send-probe.ts";
import { readProbes } from "../../../core/flow/read/list-probes.ts";
import { listRules } from "../../../core/store/rules/rules.ts";
import { setProbeConfirmed } from "../../../core/store/schedules/probes.ts";
import { START } from "../engine/world.ts";
import { buildWorkspace } from "../fixtures.ts";
import type { Play, Scenario } from "../scenario.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const END = START + 10 * MINUTE_MS;
/** A broken link shows within two sweeps, and a fault costs a sweep or a message's visibility timeout. */
const WITHIN_MS = 7 * MINUTE_MS;

/** The statuses of the rules in a run, each when it was first seen. */
const seen = new WeakMap<Play["world"], Map<string, { at: number; confirmed: boolean }>>();

/** Two rules are probed: one has a phone that confirms its push, and the other one a silent phone. */
export const probe: Scenario = {
  name: "probe",
  about: "two rules are probed: one phone confirms, and its rule is green only then; the other rule turns red",
  setup: async (deps) => [
    await buildWorkspace(deps, {
      people: { alice: ["signing-alice"], bob: ["signing-bob"] },
      groups: { ops: ["alice"], web: ["bob"] },
      rules: { orders: { eventKey: "order.*", groups: ["ops"] }, mute: { eventKey: "page.*", groups: ["web"] } },
    }),
  ],
  play: async ({ world, fixtures }) => {
    const { ws, users } = fixtures[0]!;
    const statuses = new Map<string, { at: number; confirmed: boolean }>();
    seen.set(world, statuses);
    await world.outside(async (deps) => {
      for (const rule of await listRules(deps, ws)) await sendProbe(deps, rule);
    });
    let confirmed = false;
    while (world.kernel.now() < END) {
      await world.kernel.sleep(10 * SECOND_MS);
      const taken = world.fcm.overs.find(
        ({ token, notificationId, takenAt }) =>
          token === "signing-alice" && notificationId.startsWith("prb_") && takenAt !== undefined,
      );
      if (taken !== undefined && !confirmed) {
        confirmed = true;
        const push = { userId: users["alice"] ?? "", id: taken.notificationId };
        await world.outside((deps) => setProbeConfirmed(deps, ws, push));
      }
      for (const { name, status } of await world.outside((deps) => readProbes(deps, ws)))
        if (!statuses.has(`${name} ${status}`))
          statuses.set(`${name} ${status}`, { at: world.kernel.now(), confirmed });
    }
  },
  tells: () => [[]],
  check: async ({ world, fixtures }) => {
    const { ws } = fixtures[0]!;
    const statuses = seen.get(world) ?? new Map<string, { at: number; confirmed: boolean }>();
    const found: string[] = [];
    if (statuses.has("mute green")) found.push("a rule is green whose phone has confirmed nothing");
    if (statuses.get("orders green")?.confirmed === false) found.push("a rule is green before its phone confirmed");
    const last = await world.outside((deps) => readProbes(deps, ws));
    const late = Math.max(START, world.disturbedUntil()) + WITHIN_MS;
    const orders = last.find(({ name }) => name === "orders")?.status;
    const mute = last.find(({ name }) => name === "mute")?.status;
    if (mute !== "red") found.push(`the rule of a silent phone is ${mute}`);
    if (world.kernel.now() > late && orders === "pending") found.push("a rule waits for ever");
    return found;
  },
  disturbs: /^(?:sweeper|wake sweeper|sender|wake sender|matcher|wake matcher)/,
  quiet: false,
};
