import * as v from "valibot";
import type { FrozenPolicy } from "../../../core/domain/delivery/delivery-plan.ts";
import type { RecipientReason } from "../../../core/domain/delivery/notification.ts";
import type { People } from "../../../core/domain/people/people.ts";
import { RuleInput, type RoutingRule } from "../../../core/domain/rules/routing-rule.ts";

/** What may be a name of up to 100 characters, and what may not. */
export const names: readonly (readonly [name: string | undefined, good: boolean])[] = [
  ["x", true],
  ["🚨".repeat(100), true],
  ["🚨".repeat(101), false],
  ["", false],
  [undefined, false],
];

/** When events are decided in these tests. */
export const NOON = Date.UTC(2026, 10, 21, 12);

/** The groups as the targets of a rule. */
export const to = (...groupIds: string[]) => groupIds.map((groupId) => ({ type: "group" as const, groupId }));

export const aRule = (over: Partial<RoutingRule> = {}): RoutingRule => ({
  ...v.parse(RuleInput, { name: "Orders", eventKey: "order.failed", targets: to("grp_ops") }),
  id: "rule_1",
  workspaceId: "ws_1",
  enabled: true,
  version: 3,
  createdAt: "2026-11-01T00:00:00.000Z",
  updatedAt: "2026-11-02T00:00:00.000Z",
  ...over,
});

/** One step after five minutes: Lead. */
export const ladder: FrozenPolicy = {
  id: "pol_ladder",
  name: "Ladder",
  repeat: 0,
  steps: [{ delayMinutes: 5, targets: [{ type: "group", groupId: "grp_lead", onCallOnly: false }] }],
};

const shifts: Readonly<Record<string, Readonly<Record<string, RecipientReason>>>> = {
  grp_ops: { usr_bob: { layer: 1 }, usr_cat: { layer: 0 } },
  grp_lead: { usr_bob: { overrideId: "ovr_1" } },
};

/**
 * Ops are Ann and Bob, Lead is Cat, and nobody is in Empty. From noon on Bob has a shift in both, and Cat one in Ops: a
 * shift in a group that one is not in counts for nothing.
 */
export const people: People = {
  members: new Map([
    ["usr_ann", { name: "Ann", email: "ann@acme.example" }],
    ["usr_bob", { name: "Bob", email: "bob@acme.example" }],
    ["usr_cat", { name: "Cat", email: "cat@acme.example" }],
  ]),
  groups: new Map([
    ["grp_ops", { memberIds: ["usr_ann", "usr_bob"] }],
    ["grp_lead", { memberIds: ["usr_cat"] }],
    ["grp_empty", { memberIds: [] }],
  ]),
  policies: new Map([["pol_ladder", ladder]]),
  onCall: (groupId, at) => new Map(at < NOON ? [] : Object.entries(shifts[groupId] ?? {})),
};
