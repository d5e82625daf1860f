import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { HistoryInput } from "../../../../core/domain/planning/history.ts";
import { simulateHistory } from "../../../../core/flow/read/simulate.ts";
import { useWorld } from "../../../world/use-world.ts";
import type { World } from "../../../world/world.ts";
import { SECOND, MINUTE, writes, recordingWrites, simulatePast, toTargets } from "./simulating.ts";

type Answer = Awaited<ReturnType<typeof simulatePast>>;
const titlesOf = ({ examples }: Answer) => examples.map(({ event }) => event.title);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Makes as many calls as the preview needs, each of which continues where the previous one stopped, and returns the answers. */
const previewInCalls = async (
  { deps, ws, now }: World,
  input: object,
  readingTheClockTakes: number,
): Promise<Answer[]> => {
  let clock = now();
  const slow = { ...deps, now: () => (clock += readingTheClockTakes) };
  const answers: Answer[] = [];
  for (let before: object | undefined = {}; before !== undefined;) {
    const answer: Answer = await simulateHistory(slow, ws, v.parse(HistoryInput, { ...input, ...before }));
    answers.push(answer);
    before = answer.next === null ? undefined : { before: answer.next };
  }
  return answers;
};

describe("a preview of drafts over past events", () => {
  it("predicts what delivery would do with flapping alerts", async () => {
    for (const lasts of [3, 15]) {
      const world = await useWorld();
      const groupId = await world.group("Ops", ["usr_ann"]);
      await world.rule([groupId]);
      for (const after of [1, 1, lasts]) {
        await world.post({ dedupeKey: "db-1" });
        await world.runFor(after * MINUTE);
        await world.post({ event: "order.fine", title: "Fine", resolves: "db-1" });
        await world.runFor(MINUTE);
      }
      await world.runFor(15 * MINUTE);

      const { rules } = await simulatePast(world, { rules: [{ eventKey: "disk.*", targets: toTargets(groupId) }] });
      const notified = world.pushed.filter(
        ({ message }) => message.data["state"] === undefined && message.notification?.title === "Disk full",
      );
      expect({ lasts, told: rules[0]!.saved.of - rules[0]!.saved.flapping }).toEqual({ lasts, told: notified.length });
      expect(rules[0]!.saved.flapping).toBe(lasts === 3 ? 1 : 0);
    }
  });

  it("includes the groups of events that were open at the start of the period", async () => {
    const world = await useWorld();
    const groupId = await world.group("Ops", ["usr_ann"]);
    // Four storms of five events, an hour apart, each of which pages once.
    for (let nr = 0; nr < 20; nr += 1) {
      await world.post({ title: `Nr ${nr}` });
      await world.runFor(nr % 5 === 4 ? 60 * MINUTE : MINUTE);
    }
    const rule = { eventKey: "*", targets: toTargets(groupId), groupBy: [], groupMinutes: 10 };

    // One call processes seven events.
    const answers = await previewInCalls(world, { rules: [rule] }, 0.7 * SECOND);

    expect(answers.length).toBeGreaterThan(2);
    expect(sum(answers.map(({ events }) => events))).toBe(20);
    expect(sum(answers.map(({ rules }) => rules[0]!.saved.of - rules[0]!.saved.grouped))).toBe(4);
  });

  it("reports the difference in events and people, and evaluates each event at its own time", async () => {
    const world = await useWorld(recordingWrites);
    const [first, second] = [
      await world.group("One", ["usr_ann", "usr_bob"]),
      await world.group("Two", ["usr_cyd"], 0),
    ];
    const rule = await world.rule([first], { eventKey: "disk.*" });
    const posted = ["Old", "Disk", "Order", "Disk again", "Other"];
    const eventKeys = ["disk.full", "disk.full", "order.failed", "disk.full", "user.left"];
    for (const [index, title] of posted.entries()) {
      await world.post({ event: eventKeys[index], title });
      await world.runFor(index === 0 ? 3 * 24 * 60 * MINUTE : MINUTE);
    }
    writes.length = 0;

    const answer = await simulatePast(world, {
      days: 2,
      rules: [
        {
          ...rule,
          targets: toTargets(second),
          conditions: [{ field: "title", operator: "ends_with", value: "again" }],
        },
        { eventKey: "order.*", targets: toTargets(second) },
      ],
    });

    expect(answer).toMatchObject({
      events: 4,
      moreTold: 2,
      lessTold: 2,
      newlyTold: 1,
      notToldAnyMore: 1,
      people: [
        { userId: "usr_ann", more: 0, less: 2 },
        { userId: "usr_bob", more: 0, less: 2 },
        { userId: "usr_cyd", more: 2, less: 0 },
      ],
      rules: [
        {
          id: rule.id,
          draft: "replaced",
          matched: 1,
          matchedBefore: 2,
          examples: [{ event: { title: "Disk again" } }],
        },
        { id: null, draft: "added", matched: 1, matchedBefore: 0, examples: [{ event: { title: "Order" } }] },
      ],
      next: null,
      warnings: [{ code: "no_device", id: "usr_cyd" }],
    });
    expect(
      answer.examples.map(({ event, more, less }) => [
        event.title,
        more.people.map(({ userId }) => userId),
        less.people.map(({ userId }) => userId),
      ]),
    ).toEqual([
      ["Disk again", ["usr_cyd"], ["usr_ann", "usr_bob"]],
      ["Order", ["usr_cyd"], []],
      ["Disk", [], ["usr_ann", "usr_bob"]],
    ]);
    expect(answer.readUnits).toBeGreaterThan(0);
    expect(writes).toEqual([]);
  });

  it("continues where the previous call stopped; together, the calls give the same result as one call for the whole period", async () => {
    const world = await useWorld();
    const groupId = await world.group("One", ["usr_ann"]);
    for (let nr = 0; nr < 7; nr += 1) await world.post({ title: `Nr ${nr}` });
    const input = { rules: [{ eventKey: "*", targets: toTargets(groupId) }] };
    const whole = await simulatePast(world, input);

    // One call processes two events.
    const answers = await previewInCalls(world, input, 3 * SECOND);

    expect(answers.length).toBeGreaterThan(2);
    expect(answers.flatMap(titlesOf)).toEqual(titlesOf(whole));
    expect(whole).toMatchObject({ events: 7, next: null });
    await expect(simulatePast(world, { ...input, before: "evt_gone" })).rejects.toMatchObject({
      extras: { faults: [{ field: "before" }] },
    });
  });
});
