import { assert, property } from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { EventInput } from "../../../../core/domain/event/event.ts";
import { fitDraft } from "../../../../core/domain/sources/fit.ts";
import type { ToolName } from "../../../../core/domain/basics/source-name.ts";
import { sources } from "../../../../core/domain/sources/index.ts";
import { generateSimilar, RANDOM_PAYLOADS } from "../../../support/random-payloads.ts";
import { sourcePayloads } from "../../../support/source-payloads.ts";

const names = Object.keys(sources) as ToolName[];
const readMessage = (source: ToolName, payload: unknown) => {
  const result = v.safeParse(sources[source].adapter, structuredClone(payload));
  return result.success ? result.output.map((draft) => fitDraft(source, draft)) : undefined;
};
const readSingle = (source: ToolName, payload: unknown) => {
  const [fitted, ...others] = readMessage(source, payload) ?? [];
  if (fitted === undefined) throw new Error("no event");
  expect(others).toEqual([]);
  return fitted;
};

/** Converts an event to a sender's input, to check it like an event that is sent to the API. */
const toInput = ({ eventKey, ...rest }: EventInput) => ({ ...rest, event: eventKey });

describe.each(names)("the source %s", (source) => {
  const { firing, resolved, test } = sourcePayloads[source]!;

  it("has an example message that opens an alert, and an example message that resolves the same alert", () => {
    const fired = readSingle(source, firing);
    const ended = readSingle(source, resolved);

    expect(fired.event.eventKey).toMatch(/\.firing$/);
    expect(fired.event.dedupeKey).toMatch(new RegExp(`^${source}:`));
    expect(ended.event).toMatchObject({
      eventKey: expect.stringMatching(/\.resolved$/),
      priority: "LOW",
      resolves: fired.event.dedupeKey,
    });
    expect(ended.event).not.toHaveProperty("dedupeKey");
    expect([...fired.warnings, ...ended.warnings]).toEqual([]);
  });

  it("has a test message that becomes an event", () => {
    expect(test === undefined ? [1] : readMessage(source, test)).toHaveLength(1);
  });

  it("turns random payloads into valid events or refuses them", { timeout: 120_000 }, () => {
    const mangled = generateSimilar([firing, resolved, test ?? firing]);
    assert(
      property(mangled, (payload) => {
        for (const { event, warnings } of readMessage(source, payload) ?? []) {
          const checked = v.safeParse(EventInput, toInput(event));
          expect(checked.issues?.map(({ message }) => message)).toBeUndefined();
          expect(checked.output).toEqual(event);
          expect(warnings.length).toBeLessThanOrEqual(20);
        }
      }),
      { numRuns: RANDOM_PAYLOADS ?? 200 },
    );
  });
});

it("an alert that starts again has the same dedupeKey, and each message about the alert is a separate event", () => {
  const payload = sourcePayloads["alertmanager"]!.firing as { alerts: object[] };
  const again = { ...payload, alerts: payload.alerts.map((alert) => ({ ...alert, startsAt: "2026-11-21T13:00:00Z" })) };

  expect(readSingle("alertmanager", again).event.dedupeKey).toBe(readSingle("alertmanager", payload).event.dedupeKey);
  expect(readSingle("alertmanager", payload).once).toBeUndefined();
});

it.each([
  ["alertmanager", "that is empty", {}],
  ["cloudwatch", "with an empty alarm name", { AlarmName: "" }],
  ["sentry", "whose action is a number", { action: 5 }],
  ["uptime-kuma", "that is empty", {}],
  ["opsgenie", "that is empty", {}],
  ["datadog", "with only a text", { text: "CPU is high" }],
  ["azure-monitor", "with only the name of a rule", { rule: "CPU is high" }],
  ["azure-monitor", "with a list of events that have only an id", [{ id: "g-1" }]],
  ["zabbix", "with only a host", { host: "db-1" }],
  ["pagerduty", "with an unknown action", { event_action: "explode" }],
  ["pagerduty", "that starts an alert without a summary", { event_action: "trigger", payload: {} }],
  ["pagerduty", "that ends an alert without its key", { event_action: "resolve" }],
] as const)("the source %s refuses a message %s", (source, _what, payload) => {
  expect(readMessage(source, payload)).toBeUndefined();
});

it("unimportant messages of a tool create no event", () => {
  expect(readMessage("github", { action: "opened", pull_request: {}, repository: { full_name: "acme/shop" } })).toEqual(
    [],
  );
});
