import { expect, it } from "vitest";
import { formatTextForAddedPerson, type Added } from "../../../../core/domain/delivery/added.ts";

const event = { title: "Disk full", body: "2 % left" };
const by = { id: "usr_bob", name: "Bob" };

it.each<[string, Added, { title: string; body: string }]>([
  [
    "because an acknowledgement ends soon",
    { because: "still_on_it" },
    { title: "Still on it? Disk full", body: "Your acknowledgement ends at 12:34 UTC. Acknowledge again to keep it." },
  ],
  ["because the event is open again", { because: "open_again" }, { title: "Open again: Disk full", body: "2 % left" }],
  [
    "by a named member with a note",
    { because: "told", by, note: "your shop" },
    { title: "Disk full", body: "Bob notified you: your shop. 2 % left" },
  ],
  ["by an unnamed member", { because: "told" }, { title: "Disk full", body: "Somebody notified you. 2 % left" }],
  [
    "by a named member who escalated it with a note",
    { because: "escalated", by, note: "stuck" },
    { title: "Disk full", body: "Bob escalated this alert: stuck. 2 % left" },
  ],
  [
    "by an unnamed member who escalated it",
    { because: "escalated" },
    { title: "Disk full", body: "Somebody escalated this alert. 2 % left" },
  ],
  [
    "because a named member who acknowledged it is no longer on call",
    { because: "handed_over", by },
    { title: "Handed off: Disk full", body: "Bob acknowledged it and is no longer on call. 2 % left" },
  ],
  [
    "because an unnamed member who acknowledged it is no longer on call",
    { because: "handed_over" },
    { title: "Handed off: Disk full", body: "Somebody acknowledged it and is no longer on call. 2 % left" },
  ],
  [
    "because the alert flaps",
    { because: "flapping" },
    {
      title: "Flapping: Disk full",
      body: "This alert keeps opening and closing. You will be notified at 12:34 UTC if it is still open. 2 % left",
    },
  ],
  ["because its priority was raised", { because: "raised" }, { title: "Worse: Disk full", body: "2 % left" }],
  [
    "because the alert repeated once after its acknowledgement",
    { because: "still_failing" },
    { title: "Still failing: Disk full", body: "1 repeat since you acknowledged it. 2 % left" },
  ],
  [
    "because the alert repeated three times after its acknowledgement",
    { because: "still_failing", repeats: 3 },
    { title: "Still failing: Disk full", body: "3 repeats since you acknowledged it. 2 % left" },
  ],
  ["because the event repeats", { because: "repeated" }, event],
])("a push to a person who was added to an event %s has the text for this case", (_, added, text) => {
  expect(formatTextForAddedPerson(added, event, "2026-11-21T12:34:56.000Z")).toEqual(text);
});
