import { describe, expect, it } from "vitest";
import type { Incumbent } from "../../../../core/domain/event/incumbent.ts";
import { compareShadow } from "../../../../core/domain/planning/compare-shadow.ts";

const NOON = Date.UTC(2026, 10, 23, 12);
const minutePastNoon = (minute: number) => `2026-11-23T12:0${minute}:00.000Z`;
const MINUTE = 60_000;

const members = new Map([
  ["usr_ann", { name: "Ann", email: "Ann@a.example" }],
  ["usr_bob", { name: "Bob", email: "bob@a.example" }],
]);
const page = (email: string, minute: number, devices = [{ id: "dev_1", by: "push" as const }]) => ({
  user: { id: "usr_1", name: "", email },
  at: minutePastNoon(minute),
  rule: 0,
  step: 0,
  devices,
});
const incumbentMessage = (action: Incumbent["action"], minute: number, fields: Partial<Incumbent> = {}): Incumbent => ({
  action,
  at: NOON + minute * MINUTE,
  notified: [],
  ...fields,
});
/** Returns each row as its verdict, its person, and the minutes in the old service and in this service. */
const compare = (pages: ReturnType<typeof page>[], incumbent: Incumbent[], endedAt?: number) =>
  compareShadow({ pages: pages as never }, incumbent, members, endedAt).map(({ verdict, theirs, ours }) =>
    [verdict, ...[theirs, ours].map((one) => one && `${one.person} ${one.at.slice(15, 16)}`)].join(", "),
  );

describe("the comparison of a shadow with the old service", () => {
  it.each<[string, ReturnType<typeof page>[], Incumbent[], string[]]>([
    [
      "no rows if it is unknown whom the old service notified",
      [page("ann@a.example", 0)],
      [incumbentMessage("triggered", 0)],
      [],
    ],
    [
      "each person once, found by address or name in any case",
      [page("ANN@a.example", 0), page("bob@a.example", 0)],
      [incumbentMessage("triggered", 0, { notified: [" ann@A.example", "bob"] })],
      ["same, ann@a.example 0, ann@a.example 0", "same, bob@a.example 0, bob@a.example 0"],
    ],
    [
      "the old service's name for a recipient who is not a member",
      [page("ann@a.example", 0)],
      [incumbentMessage("triggered", 0, { notified: ["Eve"] })],
      ["other person, eve 0, ann@a.example 0"],
    ],
    [
      "no page that reached no device",
      [page("ann@a.example", 0, [])],
      [incumbentMessage("triggered", 0, { notified: ["Ann"] })],
      ["nobody, ann@a.example 0, "],
    ],
    [
      "no page after the first acknowledgement or the end",
      [page("ann@a.example", 0), page("bob@a.example", 3)],
      [
        incumbentMessage("triggered", 0, { notified: ["Ann"] }),
        incumbentMessage("closed", 5),
        incumbentMessage("acknowledged", 3),
      ],
      ["same, ann@a.example 0, ann@a.example 0"],
    ],
    [
      "the same page for the old service, if the old service reported only a later acknowledgement",
      [page("ann@a.example", 1)],
      [incumbentMessage("acknowledged", 4, { by: "Ann" })],
      ["same, ann@a.example 1, ann@a.example 1"],
    ],
    [
      "no difference between pages up to a minute apart",
      [page("ann@a.example", 1), page("bob@a.example", 2)],
      [incumbentMessage("triggered", 0, { notified: ["Ann", "Bob"] })],
      ["same, ann@a.example 0, ann@a.example 1", "later, bob@a.example 0, bob@a.example 2"],
    ],
    [
      "the time of an escalation, which is exact",
      [page("ann@a.example", 1)],
      [incumbentMessage("escalated", 4, { by: "Bob", notified: ["Ann"] })],
      ["earlier, ann@a.example 4, ann@a.example 1"],
    ],
  ])("has %s", (_, pages, incumbent, rows) => {
    expect(compare(pages, incumbent)).toEqual(rows);
  });

  it.each([
    ["was not reported", []],
    ["was reported later", [incumbentMessage("closed", 5)]],
  ])(
    "leaves out this service's pages that were due after the event's end, even if the end in the old service %s",
    (_, ends) => {
      const pages = [page("ann@a.example", 0), page("bob@a.example", 2)];
      const incumbent = [incumbentMessage("triggered", 0, { notified: ["Ann", "Bob"] }), ...ends];

      expect(compare(pages, incumbent, NOON + 2 * MINUTE)).toEqual([
        "same, ann@a.example 0, ann@a.example 0",
        "nobody, bob@a.example 0, ",
      ]);
    },
  );
});
