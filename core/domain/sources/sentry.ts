import * as v from "valibot";
import { toResolvedTitle } from "../event/event.ts";
import {
  createAdapter,
  fields,
  findText,
  list,
  joinNames,
  maybe,
  partSchema,
  mapStates,
  type Action,
  type Adapter,
  type Draft,
} from "./draft.ts";

const Issue = partSchema({
  id: maybe,
  shortId: maybe,
  title: maybe,
  culprit: maybe,
  level: maybe,
  metadata: fields,
  permalink: maybe,
  web_url: maybe,
  project: fields,
});
const Occurrence = partSchema({
  event_id: maybe,
  issue_id: maybe,
  title: maybe,
  message: maybe,
  culprit: maybe,
  level: maybe,
  metadata: fields,
  environment: maybe,
  platform: maybe,
  release: maybe,
  url: maybe,
  web_url: maybe,
});
const MetricAlert = partSchema({ id: maybe, title: maybe, projects: list, alert_rule: fields });

const Hook = v.object({
  action: v.string("action must be the string that a Sentry integration sends."),
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
    "data must be the object that a Sentry integration sends.",
  ),
});

/** An alert of Sentry's older WebHooks plugin, which never reports actions or the end of an alert. */
const PluginAlert = v.object({
  id: maybe,
  project: maybe,
  project_slug: maybe,
  culprit: maybe,
  level: maybe,
  message: maybe,
  url: maybe,
  triggering_rules: list,
  event: v.looseObject({ title: maybe, message: maybe, metadata: fields }),
});

const actions = mapStates({
  created: "firing",
  triggered: "firing",
  critical: "firing",
  warning: "firing",
  unresolved: "firing",
  resolved: "resolved",
  archived: "resolved",
  ignored: "resolved",
});

const formatTitle = (action: Action, title: string): string => (action === "resolved" ? toResolvedTitle(title) : title);

type Data = v.InferOutput<typeof Hook>["data"];
type Alert = { word: string; data: Data };

const toMetricDraft = (alert: NonNullable<Data["metric_alert"]>, { word, data }: Alert): Draft => {
  const action = actions.get(word) ?? "info";
  const title = findText(data.description_title, alert.title) ?? "Metric alert";
  return {
    action,
    title: formatTitle(action, title),
    body: findText(data.description_text) ?? title,
    severity: [word],
    links: { Alert: data.web_url },
    data: { action: word, rule: alert.alert_rule["name"], project: joinNames(alert.projects) },
    key: alert.id === undefined ? undefined : `metric:${alert.id}`,
  };
};

/** Returns the project in the URL of an occurrence. */
const parseProject = (address: string | undefined): string | undefined =>
  /\/projects\/[^/]+\/([^/]+)\//.exec(address ?? "")?.[1];

const toIssueDraft = ({ word, data }: Alert): Draft => {
  const { issue } = data;
  const event = data.event ?? data.error;
  const action = actions.get(word) ?? "info";
  const title = findText(issue?.title, event?.title, event?.message) ?? "Sentry issue";
  const level = issue?.level ?? event?.level;
  const key = issue?.id ?? event?.issue_id;
  const values = [event?.message, event?.metadata["value"], issue?.metadata["value"]];
  return {
    action,
    title: formatTitle(action, title),
    body: findText(...values, issue?.culprit, event?.culprit) ?? title,
    severity: [level],
    links: { Event: event?.web_url, Issue: findText(issue?.web_url, issue?.permalink, data.web_url) },
    data: {
      action: word,
      level,
      issue: issue?.shortId ?? key,
      culprit: issue?.culprit ?? event?.culprit,
      project: findText(issue?.project["slug"], parseProject(event?.url)),
      rule: data.triggered_rule,
      environment: event?.environment,
      release: event?.release,
      platform: event?.platform,
    },
    key: key === undefined ? undefined : `issue:${key}`,
    once: event?.event_id === undefined ? undefined : `${event.event_id}:${word}:${data.triggered_rule ?? ""}`,
  };
};

const toHookDrafts = ({ action: word, data }: v.InferOutput<typeof Hook>): Draft[] => {
  if (data.metric_alert) return [toMetricDraft(data.metric_alert, { word, data })];
  // Comments and installations create no event.
  return data.issue || data.event || data.error ? [toIssueDraft({ word, data })] : [];
};

const toPluginDrafts = ({ event, ...alert }: v.InferOutput<typeof PluginAlert>): Draft[] => {
  const { id, culprit, level, message, url: permalink, triggering_rules: rules } = alert;
  const project = { slug: findText(alert.project_slug, alert.project) };
  const issue = { id, title: findText(event.title, message), culprit, level, permalink, project };
  const said = { ...event, message: findText(event.message, event.metadata["value"], message) };
  const data = { issue, event: said, triggered_rule: joinNames(rules) };
  const read = v.safeParse(Hook, { action: "triggered", data });
  return read.success ? toHookDrafts(read.output) : [];
};

const hook = createAdapter(Hook, toHookDrafts);
const plugin = createAdapter(PluginAlert, toPluginDrafts);

const isPluginAlert = (payload: unknown): boolean =>
  typeof payload === "object" &&
  payload !== null &&
  !("action" in payload) &&
  "project" in payload &&
  "event" in payload;

export const sentry: Adapter = v.lazy((payload) => (isPluginAlert(payload) ? plugin : hook));
