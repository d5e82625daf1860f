import { array, assert, asyncProperty, boolean, constantFrom, nat, record, type Arbitrary } from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { hashApiKey } from "../../../core/domain/workspace/api-key-text.ts";
import type { Mapping } from "../../../core/domain/basics/mapping.ts";
import { MAPPED, sourceNames, type SourceName } from "../../../core/domain/basics/source-name.ts";
import { createMappedAdapter } from "../../../core/domain/sources/mapped.ts";
import { sources } from "../../../core/domain/sources/index.ts";
import { toIso } from "../../../core/domain/basics/time.ts";
import { createIngest } from "../../../core/flow/ingest/ingest-event.ts";
import { ingestFromSource } from "../../../core/flow/ingest/ingest-from-source.ts";
import { searchEvents } from "../../../core/flow/read/list-events.ts";
import { readEvent } from "../../../core/store/events/events.ts";
import { createApiKey } from "../../../core/store/people/api-keys.ts";
import { sourcePayloads } from "../../support/source-payloads.ts";
import { useWorld } from "../../world/use-world.ts";

/* Tests for every tool that each alert of each sender is one open event. */

const MINUTE = 60_000;

const mapping: Mapping = {
  resource: "checkmk",
  title: ["title"],
  body: ["title"],
  priority: ["severity"],
  dedupeKey: ["id"],
  resolved: { path: "state", is: ["up"] },
};
const mapped = { id: "7", title: "Disk", state: "down", severity: "critical" };

const payloads: Readonly<Record<string, { firing: object; resolved: object }>> = {
  ...sourcePayloads,
  [MAPPED]: { firing: mapped, resolved: { ...mapped, state: "up" } },
};

/** The text of the severity in each tool's payload, and texts to replace it with. All other tools send no severity. */
const severities: Readonly<Record<string, readonly [text: string, ...levels: readonly string[]]>> = {
  alertmanager: ['"severity":"critical"', '"severity":"info"', '"severity":"warning"', '"severity":"critical"'],
  grafana: ['"severity":"critical"', '"severity":"info"', '"severity":"warning"', '"severity":"critical"'],
  sentry: ['"level":"error"', '"level":"info"', '"level":"warning"', '"level":"fatal"'],
  opsgenie: ['"priority":"P1"', '"priority":"P5"', '"priority":"P3"', '"priority":"P1"'],
  pagerduty: ['"severity":"critical"', '"severity":"info"', '"severity":"warning"', '"severity":"critical"'],
  [MAPPED]: ['"severity":"critical"', '"severity":"info"', '"severity":"warning"', '"severity":"critical"'],
};

/**
 * Returns the payload that a tool would send at a time, with that time, a new message id, and a severity. `episode` says how
 * often the alert has ended before, because some tools give an alert a new id each time that it opens.
 */
const payloadAt = (
  source: SourceName,
  payload: object,
  { at, level, episode }: { at: number; level: number; episode: number },
): unknown => {
  const [text = "", ...levels] = severities[source] ?? [];
  const written = JSON.stringify(payload)
    .replaceAll(/20\d\d-\d\d-\d\dT[\d:.]+/g, toIso(at).slice(0, -1))
    .replaceAll(/20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, `${toIso(at).slice(0, 19).replace("T", " ")} UTC`)
    // The first pattern matches times in milliseconds since 1970, and the next two match seconds.
    .replaceAll(/\b1795\d{9}\b/g, String(at))
    .replaceAll(/\b1795\d{6}\b/g, String(Math.floor(at / 1000)))
    .replaceAll(/28978245[12]|(?<=")700[12](?=")/g, String(Math.floor(at / 1000)))
    .replaceAll('"1507"', `"${1507 + episode}"`)
    .replaceAll("0.mjn5y0", `0.mjn5y${episode}`);
  return JSON.parse(text === "" ? written : written.replaceAll(text, levels[level] ?? text));
};

/** Creates a world in which Ann must acknowledge alerts, and two installations of a tool send by API keys of their own. */
const setUpInstallations = async (source: SourceName) => {
  const world = await useWorld();
  const { deps, ws } = world;
  await world.rule([await world.group("Ops", ["usr_ann"])], {
    eventKey: `${source.replaceAll("-", "_")}.firing`,
    requiresAck: true,
  });
  const { key } = await createApiKey(deps, ws, { name: "second" });
  const keys = [world.credentials, { workspaceId: ws, hash: await hashApiKey(key) }];
  const ingest = createIngest(deps);
  return {
    ...world,
    /** Sends a payload, and returns the outcome of each of its alerts. */
    send: (sender: number, payload: unknown) => {
      const adapter = source === MAPPED ? createMappedAdapter(mapping) : sources[source].adapter;
      return ingestFromSource(deps, ingest, keys[sender] ?? keys[0]!, source, v.parse(adapter, payload));
    },
    /** Returns how many alerts of each sender are open. */
    open: async () => {
      const { items } = await searchEvents(deps, ws, { state: "open" }, { page: 1, limit: 100 });
      const events = await Promise.all(items.map(({ id }) => readEvent(deps, ws, id)));
      const fired = events.filter((event) => event?.content.dedupeKey !== undefined);
      return ["test", "second"].map((name) => fired.filter((event) => event?.content.sender?.name === name).length);
    },
    /** Returns how many notifications of open alerts were sent since the last call. */
    notified: () => world.pushed.splice(0).filter(({ message }) => message.data["state"] === undefined).length,
  };
};

const does = constantFrom("fire" as const, "fire" as const, "end" as const);
/** The changes are so far apart that no alert flaps. */
const minutesLater = constantFrom(7, 11, 45, 1500);
const Step = record({ sender: nat(1), does, level: nat(2), minutesLater });

type Step = typeof Step extends Arbitrary<infer S> ? S : never;

describe.each(sourceNames)('two installations of the source "%s" that use equal alert ids', (source) => {
  const { firing, resolved } = payloads[source]!;

  it("keep separate open alerts, and each rise of an alert's priority notifies once", async () => {
    const playSteps = async (steps: readonly Step[]) => {
      const world = await setUpInstallations(source);
      const expected: (number | undefined)[] = [undefined, undefined];
      const episodes = [0, 0];
      for (const { sender, does, level, minutesLater } of steps) {
        world.skip(minutesLater * MINUTE);
        const episode = episodes[sender] ?? 0;
        const now = { at: world.now(), level: severities[source] === undefined ? 0 : level, episode };
        const before = expected[sender];
        if (does === "end") await world.send(sender, payloadAt(source, resolved, now));
        else await world.send(sender, payloadAt(source, firing, now));
        if (does === "end") episodes[sender] = episode + 1;
        expected[sender] = does === "end" ? undefined : Math.max(before ?? -1, now.level);
        await world.work();

        expect(world.notified()).toBe(does === "fire" && now.level > (before ?? -1) ? 1 : 0);
        expect(await world.open()).toEqual(expected.map((one) => (one === undefined ? 0 : 1)));
      }
    };
    await assert(asyncProperty(array(Step, { minLength: 2, maxLength: 10 }), playSteps), { numRuns: 4 });
  });

  it("each keep open exactly the alerts that they have not resolved, whether the matcher runs at once or late", async () => {
    const playSteps = async (steps: readonly (Step & { works: boolean })[]) => {
      const world = await setUpInstallations(source);
      const expected = [0, 0];
      const episodes = [0, 0];
      for (const { sender, does, minutesLater, works } of steps) {
        world.skip(minutesLater * MINUTE);
        const now = { at: world.now(), level: 0, episode: episodes[sender] ?? 0 };
        await world.send(sender, payloadAt(source, does === "end" ? resolved : firing, now));
        if (does === "end") episodes[sender] = now.episode + 1;
        expected[sender] = does === "end" ? 0 : 1;
        if (works) await world.work();
      }
      await world.work();

      expect(await world.open()).toEqual(expected);
    };
    const Late = record({ sender: nat(1), does, level: nat(2), minutesLater, works: boolean() });
    await assert(asyncProperty(array(Late, { minLength: 2, maxLength: 10 }), playSteps), { numRuns: 4 });
  });
});
