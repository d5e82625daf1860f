import { anything, array, assert, constantFrom, dictionary, oneof, property, string, type Arbitrary } from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { EventInput } from "../../../../core/domain/event/event.ts";
import { fit } from "../../../../core/domain/sources/fit.ts";
import { sources, type SourceName } from "../../../../core/domain/sources/index.ts";
import { sourcePayloads } from "../../../support/source-payloads.ts";

const names = Object.keys(sources) as SourceName[];
const read = (source: SourceName, payload: unknown) => {
  const result = v.safeParse(sources[source].adapter, structuredClone(payload));
  return result.success ? result.output.map((draft) => fit(source, draft)) : undefined;
};
const only = (source: SourceName, payload: unknown) => {
  const [fitted, ...others] = read(source, payload) ?? [];
  if (fitted === undefined) throw new Error("no event");
  expect(others).toEqual([]);
  return fitted;
};

/** As a sender would write it, so that what is stored passes the same checks. */
const asInput = ({ eventKey, ...rest }: EventInput) => ({ ...rest, event: eventKey });

describe.each(names)("%s", (source) => {
  const { firing, resolved, test } = sourcePayloads[source]!;

  it("fires, and what resolves it names the same alert", () => {
    const fired = only(source, firing);
    const over = only(source, resolved);

    expect(fired.event.eventKey).toMatch(/\.firing$/);
    expect(fired.event.dedupeKey).toMatch(new RegExp(`^${source}:`));
    expect(over.event).toMatchObject({
      eventKey: expect.stringMatching(/\.resolved$/),
      priority: "LOW",
      resolves: fired.event.dedupeKey,
    });
    expect(over.event).not.toHaveProperty("dedupeKey");
    expect([...fired.warnings, ...over.warnings]).toEqual([]);
  });

  it("makes an event of what its test button sends", () => {
    expect(test === undefined ? [1] : read(source, test)).toHaveLength(1);
  });

  it("makes events that pass every check, or a refusal, of 2,000 random payloads", () => {
    const mangled = payloadLike([firing, resolved, test ?? firing]);
    assert(
      property(mangled, (payload) => {
        for (const { event, warnings } of read(source, payload) ?? []) {
          const checked = v.safeParse(EventInput, asInput(event));
          expect(checked.issues?.map(({ message }) => message)).toBeUndefined();
          expect(checked.output).toEqual(event);
          expect(warnings.length).toBeLessThanOrEqual(20);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Texts that have been trouble, and values of all kinds. */
const nasty = oneof(
  anything({ maxDepth: 3 }),
  string({ unit: "binary" }),
  constantFrom(
    "",
    "\u0000",
    "\ud800",
    "x".repeat(40_000),
    "🙂".repeat(11_000),
    "javascript:alert(1)",
    "__proto__",
    Number.POSITIVE_INFINITY,
    -1,
    null,
    true,
  ),
  dictionary(string(), anything({ maxDepth: 1 }), { maxKeys: 50 }),
);

/** Payloads of a tool in which some values are replaced by anything. */
function payloadLike(originals: readonly object[]): Arbitrary<unknown> {
  const places = (value: unknown, path: string[] = []): string[][] =>
    typeof value === "object" && value !== null
      ? [path, ...Object.entries(value).flatMap(([key, inner]: [string, unknown]) => places(inner, [...path, key]))]
      : [path];
  return constantFrom(...originals).chain((original) =>
    array(
      oneof(constantFrom(...places(original))).chain((path) => nasty.map((value) => ({ path, value }))),
      { minLength: 1, maxLength: 4 },
    ).map((changes) => {
      let payload: unknown = structuredClone(original);
      for (const { path, value } of changes) {
        const last = path.at(-1);
        const holder = path
          .slice(0, -1)
          .reduce<unknown>(
            (at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined),
            payload,
          );
        if (last === undefined) payload = value;
        else if (typeof holder === "object" && holder !== null)
          Object.defineProperty(holder, last, { value, enumerable: true, configurable: true, writable: true });
      }
      return payload;
    }),
  );
}

it("an alert that fires again after it was resolved is another one", () => {
  const payload = sourcePayloads["alertmanager"]!.firing as { alerts: object[] };
  const again = { ...payload, alerts: payload.alerts.map((alert) => ({ ...alert, startsAt: "2026-11-21T13:00:00Z" })) };

  expect(only("alertmanager", again).event.dedupeKey).not.toBe(only("alertmanager", payload).event.dedupeKey);
  expect(only("alertmanager", again).once).not.toBe(only("alertmanager", payload).once);
});

it("labels and details are flat, by their dotted paths", () => {
  expect(only("alertmanager", sourcePayloads["alertmanager"]!.firing).event.data).toMatchObject({
    "labels.alertname": "HighCpu",
    "labels.severity": "critical",
    "annotations.runbook_url": "https://runbooks.example/cpu",
  });
  expect(only("opsgenie", sourcePayloads["opsgenie"]!.firing).event.data).toMatchObject({
    "tags.0": "db",
    "details.host": "db-1",
  });
});

it.each([
  ["critical", "URGENT"],
  ["error", "HIGH"],
  ["Warning", "NORMAL"],
  ["info", "LOW"],
  ["whatever", "NORMAL"],
])("severity %s is %s", (severity, priority) => {
  const { alerts } = sourcePayloads["alertmanager"]!.firing as { alerts: { labels: object }[] };
  const payload = { alerts: alerts.map((alert) => ({ ...alert, labels: { ...alert.labels, severity } })) };

  expect(only("alertmanager", payload).event.priority).toBe(priority);
});

it("what cannot be stored is cut, and said", () => {
  const labels = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`label${index}`, "x".repeat(100)]));
  const { event, warnings } = only("alertmanager", {
    alerts: [
      { labels, annotations: { summary: "s".repeat(300), description: "d".repeat(3_000) }, generatorURL: "nothing" },
    ],
  });

  expect(event.title).toHaveLength(200);
  expect(event.body).toHaveLength(2_000);
  expect(event.detail).toBe("d".repeat(3_000));
  expect(event).not.toHaveProperty("url");
  expect(warnings.map(({ field, code }) => `${field} ${code}`)).toEqual(
    expect.arrayContaining(["title cut", "body cut", "data cut", "url cut"]),
  );
});

it.each([
  ["alertmanager", {}],
  ["cloudwatch", { AlarmName: "" }],
  ["sentry", { action: 5 }],
  ["uptime-kuma", {}],
  ["opsgenie", {}],
  ["pagerduty", { event_action: "explode" }],
  ["pagerduty", { event_action: "trigger", payload: {} }],
  ["pagerduty", { event_action: "resolve" }],
] as const)("%s refuses %j", (source, payload) => {
  expect(read(source, payload)).toBeUndefined();
});

it("what is not worth an event makes none", () => {
  expect(read("github", { action: "opened", pull_request: {}, repository: { full_name: "acme/shop" } })).toEqual([]);
  expect(read("pagerduty", { event_action: "acknowledge", dedup_key: "k" })).toEqual([]);
  expect(read("opsgenie", { action: "Acknowledge", alert: { message: "m", alias: "a" } })).toEqual([]);
});
