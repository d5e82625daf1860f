import * as v from "valibot";
import { toResolvedTitle } from "../event/event.ts";
import { createAdapter, findText, mapStates, fields, maybe, partSchema, parseTime, type Draft } from "./draft.ts";

const Repository = partSchema({ full_name: maybe, html_url: maybe });
const Run = partSchema({
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
  /** The repository of a workflow run's commit, which may be a fork. */
  head_repository: Repository,
  /** The branch of a check run, and the app that ran the check. */
  check_suite: partSchema({ head_branch: maybe }),
  app: partSchema({ slug: maybe }),
});
const Payload = v.object({
  action: maybe,
  zen: maybe,
  repository: Repository,
  organization: partSchema({ login: maybe }),
  workflow_run: Run,
  check_run: Run,
  deployment: partSchema({ environment: maybe, ref: maybe }),
  deployment_status: partSchema({
    id: maybe,
    state: maybe,
    description: maybe,
    target_url: maybe,
    log_url: maybe,
    environment_url: maybe,
    environment: maybe,
    created_at: maybe,
  }),
  alert: partSchema({
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

const ends = mapStates({
  failure: "firing",
  timed_out: "firing",
  startup_failure: "firing",
  error: "firing",
  success: "resolved",
});

/** Returns whether the message is a request for a run, which creates no event: it still has the previous run's conclusion. */
const isRunRequest = (action: string | undefined): boolean => /^(?:re)?requested/.test(action ?? "");

/** The app of GitHub Actions, which also reports each job as a check run. */
const ACTIONS = "github-actions";

/** Converts a run. `kind`: workflow or check. A run that neither failed nor succeeded, or that is repeated, gives no draft. */
const toRunDrafts = (run: NonNullable<Payload["workflow_run"]>, kind: string, payload: Payload): Draft[] => {
  const { conclusion = "", app } = run;
  const action = ends.get(conclusion);
  if (action === undefined || isRunRequest(payload.action) || app?.slug === ACTIONS) return [];
  const repository = readRepositoryName(payload);
  const name = findText(run.name) ?? kind;
  const branch = findText(run.head_branch, run.check_suite?.head_branch) ?? "";
  const head = run.head_repository?.full_name ?? repository;
  // A branch of a fork may have the name of the repository's branch, and a commit of a fork may have no branch.
  const where = branch === "" ? (run.head_sha ?? "") : head === repository ? branch : `${head}:${branch}`;
  const by = app?.slug === undefined ? "" : `${app.slug}:`;
  const key = `${kind}:${repository}:${by}${run.workflow_id ?? name}:${where}`;
  return [
    {
      action,
      title: `${repository}: ${name} ${action === "resolved" ? "succeeded" : "failed"}`,
      body: `${name} on ${branch === "" ? "a commit" : branch}: ${conclusion}`,
      priority: "HIGH",
      links: { Run: run.html_url },
      data: {
        repository,
        kind,
        name,
        branch,
        commit: run.head_sha,
        conclusion,
        run: run.run_number,
        trigger: run.event,
        app: app?.slug,
      },
      changedAt: parseTime(run.completed_at ?? run.updated_at),
      key,
      ...(action === "resolved" && kind === "check"
        ? { formerKey: `${kind}:${repository}:${name}:${run.head_branch ?? ""}` }
        : {}),
      once: run.id === undefined ? undefined : `${key}:${run.id}:${run.run_attempt ?? ""}:${conclusion}`,
    },
  ];
};

const toDeploymentDrafts = (status: NonNullable<Payload["deployment_status"]>, payload: Payload): Draft[] => {
  const repository = readRepositoryName(payload);
  const { state = "" } = status;
  const action = ends.get(state);
  if (action === undefined) return [];
  const environment = findText(status.environment, payload.deployment?.environment) ?? "an environment";
  const key = `deployment:${repository}:${environment}`;
  return [
    {
      action,
      title: `${repository}: deployment to ${environment} ${action === "resolved" ? "succeeded" : "failed"}`,
      body: findText(status.description) ?? `Deployment to ${environment}: ${state}`,
      priority: "HIGH",
      links: {
        Log: findText(status.log_url, status.target_url),
        Environment: status.environment_url,
        Repository: payload.repository?.html_url,
      },
      data: { repository, kind: "deployment", environment, state, ref: payload.deployment?.ref },
      changedAt: parseTime(status.created_at),
      key,
      once: status.id === undefined ? undefined : `${key}:${status.id}`,
    },
  ];
};

const alertActions = mapStates({
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

const toAlertDrafts = (alert: NonNullable<Payload["alert"]>, payload: Payload): Draft[] => {
  const { action: word = "" } = payload;
  const action = alertActions.get(word);
  if (action === undefined) return [];
  const repository = readRepositoryName(payload);
  const { rule, security_advisory: advisory } = alert;
  const what = findText(advisory["summary"], rule["description"], alert.secret_type_display_name) ?? "Security alert";
  const severities = [rule["security_severity_level"], advisory["severity"], rule["severity"]];
  const title = `${repository}: ${what}`;
  return [
    {
      action,
      title: action === "resolved" ? toResolvedTitle(title) : title,
      body: findText(advisory["description"], rule["full_description"]) ?? what,
      severity: severities,
      priority: "HIGH",
      links: { Alert: alert.html_url },
      data: {
        repository,
        kind: "alert",
        action: word,
        severity: findText(...severities),
        number: alert.number,
        state: alert.state,
      },
      changedAt: parseTime(alert.updated_at ?? alert.created_at),
      key: `alert:${alert.html_url ?? `${repository}:${alert.number ?? ""}`}`,
    },
  ];
};

const readRepositoryName = ({ repository, organization }: Payload): string =>
  findText(repository?.full_name, organization?.login) ?? "GitHub";

const toPayloadDrafts = (payload: Payload): Draft[] => {
  if (payload.zen !== undefined) {
    const repository = readRepositoryName(payload);
    const links = { Repository: payload.repository?.html_url };
    return [
      { action: "test", title: `${repository}: GitHub says hello`, body: payload.zen, links, data: { repository } },
    ];
  }
  const { workflow_run: workflow, check_run: check, deployment_status: deployment, alert } = payload;
  // The deployment is checked first, because a message about a deployment also contains a workflow run.
  if (deployment) return toDeploymentDrafts(deployment, payload);
  if (workflow) return toRunDrafts(workflow, "workflow", payload);
  if (check) return toRunDrafts(check, "check", payload);
  return alert ? toAlertDrafts(alert, payload) : [];
};

/** Reads workflow runs, check runs, deployments, security alerts and pings; other messages create no event. */
export const github = createAdapter(Payload, toPayloadDrafts);
