import * as v from "valibot";
import { adapter, first, words, fields, maybe, part, priorityOf, timeOf, type Draft } from "./draft.ts";

const Run = part({
  id: maybe,
  name: maybe,
  workflow_id: maybe,
  run_number: maybe,
  run_attempt: maybe,
  head_branch: maybe,
  head_sha: maybe,
  conclusion: maybe,
  html_url: maybe,
  event: maybe,
  completed_at: maybe,
  updated_at: maybe,
});
const Payload = v.object({
  action: maybe,
  zen: maybe,
  repository: part({ full_name: maybe, html_url: maybe }),
  organization: part({ login: maybe }),
  workflow_run: Run,
  check_run: Run,
  deployment: part({ environment: maybe, ref: maybe }),
  deployment_status: part({
    id: maybe,
    state: maybe,
    description: maybe,
    target_url: maybe,
    environment: maybe,
    created_at: maybe,
  }),
  alert: part({
    number: maybe,
    created_at: maybe,
    updated_at: maybe,
    html_url: maybe,
    state: maybe,
    secret_type_display_name: maybe,
    rule: fields,
    security_advisory: fields,
  }),
});
type Payload = v.InferOutput<typeof Payload>;

const ends = words({
  failure: "firing",
  timed_out: "firing",
  startup_failure: "firing",
  action_required: "firing",
  error: "firing",
  success: "resolved",
});

const ofRun = (run: NonNullable<Payload["workflow_run"]>, kind: string, repository: string): Draft[] => {
  const { conclusion = "" } = run;
  const action = ends.get(conclusion);
  if (action === undefined) return [];
  const name = first(run.name) ?? kind;
  const branch = run.head_branch ?? "";
  return [
    {
      action,
      title: `${repository}: ${name} ${action === "resolved" ? "succeeded" : "failed"}`,
      body: `${name} on ${branch === "" ? "a commit" : branch}: ${conclusion}`,
      priority: "HIGH",
      url: run.html_url,
      data: {
        repository,
        kind,
        name,
        branch,
        commit: run.head_sha,
        conclusion,
        run: run.run_number,
        trigger: run.event,
      },
      changedAt: timeOf(run.completed_at ?? run.updated_at),
      key: `${kind}:${repository}:${run.workflow_id ?? name}:${branch}`,
      once: run.id === undefined ? undefined : `${kind}:${run.id}:${run.run_attempt ?? ""}:${conclusion}`,
    },
  ];
};

const ofDeployment = (
  status: NonNullable<Payload["deployment_status"]>,
  payload: Payload,
  repository: string,
): Draft[] => {
  const { state = "" } = status;
  const action = ends.get(state);
  if (action === undefined) return [];
  const environment = first(status.environment, payload.deployment?.environment) ?? "an environment";
  return [
    {
      action,
      title: `${repository}: deployment to ${environment} ${action === "resolved" ? "succeeded" : "failed"}`,
      body: first(status.description) ?? `Deployment to ${environment}: ${state}`,
      priority: "HIGH",
      url: first(status.target_url, payload.repository?.html_url),
      data: { repository, kind: "deployment", environment, state, ref: payload.deployment?.ref },
      changedAt: timeOf(status.created_at),
      key: `deployment:${repository}:${environment}`,
      once: status.id === undefined ? undefined : `deployment:${status.id}`,
    },
  ];
};

const alertActions = words({
  created: "firing",
  reopened: "firing",
  auto_reopened: "firing",
  reopened_by_user: "firing",
  appeared_in_branch: "firing",
  fixed: "resolved",
  dismissed: "resolved",
  auto_dismissed: "resolved",
  closed_by_user: "resolved",
  resolved: "resolved",
  revoked: "resolved",
});

const ofAlert = (alert: NonNullable<Payload["alert"]>, word: string, repository: string): Draft[] => {
  const action = alertActions.get(word);
  if (action === undefined) return [];
  const { rule, security_advisory: advisory } = alert;
  const what = first(advisory["summary"], rule["description"], alert.secret_type_display_name) ?? "Security alert";
  const severity = rule["security_severity_level"] ?? advisory["severity"] ?? rule["severity"];
  return [
    {
      action,
      title: `${action === "resolved" ? "Resolved: " : ""}${repository}: ${what}`,
      body: first(advisory["description"], rule["full_description"]) ?? what,
      priority: priorityOf(severity) ?? "HIGH",
      url: alert.html_url,
      data: { repository, kind: "alert", action: word, severity, number: alert.number, state: alert.state },
      changedAt: timeOf(alert.updated_at ?? alert.created_at),
      key: `alert:${alert.html_url ?? `${repository}:${alert.number ?? ""}`}`,
    },
  ];
};

const read = (payload: Payload): Draft[] => {
  const repository = first(payload.repository?.full_name, payload.organization?.login) ?? "GitHub";
  if (payload.zen !== undefined)
    return [
      {
        action: "test",
        title: `${repository}: GitHub says hello`,
        body: payload.zen,
        url: payload.repository?.html_url,
        data: { repository },
      },
    ];
  const { workflow_run: workflow, check_run: check, deployment_status: deployment, alert } = payload;
  if (workflow) return ofRun(workflow, "workflow", repository);
  if (check) return ofRun(check, "check", repository);
  if (deployment) return ofDeployment(deployment, payload, repository);
  return alert ? ofAlert(alert, payload.action ?? "", repository) : [];
};

/** GitHub's webhooks: workflow and check runs, deployments, security alerts and the ping. Others make no event. */
export const github = adapter(Payload, read);
