import * as v from "valibot";
import { toResolvedTitle } from "../event/event.ts";
import { alertmanager } from "./alertmanager.ts";
import { createAdapter, fields, findText, maybe, mapStates, type Adapter } from "./draft.ts";

const Match = v.object({ metric: maybe, value: v.unknown(), tags: fields });

/** The webhook for dashboard alerts, which Grafana sent before version 11. */
const DashboardAlert = v.object({
  state: v.string(),
  ruleId: maybe,
  ruleName: maybe,
  ruleUrl: maybe,
  imageUrl: maybe,
  orgId: maybe,
  title: maybe,
  message: maybe,
  tags: fields,
  evalMatches: v.fallback(v.array(Match), []),
});

const states = mapStates({ alerting: "firing", no_data: "firing", ok: "resolved" });

const dashboardAlert = createAdapter(DashboardAlert, (alert) => {
  const { state, ruleId, ruleName, orgId, tags, evalMatches } = alert;
  const action = states.get(state);
  // A pending or paused rule creates no event.
  if (action === undefined) return [];
  const rule = findText(ruleName, alert.title) ?? "Alert";
  const title = state === "no_data" ? `No data: ${rule}` : rule;
  return [
    {
      action,
      title: action === "resolved" ? toResolvedTitle(title) : title,
      body: findText(alert.message, alert.title) ?? rule,
      severity: [tags["severity"], tags["priority"]],
      links: { Runbook: tags["runbook_url"], Panel: alert.ruleUrl, Image: alert.imageUrl },
      data: {
        rule: ruleName,
        state,
        labels: tags,
        values: Object.fromEntries(evalMatches.map(({ metric, value }) => [metric, value])),
        series: evalMatches,
      },
      key: ruleId === undefined ? `rule:${rule}` : `rule:${orgId ?? ""}:${ruleId}`,
    },
  ];
});

const isDashboardAlert = (payload: unknown): boolean =>
  typeof payload === "object" && payload !== null && "state" in payload && !("alerts" in payload);

/** Reads messages of Grafana's alerting, or dashboard alerts of older versions. */
export const grafana: Adapter = v.lazy((payload) => (isDashboardAlert(payload) ? dashboardAlert : alertmanager));
