import { liveDeps } from "../../core/live.ts";
import { deleteRule } from "../../core/store/rules.ts";
import { deletion } from "../http/deletion.ts";

export const deleteRoutingRule = deletion("rule", "ruleId", deleteRule);

export const handler = deleteRoutingRule(liveDeps());
