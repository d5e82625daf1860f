import * as v from "valibot";
import { Conditions } from "../../../core/domain/rules/matching/index.ts";
import type { FileRule } from "../file.ts";
import type { Draft } from "./draft.ts";
import type { Ladder } from "./ladder.ts";

/** A name as the first part of an event key: `Checkout API` becomes `checkout_api`. */
export const resourceFor = (name: string): string => {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, 100);
  if (plain === "") return "unnamed";
  return plain === "service" ? "the_service" : plain;
};

export type Drafted = { field: string; operator: string; value?: string | string[] };

/** Conditions that the interface accepts, or what is wrong with them. */
export const conditionsOf = (drafts: readonly Drafted[]): { conditions: Conditions } | { fault: string } => {
  const result = v.safeParse(Conditions, drafts);
  return result.success
    ? { conditions: result.output }
    : { fault: result.issues.map(({ message }) => message).join(" ") };
};

/** Adds a rule to the file; returns its name. */
export const addRule = (
  draft: Draft,
  wanted: string,
  ladder: Ladder,
  rule: Pick<FileRule, "eventKey"> &
    Partial<Pick<FileRule, "conditions" | "conditionMatch" | "enabled" | "priorityOverride">>,
): string => {
  const name = draft.nameFor("rules", wanted);
  draft.setUp.rules.push({
    name,
    conditions: [],
    conditionMatch: "all",
    requiresAck: true,
    priorityOverride: null,
    enabled: true,
    ...rule,
    ...ladder,
  });
  return name;
};
