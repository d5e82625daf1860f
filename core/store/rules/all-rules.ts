import * as v from "valibot";
import type { TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { connectionPrefix, rulePrefix, rulesPk, silencePrefix, webhookPrefix } from "../keys.ts";
import type { RoutingRule } from "../../domain/rules/routing-rule.ts";
import type { Silence } from "../../domain/rules/silence.ts";
import { Connection } from "../../domain/connection/connection.ts";
import { Webhook } from "../../domain/webhook/webhook.ts";
import { RuleItem } from "./rules.ts";
import { SilenceItem } from "./silences.ts";
import { mapInSlices } from "../slices.ts";
import { parseItem, queryItems } from "../table.ts";
import { compareByCreation } from "../configuration/versioned.ts";

const AnyItem = v.looseObject({ sk: v.string() });

/** Reads all rules, silences, webhooks and connections of a workspace by one query, oldest first. Strongly consistent. */
export const loadRuleSet = async (
  deps: TableDeps,
  ws: WorkspaceId,
): Promise<{ rules: RoutingRule[]; silences: Silence[]; webhooks: Webhook[]; connections: Connection[] }> => {
  const items = await queryItems(deps, { pk: rulesPk(ws) }, AnyItem);
  const parseItemsWithPrefix = async <Item extends { id: string; createdAt: string }>(
    prefix: string,
    schema: v.GenericSchema<unknown, Item>,
  ): Promise<Item[]> => {
    const found = items.filter(({ sk }) => sk.startsWith(prefix));
    return (await mapInSlices(found, (item) => parseItem(schema, item))).sort(compareByCreation);
  };
  return {
    rules: await parseItemsWithPrefix(rulePrefix, RuleItem),
    silences: await parseItemsWithPrefix(silencePrefix, SilenceItem),
    webhooks: await parseItemsWithPrefix(webhookPrefix, Webhook),
    connections: await parseItemsWithPrefix(connectionPrefix, Connection),
  };
};
