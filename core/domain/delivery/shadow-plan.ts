import * as v from "valibot";
import { toIso } from "../basics/time.ts";
import { pushChannels } from "../device/channel.ts";

/** A page that a person would get unless somebody acknowledged earlier. `at`: in milliseconds. */
const PlannedPage = v.object({
  userId: v.string(),
  at: v.number(),
  /** `rule`: the rule's index in the plan. `step`: the escalation step, from 1; 0 is the rule itself. */
  rule: v.number(),
  step: v.number(),
  /** The devices that would get the page; empty if the person has no device. */
  devices: v.array(v.object({ id: v.string(), by: v.picklist(pushChannels) })),
});
export type PlannedPage = v.InferOutput<typeof PlannedPage>;

/** Pages that an event in a shadow would cause; `omitted` counts further pages. `asks`: the event needs an acknowledgement. */
export const ShadowPlan = v.object({ asks: v.boolean(), pages: v.array(PlannedPage), omitted: v.number() });
export type ShadowPlan = v.InferOutput<typeof ShadowPlan>;

const Person = v.object({ id: v.string(), name: v.string(), email: v.string() });

/** The pages that people would get if nobody acknowledged, in order of time. */
export const ShadowView = v.object({
  pages: v.array(
    v.object({
      user: Person,
      at: v.string(),
      rule: v.object({ id: v.string(), name: v.string() }),
      /** The escalation step, from 1; 0 is the rule itself. */
      escalationStep: v.number(),
      devices: PlannedPage.entries.devices,
    }),
  ),
  pagesNotListed: v.number(),
});
export type ShadowView = v.InferOutput<typeof ShadowView>;

/** Returns the pages with the names of rules and people. `rules`: the rules of the plan. People who have left have no name. */
export const toShadowView = (
  { pages, omitted }: ShadowPlan,
  rules: readonly { rule: { id: string; name: string } }[],
  members: ReadonlyMap<string, { name: string; email: string }>,
): ShadowView => ({
  pages: pages.map(({ userId, at, rule: index, step, devices }) => {
    const { name = "", email = "" } = members.get(userId) ?? {};
    const { id = "", name: ruleName = "" } = rules[index]?.rule ?? {};
    return {
      user: { id: userId, name, email },
      at: toIso(at),
      rule: { id, name: ruleName },
      escalationStep: step,
      devices,
    };
  }),
  pagesNotListed: omitted,
});
