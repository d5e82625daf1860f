import { expect, it } from "vitest";
import { formatTextForAddedPerson, type Added } from "../../../../core/domain/delivery/added.ts";

const event = { title: "Disk full", body: "2 % left" };
const by = { id: "usr_bob", name: "Bob" };

it.each<[Added, { title: string; body: string }]>([
  [
    { because: "still_on_it" },
    { title: "Still on it? Disk full", body: "Your acknowledgement ends at 12:34 UTC. Acknowledge again to keep it." },
  ],
  [{ because: "open_again" }, { title: "Open again: Disk full", body: "2 % left" }],
  [
    { because: "told", by, note: "your shop" },
    { title: "Disk full", body: "Bob notified you: your shop. 2 % left" },
  ],
  [{ because: "told" }, { title: "Disk full", body: "Somebody notified you. 2 % left" }],
  [
    { because: "escalated", by, note: "stuck" },
    { title: "Disk full", body: "Bob escalated this alert: stuck. 2 % left" },
  ],
  [{ because: "escalated" }, { title: "Disk full", body: "Somebody escalated this alert. 2 % left" }],
  [
    { because: "handed_over", by },
    { title: "Handed off: Disk full", body: "Bob acknowledged it and is no longer on call. 2 % left" },
  ],
  [
    { because: "handed_over" },
    { title: "Handed off: Disk full", body: "Somebody acknowledged it and is no longer on call. 2 % left" },
  ],
  [
    { because: "flapping" },
    {
      title: "Flapping: Disk full",
      body: "This alert keeps opening and closing. You will be notified at 12:34 UTC if it is still open. 2 % left",
    },
  ],
  [{ because: "raised" }, { title: "Worse: Disk full", body: "2 % left" }],
  [
    { because: "still_failing" },
    { title: "Still failing: Disk full", body: "1 repeat since you acknowledged it. 2 % left" },
  ],
  [
    { because: "still_failing", repeats: 3 },
    { title: "Still failing: Disk full", body: "3 repeats since you acknowledged it. 2 % left" },
  ],
  [{ because: "repeated" }, event],
])("the push to a person who was added to an event for the reason %j has the text %j", (added, text) => {
  expect(formatTextForAddedPerson(added, event, "2026-11-21T12:34:56.000Z")).toEqual(text);
});
