import { expect, it } from "vitest";
import { createNotification, createEvent } from "../support/console-event.ts";
import { toMarkdown } from "../../console/pages/event/markdown.ts";
import { listComingPages, buildTimeline } from "../../console/pages/event/timeline-entries.ts";

const RECEIVED = "2026-11-28T03:00:00.000Z";
const createNotifications = (count: number) =>
  Array.from({ length: count }, (_, n) => createNotification({ user: { id: `u${n}`, name: `P${n}`, email: "" } }));

const listTimelineTexts = (event: Parameters<typeof buildTimeline>[0]): string[] =>
  buildTimeline(event, AT).map(({ text }) => text);
/** Ten minutes after the event. */
const AT = Date.parse(RECEIVED) + 600_000;

it.each([
  [1, "Rule Disks notified P0.", "The push service accepted the push to P0."],
  [3, "Rule Disks notified P0, P2, P1.", "The push service accepted the push to P0, P2, P1."],
  [200, "Rule Disks notified 200 recipients.", "The push service accepted the push to 200 recipients."],
])(
  "notifications of %i people by one rule are shown as one timeline entry, and their pushes as one more entry at the first push",
  (count, called, sent) => {
    const [again] = createNotifications(1);
    const last = { ...again!, sentAt: "2026-11-28T03:00:03.000Z" };

    const timeline = buildTimeline(createEvent({ notifications: [again!, ...createNotifications(count), last] }), AT);
    expect(timeline.map(({ at, text }) => [at.slice(17, 19), text])).toEqual([
      ["00", "Event received."],
      ["01", "Rule Disks (version 1) matched."],
      ["01", called],
      ["02", sent],
    ]);
  },
);

it("pushes that are accepted minutes apart are separate timeline entries, and so are failures and the repeats of a step", () => {
  const [first, second, third] = createNotifications(3);
  const late = { ...second!, sentAt: "2026-11-28T03:05:00.000Z" };
  const failed = { ...third!, sentAt: null, status: "FAILED" as const, failedReason: "No device" };
  const repeated = { ...first!, createdAt: "2026-11-28T03:06:01.000Z", sentAt: "2026-11-28T03:06:02.000Z" };

  expect(listTimelineTexts(createEvent({ notifications: [first!, late, failed, repeated] })).slice(2)).toEqual([
    "Rule Disks notified P2, P1, P0.",
    "The push to P2 failed: No device",
    "The push service accepted the push to P0.",
    "The push service accepted the push to P1.",
    "Rule Disks notified P0.",
    "The push service accepted the push to P0.",
  ]);
});

it("an event is exported with its priority, state, key, texts, links and timeline", () => {
  const event = createEvent({
    notifications: createNotifications(1),
    links: [{ label: "Runbook", url: "https://run.example" }],
  });

  expect(toMarkdown(event, "https://a.example/events/evt_1", AT)).toBe(`# [Disk full](https://a.example/events/evt_1)

High · Open · \`disk.full\` · ${RECEIVED}

95 %

- [Runbook](https://run.example)

## Timeline

- ${RECEIVED} Event received.
- 2026-11-28T03:00:01.000Z Rule Disks (version 1) matched.
- 2026-11-28T03:00:01.000Z Rule Disks notified P0.
- 2026-11-28T03:00:02.000Z The push service accepted the push to P0.
`);
});

it("planned text messages and calls become timeline entries when due, and are shown as upcoming until somebody acknowledges", () => {
  const rings = [
    { at: RECEIVED, ways: ["push" as const] },
    { at: "2026-11-28T03:05:00.000Z", ways: ["sms" as const] },
    { at: "2026-11-28T03:15:00.000Z", ways: ["push" as const, "voice" as const] },
  ];
  const [one] = createNotifications(1);
  const open = createEvent({ state: "open", notifications: [{ ...one!, rings }] });
  const acknowledgedAt = "2026-11-28T03:02:00.000Z";

  expect(listTimelineTexts(open).slice(4)).toEqual(["A notification step of P0 began: Text message."]);
  expect(listComingPages(open, AT)).toEqual([{ at: "2026-11-28T03:15:00.000Z", text: "P0: Push, Call" }]);
  expect(
    listComingPages(createEvent({ state: "open", notifications: [{ ...one!, rings, acknowledgedAt }] }), AT),
  ).toEqual([]);
});

it("a notification step becomes a timeline entry only if it is due before the acknowledgement", () => {
  const at = "2026-11-28T03:05:00.000Z";
  const [one] = createNotifications(1);
  const rings = [at, "2026-11-28T03:04:59.999Z"].map((due) => ({ at: due, ways: ["sms" as const] }));
  const notifications = [{ ...one!, rings, acknowledgedAt: at }];

  expect(listTimelineTexts(createEvent({ notifications })).slice(4)).toEqual([
    "A notification step of P0 began: Text message.",
    "P0 acknowledged.",
  ]);
});

it("an acknowledgement is one timeline entry, although it is stored both with the event and with its notifications", () => {
  const acknowledgedBy = { id: "u0", name: "P0", email: "" };
  const notifications = createNotifications(2).map((one, n) => ({
    ...one,
    acknowledgedBy,
    acknowledgedAt: `2026-11-28T03:02:00.00${n + 1}Z`,
  }));
  const event = createEvent({ notifications, acknowledgedBy, acknowledgedAt: "2026-11-28T03:02:00.000Z" });

  expect(listTimelineTexts(event).slice(4)).toEqual(["P0 acknowledged."]);
});

it("acknowledgements of two people within a minute are two timeline entries, even if the first person repeats theirs", () => {
  const [first] = createNotifications(1);
  const notifications = [...createNotifications(2), first!].map((one, n) => ({
    ...one,
    acknowledgedBy: one.user,
    acknowledgedAt: `2026-11-28T03:02:00.00${n + 1}Z`,
  }));

  expect(listTimelineTexts(createEvent({ notifications })).slice(4)).toEqual(["P0 acknowledged.", "P1 acknowledged."]);
});

it("an acknowledgement an hour after the last acknowledgement is a separate timeline entry", () => {
  const acknowledgedBy = { id: "u0", name: "P0", email: "" };
  const notifications = createNotifications(2).map((one, n) => ({
    ...one,
    acknowledgedBy,
    acknowledgedAt: `2026-11-28T0${n + 3}:02:00.000Z`,
  }));

  expect(listTimelineTexts(createEvent({ notifications })).slice(4)).toEqual(["P0 acknowledged.", "P0 acknowledged."]);
});
