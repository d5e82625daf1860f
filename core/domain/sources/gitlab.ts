import * as v from "valibot";
import { toResolvedTitle } from "../event/event.ts";
import { createAdapter, joinNames, parseTime, mapStates, type Draft } from "./draft.ts";
import { listAt, createTextReader, textsAt, type Say } from "./paths.ts";

/** `name`: the pipeline, job or deployment in the project. */
type Hook = { name: (say: Say) => string; data: Record<string, string> } & Record<"body" | "url", string[]> &
  Record<"state" | "run" | "ended" | "page", string>;

/** All pipelines of a branch, schedule or merge request are one alert. */
const pipelineIdentity = (say: Say): string => {
  const [source, ref = "a commit"] = [say("object_attributes.source"), say("object_attributes.ref")];
  if (source === "schedule") return `scheduled pipeline of ${ref}`;
  if (source === "parent_pipeline") return `child pipeline of ${ref}`;
  const request = say("merge_request.iid");
  return `pipeline of ${request === undefined ? ref : `!${request} (${ref})`}`;
};

const hooks: Readonly<Record<string, Hook>> = {
  pipeline: {
    name: pipelineIdentity,
    state: "object_attributes.status",
    run: "object_attributes.id",
    ended: "object_attributes.finished_at",
    body: ["commit.title", "commit.message"],
    url: ["object_attributes.url"],
    page: "pipelines",
    data: { ref: "object_attributes.ref", source: "object_attributes.source", commit: "commit.id" },
  },
  build: {
    name: (say) => `job ${say("build_name") ?? ""} of ${say("ref") ?? "a commit"}`,
    state: "build_status",
    run: "build_id",
    ended: "build_finished_at",
    body: ["commit.message"],
    url: [],
    page: "jobs",
    data: { ref: "ref", job: "build_name", stage: "build_stage", commit: "sha" },
  },
  deployment: {
    name: (say) => `deployment to ${say("environment") ?? "an environment"}`,
    state: "status",
    run: "deployment_id",
    ended: "status_changed_at",
    body: ["commit_title"],
    url: ["deployable_url", "project.web_url"],
    page: "environments",
    data: { environment: "environment", ref: "ref", commit: "short_sha" },
  },
};

/** Other states, such as `running`, create no event. */
const actions = mapStates({
  failed: "firing",
  success: "resolved",
  triggered: "firing",
  detected: "firing",
  resolved: "resolved",
  ignored: "resolved",
  dismissed: "resolved",
});
const listFailedJobs = (payload: object): string | undefined => {
  const jobs = listAt(payload, "builds").map((job) => createTextReader(job));
  const hasFailed = (say: Say) => say("status") === "failed" && say("allow_failure") !== "true";
  return joinNames(jobs.filter(hasFailed).map((say) => say("name")));
};

const draftsOfHook = (kind: string, hook: Hook, payload: object, project: string): Draft[] => {
  const say = createTextReader(payload);
  const state = say(hook.state) ?? "";
  const action = actions.get(state);
  if (action === undefined || say("build_allow_failure") === "true") return [];
  const [name, ended, run] = [hook.name(say), say(hook.ended), say(hook.run)];
  const [jobs, web] = [listFailedJobs(payload), say("project.web_url", "repository.homepage")];
  const title = `${project}: ${name} ${action === "firing" ? "failed" : "succeeded"}`;
  const reason = jobs === undefined ? say("build_failure_reason") : `Failed jobs: ${jobs}`;
  return [
    {
      action,
      title,
      body: [action === "firing" ? reason : undefined, say(...hook.body)].filter(Boolean).join("\n") || title,
      priority: "HIGH",
      url: say(...hook.url) ?? (web === undefined ? undefined : `${web}/-/${hook.page}/${run ?? ""}`),
      data: { project, kind, status: state, ...textsAt(say, hook.data), failedJobs: jobs, user: say("user.username") },
      changedAt: parseTime(ended),
      key: `${kind}:${say("project.id", "project_id") ?? project}:${name}`,
      once: run === undefined ? undefined : `${kind}:${run}:${state}:${ended ?? ""}`,
    },
  ];
};

const draftsOfAlert = (kind: string, alert: unknown, project: string): Draft[] => {
  const say = createTextReader(alert);
  const action = actions.get(say("status", "state"));
  const title = `${project}: ${say("title") ?? "Alert"}`;
  if (action === undefined) return [];
  return [
    {
      action,
      title: action === "resolved" ? toResolvedTitle(title) : title,
      body: say("description") ?? title,
      severity: [say("severity")],
      url: say("url"),
      data: { project, kind, ...textsAt(say, { status: "status", state: "state", severity: "severity" }) },
      key: `${kind}:${say("url") ?? title}`,
    },
  ];
};

const SENT = "object_kind must be the string that a GitLab webhook sends.";
const Payload = v.looseObject({ object_kind: v.string(SENT) }, SENT);

/** Reads pipelines, jobs, deployments and alerts. Other messages, such as pushes and comments, create no event. */
export const gitlab = createAdapter(Payload, ({ object_kind: kind, ...payload }) => {
  const say = createTextReader(payload);
  const path = /^https?:\/\/[^/]+\/(.+?)\/-\//.exec(say("object_attributes.url") ?? "")?.[1];
  const project = say("project.path_with_namespace", "project_name", "project.name") ?? path ?? "GitLab";
  if (kind === "alert" || kind === "vulnerability") return draftsOfAlert(kind, payload["object_attributes"], project);
  return Object.hasOwn(hooks, kind) && hooks[kind] ? draftsOfHook(kind, hooks[kind], payload, project) : [];
});
