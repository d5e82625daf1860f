import { DeleteCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, describe, expect, test } from "vitest";
import * as v from "valibot";
import { deflate, deflatedSchema } from "../../core/store/codec.ts";
import { countCode } from "../../core/store/people/codes.ts";
import { setUsagePlan } from "../../core/store/events/control.ts";
import { createSilence } from "../../core/store/rules/silences.ts";
import { SilenceInput } from "../../core/domain/rules/silence-input.ts";
import type { PushOutcome } from "../../core/domain/delivery/push/outcome.ts";
import { sendSynthetic } from "../../core/flow/sweep/send-synthetic.ts";
import { runSweep } from "../../core/flow/sweep/sweep.ts";
import { NOON } from "../world/clock.ts";
import { takeDefects } from "../world/defects.ts";
import { closeWorlds, createWorld, type World, type WorldOptions } from "../world/world.ts";
import { type Datapoint, isInAlarm } from "./alarm-engine.ts";
import { alarms, MINUTE, listRingingAlarms } from "./ringing.ts";

/*
 * Triggers each alarm by the fault that the alarm is for. The service's metrics come from its own code, running in virtual time;
 * AWS's metrics are covered by aws-alarms-ring.test.ts.
 */

afterAll(closeWorlds);

/** Creates a world that stores its metrics, with a sweep each minute, as on AWS. */
const createMeasuredWorld = async (options: WorldOptions = {}) => {
  const world = await createWorld({ start: NOON, sweepAtSecond: 0, ...options });
  const data: Datapoint[] = [];
  world.deps.log.metric.mockImplementation((metric: string, value: number) => {
    data.push({ at: world.now(), metric, value });
  });
  const recordDeadLetters = (queueName: string, queue: World["queues"]["events"]) =>
    data.push({
      at: world.now(),
      metric: "ApproximateNumberOfMessagesVisible",
      about: queueName,
      value: queue.dead.size,
    });
  const runMinutes = async (
    minutes: number,
    runEachMinute: () => Promise<unknown> = async () => {},
  ): Promise<string[]> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      await runEachMinute();
      const before = data.filter(({ metric }) => metric === "SweeperRan").length;
      await world.runFor(MINUTE - 1000);
      if (data.filter(({ metric }) => metric === "SweeperRan").length === before) await runSweep(world.deps, Infinity);
      recordDeadLetters("EventsDeadLetterQueue", world.queues.events);
      recordDeadLetters("PushesDeadLetterQueue", world.queues.pushes);
      recordDeadLetters("EscalationsDeadLetterQueue", world.queues.escalations);
      recordDeadLetters("WebhooksDeadLetterQueue", world.queues.webhooks);
      recordDeadLetters("InboundDeadLetterQueue", world.queues.inbound);
      await world.runFor(1000);
    }
    return listRingingAlarms(data, world.now());
  };
  return { world, data, runMinutes };
};

describe("while everything works,", () => {
  test("no alarm goes off, with traffic or without", async () => {
    const { world, runMinutes } = await createMeasuredWorld();
    await world.rule([await world.group("Ops", ["usr_a", "usr_b"])]);

    expect(await runMinutes(10)).toEqual([]);
    expect(await runMinutes(10, () => world.post())).toEqual([]);
    expect(world.pushed).toHaveLength(20);
  });
});

describe("the alarms for an event that is not finished", () => {
  test("go off when the event is late and again when it is stuck, and end when FCM is back", async () => {
    let answer: PushOutcome = { kind: "retry", code: "UNAVAILABLE" };
    const { world, runMinutes } = await createMeasuredWorld({ answer: () => answer });
    await world.rule([await world.group("Ops", ["usr_a"])]);
    await world.post();

    const early = await runMinutes(3);
    const states = [];
    for (let minute = 0; minute < 8; minute += 1) states.push(await runMinutes(1));
    const late = await runMinutes(20);
    answer = { kind: "accepted", messageId: "m" };
    const after = await runMinutes(8);

    expect(early).toEqual([]);
    expect(states.slice(3).every((state) => state.includes("oldest-marker"))).toBe(true);
    expect(states.flat()).not.toContain("stuck");
    expect(late).toEqual(["oldest-marker", "stuck"]);
    expect(after).toEqual([]);
    expect(world.markers.size).toBeLessThanOrEqual(1);
  });
});

describe("an alarm about FCM", () => {
  test("goes off at once if FCM refuses our credentials", async () => {
    const { world, runMinutes } = await createMeasuredWorld({
      answer: () => ({ kind: "auth", code: "THIRD_PARTY_AUTH_ERROR" }),
    });
    await world.rule([await world.group("Ops", ["usr_a"])]);
    await world.post();

    expect(await runMinutes(1)).toEqual(["push-unauthorized"]);
  });

  test("goes off if more than a fifth of the pushes fail, and not for a smaller share", async () => {
    let refused = 0.5;
    let calls = 0;
    const { world, runMinutes } = await createMeasuredWorld({
      answer: () => {
        calls += 1;
        return calls % 10 < refused * 10
          ? { kind: "invalid", code: "INVALID_ARGUMENT" }
          : { kind: "accepted", messageId: "m" };
      },
    });
    const users = Array.from({ length: 5 }, (_, index) => `usr_${index}`);
    await world.rule([await world.group("Ops", users)]);

    const half = await runMinutes(12, () => world.post());
    refused = 0.1;
    const tenth = await runMinutes(12, () => world.post());

    expect(half).toEqual(["push-failures"]);
    expect(tenth).toEqual([]);
  });

  test("does not go off while FCM is unavailable, because each push is retried", async () => {
    const tries = new Map<string, number>();
    const { world, runMinutes } = await createMeasuredWorld({
      answer: (message) => {
        const id = "token" in message ? `${message.data["notificationId"]}${message.token}` : "";
        tries.set(id, (tries.get(id) ?? 0) + 1);
        return (tries.get(id) ?? 0) < 3 ? { kind: "retry", code: "UNAVAILABLE" } : { kind: "accepted", messageId: "m" };
      },
    });
    const users = Array.from({ length: 5 }, (_, index) => `usr_${index}`);
    await world.rule([await world.group("Ops", users)]);

    expect(await runMinutes(12, () => world.post())).toEqual([]);
    expect(world.pushed.length).toBeGreaterThan(100);
  });

  test("does not go off if only a few pushes fail", async () => {
    const { world, runMinutes } = await createMeasuredWorld({
      answer: () => ({ kind: "invalid", code: "INVALID_ARGUMENT" }),
    });
    await world.rule([await world.group("Ops", ["usr_a"])]);
    await world.post();

    expect(await runMinutes(12)).toEqual([]);
  });
});

describe("an alarm about a channel with a rate limit of AWS", () => {
  const sendManyTexts = async (answer: () => PushOutcome) => {
    const world = await createMeasuredWorld({ answer, pace: { sms: 1 }, sleep: async () => {} });
    const people = Array.from({ length: 80 }, (_, index) => `usr_${index}`);
    await world.world.rule([await world.world.group("Ops", people, 0)]);
    for (const [index, userId] of people.entries())
      await world.world.contact(userId, { phone: `+4930${10_000_000 + index}`, ways: ["sms"] });
    await world.world.post();
    return world;
  };

  test("goes off when messages wait for over a minute", async () => {
    const { runMinutes } = await sendManyTexts(() => ({ kind: "accepted", messageId: "m" }));

    expect(await runMinutes(1)).toEqual(["channel-behind"]);
  });

  test("goes off when AWS reports that the rate is too high, or that a quota is used up", async () => {
    const { world, runMinutes } = await sendManyTexts(() => ({ kind: "retry", code: "X", slow: "quota" }));

    expect(await runMinutes(1)).toContain("channel-refused");
    expect(world.pushed.length).toBeGreaterThan(0);
  });
});

describe("an alarm about the sweeper", () => {
  test("goes off only when no sweep has finished for three minutes", async () => {
    const { world, data, runMinutes } = await createMeasuredWorld();
    await runMinutes(5);

    expect(listRingingAlarms(data, world.now() + 2 * MINUTE)).toEqual([]);
    expect(listRingingAlarms(data, world.now() + 3 * MINUTE)).toEqual(["sweeper-silent"]);
  });

  test("goes off, and stays on, while the sweeper cannot process an item", async () => {
    const { world, runMinutes } = await createMeasuredWorld();
    const key = { pk: "PENDING#07", sk: `${world.start}#ws_x#evt_x` };
    await world.deps.table.client.send(
      new PutCommand({ TableName: world.deps.table.name, Item: { ...key, tries: "?" } }),
    );

    expect(await runMinutes(2)).toEqual(["sweeper-item"]);
    expect(await runMinutes(10)).toEqual(["sweeper-item"]);
    const [left] = [...world.markers.keys()].filter((name) => name.includes("evt_x"));
    const [pk, sk] = left!.split(" ");
    await world.deps.table.client.send(new DeleteCommand({ TableName: world.deps.table.name, Key: { pk, sk } }));
    expect(await runMinutes(6)).toEqual([]);
  });
});

const deadLetterAlarms = [
  ["events", "dead-letter-events"],
  ["pushes", "dead-letter-pushes"],
  ["escalations", "dead-letter-escalations"],
  ["webhooks", "dead-letter-webhooks"],
  ["inbound", "dead-letter-inbound"],
] as const;

describe.each(deadLetterAlarms)("the alarm for a message that fails in the queue of %s", (name, alarm) => {
  test("goes off when the message is moved to the dead-letter queue", async () => {
    const { world, runMinutes } = await createMeasuredWorld();
    world.queues[name].send('{"poison":true}');

    expect(await runMinutes(2)).toEqual([]);
    expect(await runMinutes(20)).toEqual([alarm]);
  });
});

describe("the alarm for notifications whose states do not add up", () => {
  test("goes off if a notification counts as sent although no device accepted its push", async () => {
    let isNext = false;
    const { world, runMinutes } = await createMeasuredWorld({
      beforeCall: async ({ input: { Key, ExpressionAttributeValues } }) => {
        if (!isNext || ExpressionAttributeValues?.[":lease"] === undefined) return;
        isNext = false;
        // The status is changed directly in the table, although no device accepted the push.
        await world.deps.table.client.send(
          new UpdateCommand({
            TableName: world.deps.table.name,
            Key,
            UpdateExpression: "SET r[1].s = :sent",
            ExpressionAttributeValues: { ":sent": "SENT" },
          }),
        );
      },
    });
    await world.rule([await world.group("Ops", ["usr_a", "usr_b"], 0)]);
    await world.post();
    const before = await runMinutes(1);
    isNext = true;
    await world.post();

    expect(before).toEqual([]);
    expect(await runMinutes(1)).toContain("ledger");
    expect(takeDefects()).toEqual([expect.stringMatching(/^pack\.not_reconciled: .* no device accepted it$/)]);
  });
});

describe("the alarm for a stored plan that contradicts a silence", () => {
  const quiet = v.parse(SilenceInput, {
    name: "Release",
    everything: true,
    eventKey: "*",
    endsAt: "2099-01-01T00:00:00.000Z",
  });

  /** Creates a world with a silence of all events; `edit` changes plans when they are stored. */
  const createSilencedWorld = async (edit: (plan: { silence: { recipients: number }; rules: object[] }) => object) => {
    let edits = false;
    const made = await createMeasuredWorld({
      beforeCall: async ({ input }) => {
        const values = input.ExpressionAttributeValues;
        if (!edits || values?.[":plan"] === undefined) return;
        const plan = v.parse(deflatedSchema(v.any()), values[":plan"]);
        values[":plan"] = deflate(edit(plan));
      },
    });
    const { deps, ws } = made.world;
    await made.world.rule([await made.world.group("Ops", ["usr_a", "usr_b"])]);
    await createSilence(deps, ws, quiet);
    await made.world.post();
    const before = await made.runMinutes(1);
    edits = true;
    await made.world.post();
    return { before, after: await made.runMinutes(1) };
  };

  test("goes off if the plan has a wrong number of silenced people", async () => {
    const { before, after } = await createSilencedWorld((plan) => ({
      ...plan,
      silence: { ...plan.silence, recipients: 1 },
    }));

    expect(before).toEqual([]);
    expect(after).toEqual(["ledger"]);
    expect(takeDefects()).toEqual([expect.stringMatching(/^event\.not_reconciled: .* holds back 1 /)]);
  });

  test("goes off if the plan notifies somebody despite the silence", async () => {
    const recipients = [{ userId: "usr_a", reason: {} }];
    const { after } = await createSilencedWorld((plan) => ({
      ...plan,
      rules: plan.rules.map((rule) => ({ ...rule, recipients })),
    }));

    expect(after).toEqual(["ledger"]);
    expect(takeDefects()).toEqual([expect.stringMatching(/^event\.not_reconciled: .* although sil_/)]);
  });
});

describe("the alarm for rules that take too long to match", () => {
  test("goes off if the match of one event takes too long", async () => {
    const { world, runMinutes } = await createMeasuredWorld();
    const group = await world.group("Ops", ["usr_a"]);
    for (let rule = 0; rule < 16; rule += 1)
      await world.rule([group], {
        name: `Slow ${rule}`,
        conditions: Array.from({ length: 50 }, (_, index) => ({
          field: "data.text",
          operator: "matches_regex",
          value: `a.{20}${String.fromCodePoint(0x4e00 + 50 * rule + index)}?$`,
        })),
        conditionMatch: "any",
      });
    const text = Array.from({ length: 30_000 }, (_, index) => "ab"[(index * index * 7919) % 11 < 5 ? 0 : 1]).join("");
    await world.post({ data: { text } });

    expect(await runMinutes(1)).toEqual(["match-over-budget"]);
  });
});

describe("the alarm for a workspace near its monthly limit of events", () => {
  test("goes off at the eighth of ten events, and at no earlier event", async () => {
    const { world, runMinutes } = await createMeasuredWorld();
    await setUsagePlan(world.deps, world.ws, {
      monthlyEvents: 10,
      eventsPerMinute: 600_000,
      burst: 100_000,
      retentionDays: 400,
    });
    for (let count = 1; count <= 7; count += 1) await world.post();
    expect(await runMinutes(1)).toEqual([]);

    await world.post();

    expect(await runMinutes(1)).toEqual(["quota"]);
  });
});

test("the alarm for verification codes goes off only when the stage has reached its daily limit", async () => {
  const { world, runMinutes } = await createMeasuredWorld();
  // Each of a hundred people requests ten codes, for different numbers.
  for (let count = 0; count < 1_000; count += 1)
    expect(await countCode(world.deps, `ws_${count % 50}`, `usr_${count % 100}`, `number-${count}`)).toBe(undefined);
  expect(await runMinutes(1)).toEqual([]);

  expect(await countCode(world.deps, "ws_100", "usr_100", "number-1000")).toBe("stage");

  expect(await runMinutes(1)).toEqual(["stage-ceiling"]);
});

describe("the alarm for the synthetic event", () => {
  const missing = alarms.get("synthetic-missing")!;

  test("goes off when no synthetic event has arrived for five minutes", async () => {
    const { world, data } = await createMeasuredWorld();
    await world.rule([await world.group("Ops", ["usr_a"])]);
    await sendSynthetic({
      ...world.deps,
      sleep: async (ms) => world.runFor(ms),
      readApiKey: async () => world.apiKey,
      postEvent: async () => {
        const { eventId } = await world.post();
        return { status: 201, body: JSON.stringify({ eventId }) };
      },
    });

    expect(isInAlarm(missing, data, world.now() + MINUTE)).toBe(false);
    expect(isInAlarm(missing, data, world.now() + 4 * MINUTE)).toBe(false);
    expect(isInAlarm(missing, data, world.now() + 6 * MINUTE)).toBe(true);
  });
});

test("every alarm is triggered in this file or by an AWS metric", () => {
  const covered = `oldest-marker stuck sweeper-silent sweeper-item function-errors function-timeouts function-throttled ledger match-over-budget quota stage-ceiling
    queue-behind-events queue-behind-pushes queue-behind-escalations queue-behind-webhooks queue-behind-inbound
    dead-letter-events dead-letter-pushes dead-letter-escalations dead-letter-webhooks dead-letter-inbound
    push-failures push-unauthorized channel-behind channel-refused keys-failed api-5xx table-throttled synthetic-missing`;

  expect(covered.split(/\s+/).sort()).toEqual([...alarms.keys()].sort());
});
