import { expect, it } from "vitest";
import { aNotification, anEvent } from "../support/console-event.ts";
import { toMarkdown } from "../../console/pages/event/markdown.ts";
import { timelineOf } from "../../console/pages/event/moments.ts";

const RECEIVED = "2026-11-28T03:00:00.000Z";
const people = (count: number) =>
  Array.from({ length: count }, (_, n) => aNotification({ user: { id: `u${n}`, name: `P${n}`, email: "" } }));

const said = (event: Parameters<typeof timelineOf>[0]): string[] => timelineOf(event).map(({ text }) => text);

it.each([
  [1, "Rule Disks notified P0.", "The push service accepted the push to P0."],
  [3, "Rule Disks notified P2, P1, P0.", "The push service accepted the push to P2, P1, P0."],
  [200, "Rule Disks notified 200 recipients.", "The push service accepted the push to 200 recipients."],
])("%i notifications of a rule are one entry, and their pushes are one", (count, called, sent) => {
  expect(said(anEvent({ notifications: people(count) }))).toEqual([
    "Event received.",
    "Rule Disks (version 1) matched.",
    called,
    sent,
  ]);
});

it("pushes accepted minutes apart, and failures for different reasons, are separate entries", () => {
  const [first, second, third] = people(3);
  const late = { ...second!, sentAt: "2026-11-28T03:05:00.000Z" };
  const failed = { ...third!, sentAt: null, status: "FAILED" as const, failedReason: "No device" };

  expect(said(anEvent({ notifications: [first!, late, failed] })).slice(2)).toEqual([
    "Rule Disks notified P2, P1, P0.",
    "The push to P2 failed: No device",
    "The push service accepted the push to P0.",
    "The push service accepted the push to P1.",
  ]);
});

it("an event is exported with its facts, its texts, its links and its timeline", () => {
  const event = anEvent({ notifications: people(1), links: [{ label: "Runbook", url: "https://run.example" }] });

  expect(toMarkdown(event, "https://a.example/events/evt_1")).toBe(`# [Disk full](https://a.example/events/evt_1)

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
