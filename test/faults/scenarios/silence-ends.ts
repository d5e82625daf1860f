import * as v from "valibot";
import { fromIso, toIso } from "../../../core/domain/basics/time.ts";
import { SilenceInput } from "../../../core/domain/rules/silence-input.ts";
import { createSilence, listSilences } from "../../../core/store/rules/silences.ts";
import { heldEventsPk } from "../../../core/store/keys.ts";
import { buildWorkspace } from "../fixtures.ts";
import { EARLY_MS, type Scenario } from "../scenario.ts";

const MINUTE_MS = 60_000;

/** By run: when the first event's last silence ends, and the partitions of the silences that held the event back. */
const holds = new WeakMap<object, { ends: number; held: Set<string> }>();

export const silenceEnds: Scenario = {
  name: "silence-ends",
  about:
    "three silences hold back three events, two of them the same event; one is deleted while an event is processed",
  setup: async (deps) => {
    const acme = await buildWorkspace(deps, { rules: { outages: { eventKey: "*", requiresAck: true } } });
    const addSilence = (name: string, eventKey: string, minutes: number) =>
      createSilence(
        deps,
        acme.ws,
        v.parse(SilenceInput, { name, eventKey, endsAt: toIso(deps.now() + minutes * MINUTE_MS) }),
      );
    await addSilence("short", "site.*", 15);
    await addSilence("next", "site.down", 18);
    await addSilence("long", "disk.*", 25);
    return [acme];
  },
  play: async ({ clients, world, fixtures: [acme] }) => {
    const { ws } = acme!;
    const silences = await world.outside((deps) => listSilences(deps, ws));
    const silenceId = silences.find(({ name }) => name === "long")?.id ?? "";
    const covering = silences.filter(({ name }) => name !== "long");
    const partitions = covering.map(({ id }) => heldEventsPk(ws, id));
    const held = new Set<string>();
    holds.set(world, { ends: Math.max(...covering.map(({ endsAt }) => fromIso(endsAt ?? "") ?? 0)), held });
    world.onWrite(({ pk, after }) => {
      if (after !== undefined && partitions.includes(pk)) held.add(pk);
    });
    await clients.post(acme!, { event: "site.down", title: "one", dedupeKey: "1" });
    await clients.post(acme!, { event: "disk.full", title: "two", dedupeKey: "2" });
    await world.kernel.sleep(2 * MINUTE_MS);
    const crossing = clients.post(acme!, { event: "disk.full", title: "three", dedupeKey: "3" });
    await clients.call(acme!, "alice", "delete-silence", { path: { silenceId } });
    await crossing;
    await world.kernel.sleep(19 * MINUTE_MS);
  },
  expectNotified: () => [["outages|alice"]],
  minutes: 60,
  check: async ({ world, clients }) => {
    const eventId = clients.posts.find(({ title }) => title === "one")?.answers.at(-1)?.eventId;
    const [push] = world.fcm.calls.filter((call) => call.eventId === eventId);
    const { ends = 0, held } = holds.get(world) ?? {};
    if (push === undefined) return [];
    const early = ends - push.at;
    if (early > EARLY_MS) return [`one paged ${early / 1000} s before its last silence ended`];
    if (held?.size === 2) world.seen.add("two silences held an event one after the other");
    return [];
  },
};
