import { parseEventId, parseNotificationId, parsePackId } from "../../core/domain/basics/ids.ts";
import { createPolicy } from "../../core/store/rules/escalation-policies.ts";
import { listRules, updateRule } from "../../core/store/rules/rules.ts";
import type { Deps, AuditDeps } from "../../core/deps.ts";
import { stockClients } from "../faults/engine/wire.ts";
import { createWorld, START } from "../faults/engine/world.ts";
import { buildWorkspace } from "../faults/fixtures.ts";
import { findViolations } from "../faults/invariants.ts";
import { observe } from "../faults/observe.ts";
import { workspaces, type History, type Person, type Ws } from "./history.ts";
import { endHeartbeats } from "./heartbeats.ts";
import { judge } from "./judge.ts";
import { ruleOf } from "./configure.ts";
import { createPlay, idOf, countFailedCalls, type Start } from "./play.ts";
import { playCommand } from "./player.ts";
import { isAnyTemporary } from "./acknowledgements.ts";
import type { Repeats } from "./repeats.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** After this time, every policy and every retry of a push has ended, and no acknowledged event can be handed off. */
const AFTERWARDS_MS = 17 * 24 * HOUR_MS;

type StartConfiguration = {
  people: Record<string, readonly string[]>;
  other: Person;
  limit: number;
  ackMinutes: number | null;
  grouping: { groupBy?: string[]; groupMinutes?: number };
};
/** Both workspaces use the same ids, and Alice has one phone for both. Only Globex limits acknowledgements and groups events. */
const startConfigurations: Readonly<Record<Ws, StartConfiguration>> = {
  ws_acme: {
    people: { alice: ["alice-phone"], bob: ["bob-phone"] },
    other: "bob",
    limit: 4,
    ackMinutes: null,
    grouping: {},
  },
  ws_globex: {
    people: { alice: ["alice-phone"], cleo: ["cleo-phone", "cleo-tablet"] },
    other: "cleo",
    limit: 1000,
    ackMinutes: 20,
    grouping: { groupBy: ["data.amount"], groupMinutes: 30 },
  },
};

const buildStart = async (deps: Deps & AuditDeps, ws: Ws): Promise<Start["workspaces"][number]> => {
  const { people, other, limit, ackMinutes, grouping } = startConfigurations[ws];
  const fixture = await buildWorkspace(
    { ...deps, channel: "fcm" },
    {
      ws,
      people,
      userIds: "usr_",
      plan: { monthlyEvents: limit, eventsPerMinute: 6000, burst: 100, retentionDays: 400 },
      groups: { ops: ["alice", other], leads: [other] },
      rules: {
        orders: { eventKey: "order.*", groups: ["ops"], ...grouping },
        outages: { eventKey: "site.down", groups: ["ops"], requiresAck: true },
      },
    },
  );
  const { ops = "", leads = "" } = fixture.groups;
  const steps = [
    { delayMinutes: 5, targets: [{ type: "group" as const, groupId: leads, onCallOnly: false }] },
    { delayMinutes: 16, targets: [{ type: "user" as const, userId: idOf("alice") }] },
  ];
  const { id, repeat } = await createPolicy(deps, ws, { name: "ladder", repeat: 0, ackMinutes, steps });
  await updateRule(deps, ws, fixture.rules["outages"] ?? "", { escalationPolicyId: id });
  return {
    fixture,
    limit,
    keys: [{ id: fixture.apiKey.id, text: fixture.apiKey.key, live: true, sender: "integration", resolvesAny: false }],
    rules: (await listRules(deps, ws)).map((rule) => ruleOf(rule)),
    people: {
      members: [idOf("alice"), idOf(other)],
      groups: [
        { id: ops, memberIds: [idOf("alice"), idOf(other)] },
        { id: leads, memberIds: [idOf(other)] },
      ],
      policies: [
        { id, repeat, ackMinutes, steps: steps.map(({ delayMinutes, targets }) => ({ delayMinutes, targets })) },
      ],
    },
  };
};

const prepareStart = async (): Promise<Start> => {
  const countIds = <Some extends Deps>(deps: Some): Some => {
    let count = 0;
    return { ...deps, newId: (prefix) => `${prefix}_${String((count += 1)).padStart(5, "0")}0000000000` };
  };
  const world = createWorld({ seed: 1, plan: [], snapshot: new Map(), start: START - 10 * MINUTE_MS });
  const furnished = await world.outside(async (deps) => {
    const made: Start["workspaces"][number][] = [];
    for (const ws of workspaces) made.push(await buildStart(countIds(deps), ws));
    return made;
  });
  const devices = Object.fromEntries(
    workspaces.map((ws) => [
      ws,
      Object.fromEntries(
        Object.entries(startConfigurations[ws].people).map(([name, tokens]) => [`usr_${name}`, tokens]),
      ),
    ]),
  ) as unknown as Start["devices"];
  const snapshot = world.dynamo.snapshot();
  world.close();
  return { snapshot, workspaces: furnished, devices };
};

let prepared: Promise<Start> | undefined;

export type Outcome = { violations: string[]; story: string[]; rounds: Repeats };

/** Ends all faults, and waits until no work is left before it compares the states. */
export const runHistory = async (history: History): Promise<Outcome> => {
  await stockClients();
  prepared ??= prepareStart();
  const { play, ids } = createPlay(await prepared, history.length);
  const { world, clients } = play;
  const observations = observe(world);
  for (const command of history) {
    await playCommand(play, ids, command);
    if (play.violations.length > 0) break;
  }
  world.calls.waitingFaults.splice(0);
  await world.runDuring(() => endHeartbeats(play));
  const rested = await world.run(world.kernel.now() + AFTERWARDS_MS);

  // The explorer's checks get only permanent acknowledgements, because the model checks those that end.
  const endsAfter = ({ ws, notificationId }: (typeof clients.acknowledgements)[number]): boolean => {
    const seq = parsePackId(parseNotificationId(notificationId)?.packId ?? "")?.seq;
    const lives = [...play.model[ws as Ws].lives].filter(([id]) => parseEventId(id)?.seq === seq);
    return lives.some(([, { acks }]) => isAnyTemporary(acks));
  };
  const forGood = clients.acknowledgements.filter((one) => !endsAfter(one));
  clients.acknowledgements.splice(0, Infinity, ...forGood);

  const fixtures = workspaces.map((ws) => ({ ...play.model[ws].fixture, tokens: undefined }));
  const faults = countFailedCalls(world);
  const found = await findViolations(
    {
      name: "model",
      about: "",
      setup: async () => fixtures,
      play: async () => {},
      expectNotified: () => undefined,
      expectsNoErrors: play.isUndisturbed(),
    },
    { world, clients, fixtures },
    observations,
    { rested, faults },
  );
  if (play.violations.length === 0) await world.runDuring(() => judge(play));
  world.close();
  return { violations: [...play.violations, ...found], story: play.lines, rounds: play.repeats };
};
