import { expect, it } from "vitest";
import { listUnconfirmed } from "../../console/pages/on-call/unconfirmed.ts";

const person = (userId: string, fields: object = {}) => ({
  userId,
  name: userId.toUpperCase(),
  email: "",
  inGroup: true,
  notified: true,
  notNotified: null,
  source: { kind: "override" as const, overrideId: "ovr_1", start: "", end: "" },
  proven: null,
  ...fields,
});

it("the on-call page names each person of the current and the next shift whose reachability is unconfirmed, once", () => {
  const unconfirmed = { proven: false };
  const onCall = [
    person("ann", { notified: false, ...unconfirmed }),
    person("bob", unconfirmed),
    person("cyd", { inGroup: false, notified: false }),
    person("dan", { proven: true }),
  ];

  expect(listUnconfirmed({ onCall, next: null }).map(({ name }) => name)).toEqual(["ANN", "BOB"]);
  expect(
    listUnconfirmed({ onCall, next: { at: "", onCall: [person("bob", unconfirmed), person("eve", unconfirmed)] } }),
  ).toEqual([
    { userId: "ann", name: "ANN" },
    { userId: "bob", name: "BOB" },
    { userId: "eve", name: "EVE" },
  ]);
});
