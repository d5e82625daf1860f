import { expect, it } from "vitest";
import { isDecidedByRules } from "../../../core/domain/event/notice.ts";
import { parseRoundId } from "../../../core/domain/heartbeat/switch.ts";
import { listEventsBetween } from "../../../core/store/events/events.ts";
import { runShadowed } from "../../faults/run.ts";
import type { Play } from "../../faults/scenario.ts";
import { scenarios } from "../../faults/scenarios/index.ts";

/** The partitions of the markers of events, steps and delivery queues. */
const MARKERS = /^(?:PENDING|STEPS|LINES)#/;
const NOT_OF_EVENTS = new Set(["oncall.changed", "audit.recorded", "switch.confirmed"]);

/** Lists events outside the shadow, messages about events that are not notices, and markers that are left. */
const listTraces = async ({ world, fixtures }: Play): Promise<string[]> => {
  const { fcm, receivers, slack, dynamo } = world;
  const all = await world.outside((deps) =>
    Promise.all(fixtures.map(({ ws }) => listEventsBetween(deps, ws, { from: 0, to: 1_000_000 }))),
  );
  const asking = all.flat().filter(({ content }) => isDecidedByRules(content));
  const notices = new Set(all.flat().flatMap(({ eventId, content }) => (isDecidedByRules(content) ? [] : [eventId])));
  return [
    ...asking.filter(({ shadow }) => shadow !== true).map(({ content }) => `not in shadow: ${content.title}`),
    ...[...fcm.calls, ...fcm.otherPushes]
      // A dead man's switch sends its silent push even during a shadow.
      .filter(({ eventId, notificationId }) => !notices.has(eventId) && parseRoundId(notificationId) === undefined)
      .map(({ channel, token, eventId, notificationId }) => `${channel} to ${token}: ${eventId} ${notificationId}`),
    ...receivers.received.filter(({ type }) => !NOT_OF_EVENTS.has(type)).map(({ type }) => `webhook: ${type}`),
    ...[...slack.channels.values()].flat().map(({ text }) => `Slack: ${text}`),
    ...[...slack.userGroups].map((group) => `Slack user group: ${group.join(" ")}`),
    ...dynamo
      .partitions()
      .filter((pk) => MARKERS.test(pk))
      .flatMap((pk) => dynamo.list(pk).map(({ sk }) => `marker: ${pk} ${sk?.S}`)),
  ];
};

it.each(scenarios.filter(({ large }) => large !== true).map((scenario) => [scenario.name, scenario] as const))(
  'during a shadow, nothing about an event is sent out, in the scenario "%s"',
  async (_, scenario) => {
    expect(await listTraces(await runShadowed(scenario))).toEqual([]);
  },
);
