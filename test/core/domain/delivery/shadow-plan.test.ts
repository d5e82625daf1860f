import { expect, it } from "vitest";
import { toShadowView } from "../../../../core/domain/delivery/shadow-plan.ts";
import { NOON } from "../support.ts";

it("each page of a shadow is shown with the names of its person and rule, which are empty if unknown", () => {
  const devices = [{ id: "dev_1", by: "fcm" as const }];
  const page = { userId: "usr_ann", at: NOON, rule: 0, step: 2, devices };
  const pages = [page, { ...page, userId: "usr_gone", rule: 1 }];
  const members = new Map([["usr_ann", { name: "Ann", email: "ann@acme.example" }]]);
  const shown = { at: "2026-11-21T12:00:00.000Z", escalationStep: 2, devices };

  expect(
    toShadowView({ asks: true, pages, omitted: 3 }, [{ rule: { id: "rule_1", name: "Orders" } }], members),
  ).toEqual({
    pages: [
      {
        ...shown,
        user: { id: "usr_ann", name: "Ann", email: "ann@acme.example" },
        rule: { id: "rule_1", name: "Orders" },
      },
      { ...shown, user: { id: "usr_gone", name: "", email: "" }, rule: { id: "", name: "" } },
    ],
    pagesNotListed: 3,
  });
});
