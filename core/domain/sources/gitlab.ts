import * as v from "valibot";
import { toResolvedTitle } from "../event/event.ts";
import { createAdapter, joinNames, parseTime, mapStates, type Draft } from "./draft.ts";
import { findListAt, createTextReader, readTextsAt, type TextReader } from "./paths.ts";

/** How the adapter reads one kind of message. `name`: returns the name of the pipeline, job or deployment in the project. */
type Hook = { name: (read: TextReader) => string; data: Record<string, string> } & Record<"body" | "url", string[]> &
  Record<"state" | "run" | "ended" | "page", string>;

/** Returns the alert's name for a pipeline: all pipelines of a branch, a schedule or a merge request are one alert. */
const identifyPipeline = (read: TextReader): string => {
  const [source, ref = "a commit"] = [read("object_attributes.source"), read("object_attributes.ref")];
  if (source === "schedule") return `scheduled pipeline of ${ref}`;
  if (source === "parent_pipeline") return `child pipeline of ${ref}`;
  const request = read("merge_request.iid");
  return `pipeline of ${request === undefined ? ref : `!${request} (${ref})`}`;
};

const hooks: Readonly<Record<string, Hook>> = {
  pipeline: {
    name: identifyPipeline,
    state: "object_attributes.status",
    run: "object_attributes.id",
    ended: "object_attributes.finished_at",
    body: ["commit.title", "commit.message"],
    url: ["object_attributes.url"],
    page: "pipelines",
    data: { ref: "object_attributes.ref", source: "object_attributes.source", commit: "commit.id" },
  },
  build: {
    name: (read) => `job ${read("build_name") ?? ""} of ${read("ref") ?? "a commit"}`,
    state: "build_status",
    run: "build_id",
    ended: "build_finished_at",
    body: ["commit.message"],
    url: [],
    page: "jobs",
    data: { ref: "ref", job: "build_name", stage: "build_stage", commit: "sha" },
  },
  deployment: {
    name: (read) => `deployment to ${read("environment") ?? "an environment"}`,
    state: "status",
    run: "deployment_id",
    ended: "status_changed_at",
    body: ["commit_title"],
    url: ["deployable_url", "project.web_url"],
    page: "environments",
    data: { environment: "environment", ref: "ref", commit: "short_sha" },
  },
};

/** The states that create an event. Other states, such as `running`, create no event. */
const actions = mapStates({
  failed: "firing",
  success: "resolved",
  triggered: "firing",
  detected: "firing",
  resolved: "resolved",
  ignored: "resolved",
  dismissed: "resolved",
});
const joinFailedJobNames = (payload: object): string | undefined => {
  const jobs = findListAt(payload, "builds").map((job) => createTextReader(job));
  const isFailedJob = (read: TextReader) => read("status") === "failed" && read("allow_failure") !== "true";
  return joinNames(jobs.filter(isFailedJob).map((read) => read("name")));
};

const toHookDrafts = (kind: string, hook: Hook, payload: object, project: string): Draft[] => {
  const read = createTextReader(payload);
  const state = read(hook.state) ?? "";
  const action = actions.get(state);
  if (action === undefined || read("build_allow_failure") === "true") return [];
  const [name, ended, run] = [hook.name(read), read(hook.ended), read(hook.run)];
  const [jobs, web] = [joinFailedJobNames(payload), read("project.web_url", "repository.homepage")];
  const title = `${project}: ${name} ${action === "firing" ? "failed" : "succeeded"}`;
  const reason = jobs === undefined ? read("build_failure_reason") : `Failed jobs: ${jobs}`;
  return [
    {
      action,
      title,
      body: [action === "firing" ? reason : undefined, read(...hook.body)].filter(Boolean).join("\n") || title,
      priority: "HIGH",
      url: read(...hook.url) ?? (web === undefined ? undefined : `${web}/-/${hook.page}/${run ?? ""}`),
      data: {
        project,
        kind,
        status: state,
        ...readTextsAt(read, hook.data),
        failedJobs: jobs,
        user: read("user.username"),
      },
      changedAt: parseTime(ended),
      key: `${kind}:${read("project.id", "project_id") ?? project}:${name}`,
      once: run === undefined ? undefined : `${kind}:${run}:${state}:${ended ?? ""}`,
    },
  ];
};

const toAlertDrafts = (kind: string, alert: unknown, project: string): Draft[] => {
  const read = createTextReader(alert);
  const action = actions.get(read("status", "state"));
  const title = `${project}: ${read("title") ?? "Alert"}`;
  if (action === undefined) return [];
  return [
    {
      action,
      title: action === "resolved" ? toResolvedTitle(title) : title,
      body: read("description") ?? title,
      severity: [read("severity")],
      url: read("url"),
      data: { project, kind, ...readTextsAt(read, { status: "status", state: "state", severity: "severity" }) },
      key: `${kind}:${read("url") ?? title}`,
    },
  ];
};

const SENT = "object_kind must be the string that a GitLab webhook sends.";
const Payload = v.looseObject({ object_kind: v.string(SENT) }, SENT);

/** Reads pipelines, jobs, deployments and alerts; other messages, such as pushes and comments, create no event. */
export const gitlab = createAdapter(Payload, ({ object_kind: kind, ...payload }) => {
  const read = createTextReader(payload);
  const path = /^https?:\/\/[^/]+\/(.+?)\/-\//.exec(read("object_attributes.url") ?? "")?.[1];
  const project = read("project.path_with_namespace", "project_name", "project.name") ?? path ?? "GitLab";
  if (kind === "alert" || kind === "vulnerability") return toAlertDrafts(kind, payload["object_attributes"], project);
  return Object.hasOwn(hooks, kind) && hooks[kind] ? toHookDrafts(kind, hooks[kind], payload, project) : [];
});
