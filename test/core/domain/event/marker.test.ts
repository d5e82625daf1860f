import * as v from "valibot";
import { expect, it } from "vitest";
import { Marker } from "../../../../core/domain/event/marker.ts";

const event = { ws: "ws_1", eventId: "evt_1", due: 5, since: 4, tries: 3 };

it.each([
  ["an event", {}],
  ["a part of an event's plan", { part: 2 }],
  ["an escalation step", { step: { rule: 1, cursor: 2 } }],
  ["the end of a temporary acknowledgement", { term: { work: "end", until: 9 } }],
  ["the confirmation request of a temporary acknowledgement", { term: { work: "ask", until: 9 } }],
  ["a later notification step", { ring: { packId: "p1" } }],
])("a marker of %s is read as it was stored", (_, work) => {
  expect(v.parse(Marker, { ...event, ...work })).toEqual({ ...event, ...work });
});

it.each([
  ["a workspace", { ws: "evt_1" }],
  ["an event", { eventId: undefined }],
  ["a time", { due: "5" }],
  ["the kind of work that a temporary acknowledgement needs", { term: { work: "", until: 9 } }],
])("a marker without %s is refused", (_, work) => {
  expect(v.safeParse(Marker, { ...event, ...work }).success).toBe(false);
});
