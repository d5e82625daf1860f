import { expect, it } from "vitest";
import { formatTextForAddedPerson, type Added } from "../../../../core/domain/delivery/added.ts";

const event = { title: "Disk full", body: "2 % left" };
const by = { id: "usr_bob", name: "Bob" };

it.each<[string, Added, { title: string; body: string }]>([
  [
    "the person's acknowledgement ends soon",
    { because: "still_on_it" },
    { title: "Still on it? Disk full", body: "Your acknowledgement ends at 12:34 UTC. Acknowledge again to keep it." },
  ],
  ["the event is open again", { because: "open_again" }, { title: "Open again: Disk full", body: "2 % left" }],
  [
    "a named member added the person with a note",
    { because: "told", by, note: "your shop" },
    { title: "Disk full", body: "Bob notified you: your shop. 2 % left" },
  ],
  ["somebody added the person", { because: "told" }, { title: "Disk full", body: "Somebody notified you. 2 % left" }],
  [
    "a named member escalated the event with a note",
    { because: "escalated", by, note: "stuck" },
    { title: "Disk full", body: "Bob escalated this alert: stuck. 2 % left" },
  ],
  [
    "an unnamed member escalated the event",
    { because: "escalated" },
    { title: "Disk full", body: "Somebody escalated this alert. 2 % left" },
  ],
  [
    "a named member who acknowledged the event is no longer on call",
    { because: "handed_over", by },
    { title: "Handed off: Disk full", body: "Bob acknowledged it and is no longer on call. 2 % left" },
  ],
  [
    "an unnamed member who acknowledged the event is no longer on call",
    { because: "handed_over" },
    { title: "Handed off: Disk full", body: "Somebody acknowledged it and is no longer on call. 2 % left" },
  ],
  [
    "the alert flaps",
    { because: "flapping" },
    {
      title: "Flapping: Disk full",
      body: "This alert keeps opening and closing. You will be notified at 12:34 UTC if it is still open. 2 % left",
    },
  ],
  ["the event's priority was raised", { because: "raised" }, { title: "Worse: Disk full", body: "2 % left" }],
  [
    "the alert repeated once after its acknowledgement",
    { because: "still_failing" },
    { title: "Still failing: Disk full", body: "1 repeat since you acknowledged it. 2 % left" },
  ],
  [
    "the alert repeated three times after its acknowledgement",
    { because: "still_failing", repeats: 3 },
    { title: "Still failing: Disk full", body: "3 repeats since you acknowledged it. 2 % left" },
  ],
  ["the event repeats", { because: "repeated" }, event],
])("the text of a push says why a person was added to an event or is notified again: %s", (_, added, text) => {
  expect(formatTextForAddedPerson(added, event, "2026-11-21T12:34:56.000Z")).toEqual(text);
});
