import * as v from "valibot";
import { adapter, fields, first, words, maybe, part, priorityOf, type Action, type Draft } from "./draft.ts";

const Issue = part({
  id: maybe,
  shortId: maybe,
  title: maybe,
  culprit: maybe,
  level: maybe,
  permalink: maybe,
  web_url: maybe,
  project: fields,
});
const Occurrence = part({
  event_id: maybe,
  issue_id: maybe,
  title: maybe,
  message: maybe,
  culprit: maybe,
  level: maybe,
  environment: maybe,
  platform: maybe,
  release: maybe,
  web_url: maybe,
});
const MetricAlert = part({ id: maybe, title: maybe, alert_rule: fields });

const Payload = v.object({
  action: v.string("action must be the text that a webhook of a Sentry integration has there."),
  data: v.object(
    {
      issue: Issue,
      event: Occurrence,
      error: Occurrence,
      metric_alert: MetricAlert,
      triggered_rule: maybe,
      description_title: maybe,
      description_text: maybe,
      web_url: maybe,
    },
    "data must be an object, as a webhook of a Sentry integration has it.",
  ),
});

const actions = words({
  created: "firing",
  triggered: "firing",
  critical: "firing",
  warning: "firing",
  unresolved: "firing",
  resolved: "resolved",
  archived: "resolved",
  ignored: "resolved",
});

const prefixed = (action: Action, title: string): string => (action === "resolved" ? `Resolved: ${title}` : title);

type Data = v.InferOutput<typeof Payload>["data"];

const ofMetric = (
  word: string,
  { id, title: named, alert_rule: rule }: NonNullable<Data["metric_alert"]>,
  data: Data,
): Draft => {
  const action = actions.get(word) ?? "info";
  const title = first(data.description_title, named) ?? "Metric alert";
  return {
    action,
    title: prefixed(action, title),
    body: first(data.description_text) ?? title,
    priority: priorityOf(word) ?? "HIGH",
    url: data.web_url,
    data: { action: word, rule: rule["name"] },
    key: id === undefined ? undefined : `metric:${id}`,
  };
};

const ofIssue = (word: string, data: Data): Draft => {
  const { issue } = data;
  const occurrence = data.event ?? data.error;
  const action = actions.get(word) ?? "info";
  const title = first(issue?.title, occurrence?.title, occurrence?.message) ?? "Sentry issue";
  const level = issue?.level ?? occurrence?.level;
  const key = issue?.id ?? occurrence?.issue_id;
  return {
    action,
    title: prefixed(action, title),
    body: first(occurrence?.message, issue?.culprit, occurrence?.culprit) ?? title,
    priority: priorityOf(level),
    url: first(occurrence?.web_url, issue?.web_url, issue?.permalink, data.web_url),
    data: {
      action: word,
      level,
      issue: issue?.shortId ?? key,
      culprit: issue?.culprit ?? occurrence?.culprit,
      project: issue?.project["slug"],
      rule: data.triggered_rule,
      environment: occurrence?.environment,
      release: occurrence?.release,
      platform: occurrence?.platform,
    },
    key: key === undefined ? undefined : `issue:${key}`,
    once:
      occurrence?.event_id === undefined ? undefined : `${occurrence.event_id}:${word}:${data.triggered_rule ?? ""}`,
  };
};

/** The webhooks of a Sentry integration: issues, alerts on them, and metric alerts. */
export const sentry = adapter(Payload, ({ action, data }) => [
  data.metric_alert ? ofMetric(action, data.metric_alert, data) : ofIssue(action, data),
]);
