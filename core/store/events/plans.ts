import { createHash } from "node:crypto";
import * as v from "valibot";
import type { TableDeps } from "../../deps.ts";
import { findPartIndex, PlanPart, type PlannedRule } from "../../domain/delivery/delivery-plan.ts";
import { deflatedSchema, deflate } from "../codec.ts";
import type { PlannedEvent, StoredEvent } from "../../domain/event/stored-event.ts";
import { planPartKey } from "../keys.ts";
import { getItem, putItem } from "../table.ts";

const PartItem = v.object({ part: deflatedSchema(PlanPart) });

/** Returns the id under which a plan's parts are stored. Equal parts have equal ids, so a retry writes the same items. */
export const computePlanId = (parts: readonly PlanPart[]): string => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(JSON.stringify(part)).update("\n");
  return hash.digest("hex").slice(0, 32);
};

export const putPlanPart = (
  deps: TableDeps,
  { workspaceId: ws, seq, keptUntil: ttl }: Pick<StoredEvent, "workspaceId" | "seq" | "keptUntil">,
  planId: string,
  index: number,
  part: PlanPart,
): Promise<void> => putItem(deps, planPartKey(ws, seq, planId, index), { part: deflate(part), ttl });

type PlanRef = Pick<PlannedEvent, "workspaceId" | "eventId" | "seq" | "plan">;

export const readPlanPart = async (
  deps: TableDeps,
  { workspaceId, eventId, seq, plan }: PlanRef,
  index: number,
): Promise<PlanPart> => {
  if (typeof plan.body !== "string") return plan.body;
  const item = await getItem(deps, planPartKey(workspaceId, seq, plan.body, index), PartItem);
  if (item === undefined) throw new Error(`part ${index} of the plan of ${eventId} is not stored`);
  return item.part;
};

/** Yields the parts of an event's plan in order. Reads a part only when the caller needs the part. */
export async function* readPlanParts(deps: TableDeps, event: PlanRef): AsyncGenerator<PlanPart> {
  for (const index of event.plan.parts.keys()) yield await readPlanPart(deps, event, index);
}

/** Reads one rule of a plan, with only the recipients in the plan part in which the rule begins. */
export const readPlannedRule = async (
  deps: TableDeps,
  event: PlanRef,
  rule: number,
): Promise<PlannedRule | undefined> => {
  if (rule >= event.plan.matched) return undefined;
  const part = await readPlanPart(deps, event, findPartIndex(event.plan, rule));
  return part.rules[rule - part.rule];
};

/** Reads the rules of an event's plan, each with its recipients in all plan parts. */
export const readPlannedRules = async (deps: TableDeps, event: PlanRef): Promise<PlannedRule[]> => {
  const rules: PlannedRule[] = [];
  for await (const part of readPlanParts(deps, event))
    for (const [index, planned] of part.rules.entries()) {
      const begun = rules[part.rule + index];
      rules[part.rule + index] =
        begun === undefined ? planned : { ...begun, recipients: [...begun.recipients, ...planned.recipients] };
    }
  return rules;
};
