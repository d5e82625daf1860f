import * as v from "valibot";
import { listPossiblePeople, toPolicyTargets, toRuleTargets } from "../core/domain/planning/reach.ts";
import { EventContent } from "../core/domain/event/event.ts";
import { EventPage, EventView } from "../core/domain/event/event-view.ts";
import { fromIso } from "../core/domain/basics/time.ts";
import type { Progress } from "../tools/program.ts";
import type { Api } from "./api.ts";
import { createSimulator, convertToPeople, toRoutingRule } from "./rehearsal.ts";
import { runConcurrently } from "./workspace.ts";
import type { SetUp } from "./write.ts";

/** `at`: the time of arrival, in ms since 1970. */
export type Sample = { event: EventContent; at: number };

const StoredEvent = v.object({
  eventKey: EventView.entries.eventKey,
  title: EventView.entries.title,
  body: EventView.entries.body,
  priority: EventView.entries.priority,
  receivedAt: EventView.entries.receivedAt,
  requiresAck: EventView.entries.requiresAck,
  // Rules can compare the name of the sender's key.
  sender: EventView.entries.sender,
  data: v.nullable(v.unwrap(EventContent.entries.data)),
});

/** Reads the newest `count` events as samples, newest first. */
export const readSamples = async (api: Api, count: number, progress: Progress): Promise<Sample[]> => {
  if (count === 0) return [];
  const page = await api.get(`/events?limit=${count}`, EventPage);
  const items = page?.items ?? [];
  const tick = progress("events read", items.length);
  const events = await runConcurrently(items, async ({ id }) => {
    const event = await api.get(`/events/${id}`, StoredEvent);
    tick();
    return event;
  });
  return events.flatMap((event): Sample[] => {
    if (event === undefined) return [];
    const { data, requiresAck, sender, receivedAt, ...content } = event;
    const given = {
      ...(data === null ? {} : { data }),
      ...(requiresAck === null ? {} : { requiresAck }),
      ...(sender === null ? {} : { sender }),
    };
    return [{ event: { ...content, ...given }, at: fromIso(receivedAt) ?? 0 }];
  });
};

const listOnlyInFirst = (first: ReadonlySet<string>, second: ReadonlySet<string>): string[] =>
  [...first].filter((person) => !second.has(person)).sort();

/** Returns the added people as `+name` and the removed people as `-name`, in one line; empty if the sets are equal. */
const describeSetChange = (before: ReadonlySet<string>, after: ReadonlySet<string>): string =>
  [
    ...listOnlyInFirst(after, before).map((person) => `+${person}`),
    ...listOnlyInFirst(before, after).map((person) => `-${person}`),
  ].join(" ");

/** Returns the people whom each rule notifies, directly or by its policy, at any time after `now` (ms since 1970). */
const listNotifiedByRules = (setUp: SetUp, now: number): Map<string, ReadonlySet<string>> => {
  const people = convertToPeople(setUp);
  return new Map(
    setUp.rules.map((written) => {
      const rule = toRoutingRule(written);
      const policy = rule.requiresAck ? people.policies.get(rule.escalationPolicyId ?? "") : undefined;
      const targets = [...toRuleTargets(rule), ...(policy === undefined ? [] : toPolicyTargets(policy))];
      const reached = rule.enabled ? targets.flatMap((target) => listPossiblePeople(target, people, now)) : [];
      return [rule.name, new Set(reached)];
    }),
  );
};

const nobody: ReadonlySet<string> = new Set();
const LINES_MAX = 40;

/** Returns the lines, at most LINES_MAX; one more line counts the other lines. `noun`: what a line is about. */
const limitLines = (lines: readonly string[], noun: string): string[] =>
  lines.length > LINES_MAX
    ? [...lines.slice(0, LINES_MAX), `and ${lines.length - LINES_MAX} more ${noun}`]
    : [...lines];

/** Counts the samples for which `after` notifies a person and `before` does not, by person and event key. */
const countAdded = (samples: readonly Sample[], before: SetUp, after: SetUp): Map<string, Map<string, number>> => {
  const [simulateBefore, simulateAfter] = [createSimulator(before), createSimulator(after)];
  const counts = new Map<string, Map<string, number>>();
  for (const { event, at } of samples) {
    const listNotifiedPeople = (simulate: ReturnType<typeof createSimulator>) =>
      new Set(simulate(event, at).notifications.map(({ person }) => person));
    for (const person of listOnlyInFirst(listNotifiedPeople(simulateAfter), listNotifiedPeople(simulateBefore))) {
      const keys = counts.get(person) ?? new Map<string, number>();
      counts.set(person, keys.set(event.eventKey, (keys.get(event.eventKey) ?? 0) + 1));
    }
  }
  return counts;
};

const compareNames = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

const describeCounts = (counts: Map<string, Map<string, number>>, direction: "more" | "fewer"): string[] =>
  [...counts].sort(compareNames).map(([person, keys]) => {
    const total = [...keys.values()].reduce((sum, count) => sum + count, 0);
    const each = [...keys].sort(compareNames).map(([key, count]) => `${key} ${count}`);
    return `${person} gets ${total} ${direction}: ${each.join(", ")}`;
  });

/** Lists recipients that are added or removed, by rule and for the sample events, as if nobody acknowledged. */
export const describeNotified = (before: SetUp, after: SetUp, samples: readonly Sample[], now: number): string[] => {
  const [reachBefore, reachAfter] = [listNotifiedByRules(before, now), listNotifiedByRules(after, now)];
  const names = [...new Set([...reachBefore.keys(), ...reachAfter.keys()])];
  const byRule = names.flatMap((name) => {
    const change = describeSetChange(reachBefore.get(name) ?? nobody, reachAfter.get(name) ?? nobody);
    return change === "" ? [] : [`rule "${name}" can notify ${change}`];
  });
  const byPerson = [
    ...describeCounts(countAdded(samples, before, after), "more"),
    ...describeCounts(countAdded(samples, after, before), "fewer"),
  ];
  const tried = `Of ${samples.length} tried events (the latest stored events and the events of the contracts)`;
  return [
    ...limitLines(byRule, "rules"),
    ...(samples.length === 0
      ? []
      : byPerson.length === 0
        ? [`${tried}, each notifies the same people as before.`]
        : [`${tried}:`]),
    ...limitLines(
      byPerson.map((line) => `    ${line}`),
      "people",
    ),
  ];
};
