import * as v from "valibot";
import { createReplay, HistoryInput, type PastEvent } from "../../../../core/domain/planning/history.ts";
import { mergeDraftRules } from "../../../../core/domain/planning/draft.ts";
import type { RoutingRule } from "../../../../core/domain/rules/routing-rule.ts";
import type { Silence } from "../../../../core/domain/rules/silence.ts";
import { NOON, people as few, to } from "../support.ts";

export const MINUTE = 60_000;

export const pastEvent = (nr: number, fields: Partial<PastEvent["content"]> = {}): PastEvent => ({
  eventId: `evt_${nr}`,
  seq: nr,
  receivedAt: NOON + nr * MINUTE,
  content: { eventKey: "order.failed", title: `Order ${nr}`, body: "No stock", priority: "HIGH", ...fields },
});
export const ann = { userId: "usr_ann", name: "Ann", email: "ann@acme.example" };
export const bob = { userId: "usr_bob", name: "Bob", email: "bob@acme.example" };
export const cat = { userId: "usr_cat", name: "Cat", email: "cat@acme.example" };

export const forOps = { eventKey: "order.failed", targets: to("grp_ops") };
export const forLead = { eventKey: "order.failed", targets: to("grp_lead") };

export const preview = (
  drafts: object[],
  events: readonly PastEvent[],
  fields: {
    saved?: RoutingRule[];
    silences?: Silence[];
    people?: typeof few;
    leads?: readonly PastEvent[];
    loud?: number;
  } = {},
) => {
  const { saved = [], silences = [], people = few, leads = [], loud = null } = fields;
  const { rules } = v.parse(HistoryInput, { rules: drafts });
  const history = createReplay({ people, silences, loud }, saved, mergeDraftRules(saved, rules));
  for (const event of leads) history.lead(event);
  for (const event of events) history.look(event);
  return { ...history.answer(), reached: [...history.reached], longest: history.longest };
};
