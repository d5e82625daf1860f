import { event, testMessages } from "./table.ts";

const project = { id: 15, path_with_namespace: "shop/web", name: "Web", web_url: "https://gitlab.example/shop/web" };
const pipeline = (fields: object, attrs: object = {}) => ({
  object_kind: "pipeline",
  object_attributes: {
    id: 31,
    ref: "main",
    source: "push",
    status: "failed",
    finished_at: "2026-11-21 12:00:00 UTC",
    url: "https://gitlab.example/shop/web/-/pipelines/31",
    ...attrs,
  },
  project: project,
  ...fields,
});
const job = (fields: object) => ({
  object_kind: "build",
  ref: "main",
  sha: "bcbb5ec3",
  build_id: 77,
  build_name: "rspec 1/2",
  build_stage: "test",
  build_status: "failed",
  build_finished_at: "2026-11-21T12:00:00.000Z",
  build_allow_failure: false,
  build_failure_reason: "script_failure",
  pipeline_id: 31,
  project_id: 15,
  project_name: "Shop / Web",
  commit: { id: 31, message: "Round prices up" },
  repository: { name: "Web", homepage: "https://gitlab.example/shop/web" },
  user: { name: "Ann Lee", username: "ann" },
  ...fields,
});
const deployment = (fields: object) => ({
  object_kind: "deployment",
  status: "failed",
  status_changed_at: "2026-11-21 13:00:00 +0100",
  deployment_id: 9,
  deployable_url: "https://gitlab.example/shop/web/-/jobs/78",
  environment: "production",
  project: project,
  short_sha: "bcbb5ec3",
  ref: "main",
  commit_title: "Round prices up",
  user: { username: "ann" },
  ...fields,
});
const alert = (attrs: object, kind = "alert") => ({
  object_kind: kind,
  project: kind === "alert" ? undefined : project,
  object_attributes: {
    title: "Latency above 2 s",
    url: "https://gitlab.example/shop/web/-/alert_management/4/details",
    severity: "critical",
    events: 3,
    status: "triggered",
    started_at: "2026-11-21 12:00:00 UTC",
    ...attrs,
  },
});

const fired = event("gitlab.firing HIGH | shop/web: pipeline of main failed | Failed jobs: rspec\nRound prices up", {
  data: {
    project: "shop/web",
    kind: "pipeline",
    status: "failed",
    ref: "main",
    source: "push",
    commit: "bcbb5ec3",
    failedJobs: "rspec",
    user: "ann",
  },
  url: "https://gitlab.example/shop/web/-/pipelines/31",
  dedupeKey: "gitlab:pipeline:15:pipeline of main",
  changedAt: 1795262400000,
  once: "gitlab:pipeline:31:failed:2026-11-21 12:00:00 UTC",
});
const ended = event("gitlab.resolved LOW | shop/web: pipeline of main succeeded", {
  data: { project: "shop/web", kind: "pipeline", status: "success", ref: "main", source: "push" },
  url: "https://gitlab.example/shop/web/-/pipelines/31",
  resolves: "gitlab:pipeline:15:pipeline of main",
  changedAt: 1795264200000,
  once: "gitlab:pipeline:32:success:2026-11-21T12:30:00.000Z",
});

testMessages("gitlab", {
  "a pipeline that failed, with its jobs": [
    pipeline({
      commit: { id: "bcbb5ec3", title: "Round prices up", message: "Round prices up\n" },
      user: { username: "ann" },
      builds: [
        { name: "rspec", status: "failed", allow_failure: false },
        { name: "lint", status: "failed", allow_failure: true },
        { name: "build", status: "success" },
      ],
    }),
    fired,
  ],
  "a pipeline of an older GitLab, without ids and URLs": [
    {
      object_kind: "pipeline",
      object_attributes: { id: 31, ref: "main", status: "failed" },
      project: { path_with_namespace: "shop/web", web_url: "https://gitlab.example/shop/web" },
    },
    event("gitlab.firing HIGH | shop/web: pipeline of main failed", {
      data: { project: "shop/web", kind: "pipeline", status: "failed", ref: "main" },
      url: "https://gitlab.example/shop/web/-/pipelines/31",
      dedupeKey: "gitlab:pipeline:shop/web:pipeline of main",
      once: "gitlab:pipeline:31:failed:",
    }),
  ],
  "a pipeline that succeeds after a failure on its branch": [
    pipeline({}, { id: 32, status: "success", finished_at: "2026-11-21T12:30:00.000Z" }),
    ended,
  ],
  "a scheduled pipeline, which is a separate alert": [
    pipeline({}, { source: "schedule" }),
    {
      ...fired,
      title: "shop/web: scheduled pipeline of main failed",
      body: "shop/web: scheduled pipeline of main failed",
      dedupeKey: "gitlab:pipeline:15:scheduled pipeline of main",
      data: { project: "shop/web", kind: "pipeline", status: "failed", ref: "main", source: "schedule" },
    },
  ],
  "a child pipeline, which is a separate alert": [
    pipeline({}, { source: "parent_pipeline" }),
    {
      ...fired,
      title: "shop/web: child pipeline of main failed",
      body: "shop/web: child pipeline of main failed",
      dedupeKey: "gitlab:pipeline:15:child pipeline of main",
      data: { project: "shop/web", kind: "pipeline", status: "failed", ref: "main", source: "parent_pipeline" },
    },
  ],
  "a pipeline of a merge request": [
    pipeline({ merge_request: { iid: 5, title: "Prices" } }, { source: "merge_request_event", ref: "prices" }),
    {
      ...fired,
      title: "shop/web: pipeline of !5 (prices) failed",
      body: "shop/web: pipeline of !5 (prices) failed",
      dedupeKey: "gitlab:pipeline:15:pipeline of !5 (prices)",
      data: { project: "shop/web", kind: "pipeline", status: "failed", ref: "prices", source: "merge_request_event" },
    },
  ],
  "a job that failed": [
    job({}),
    {
      ...fired,
      title: "Shop / Web: job rspec 1/2 of main failed",
      body: "script_failure\nRound prices up",
      url: "https://gitlab.example/shop/web/-/jobs/77",
      dedupeKey: "gitlab:build:15:job rspec 1/2 of main",
      once: "gitlab:build:77:failed:2026-11-21T12:00:00.000Z",
      data: {
        project: "Shop / Web",
        kind: "build",
        status: "failed",
        ref: "main",
        job: "rspec 1/2",
        stage: "test",
        commit: "bcbb5ec3",
        user: "ann",
      },
    },
  ],
  "a job of a newer GitLab that succeeds, with the project": [
    job({
      build_id: 79,
      build_status: "success",
      build_failure_reason: "unknown_failure",
      project: project,
      build_finished_at: "2026-11-21 12:20:00 UTC",
    }),
    {
      ...ended,
      title: "shop/web: job rspec 1/2 of main succeeded",
      body: "Round prices up",
      url: "https://gitlab.example/shop/web/-/jobs/79",
      resolves: "gitlab:build:15:job rspec 1/2 of main",
      changedAt: 1795263600000,
      once: "gitlab:build:79:success:2026-11-21 12:20:00 UTC",
      data: {
        project: "shop/web",
        kind: "build",
        status: "success",
        ref: "main",
        job: "rspec 1/2",
        stage: "test",
        commit: "bcbb5ec3",
        user: "ann",
      },
    },
  ],
  "a deployment that failed": [
    deployment({}),
    {
      ...fired,
      title: "shop/web: deployment to production failed",
      body: "Round prices up",
      url: "https://gitlab.example/shop/web/-/jobs/78",
      dedupeKey: "gitlab:deployment:15:deployment to production",
      once: "gitlab:deployment:9:failed:2026-11-21 13:00:00 +0100",
      data: {
        project: "shop/web",
        kind: "deployment",
        status: "failed",
        environment: "production",
        ref: "main",
        commit: "bcbb5ec3",
        user: "ann",
      },
    },
  ],
  "a deployment that succeeds, of GitLab 13, without its times": [
    deployment({
      status: "success",
      status_changed_at: undefined,
      deployment_id: undefined,
      commit_title: undefined,
      deployable_url: undefined,
      ref: undefined,
    }),
    event("gitlab.resolved LOW | shop/web: deployment to production succeeded", {
      data: {
        project: "shop/web",
        kind: "deployment",
        status: "success",
        environment: "production",
        commit: "bcbb5ec3",
        user: "ann",
      },
      url: "https://gitlab.example/shop/web",
      resolves: "gitlab:deployment:15:deployment to production",
    }),
  ],
  "an alert that is triggered": [
    alert({}),
    event("gitlab.firing URGENT | shop/web: Latency above 2 s", {
      data: { project: "shop/web", kind: "alert", status: "triggered", severity: "critical" },
      url: "https://gitlab.example/shop/web/-/alert_management/4/details",
      dedupeKey: "gitlab:alert:https://gitlab.example/shop/web/-/alert_management/4/details",
    }),
  ],
  "an alert that is resolved": [
    alert({ status: "resolved" }),
    event("gitlab.resolved LOW | Resolved: shop/web: Latency above 2 s | shop/web: Latency above 2 s", {
      data: { project: "shop/web", kind: "alert", status: "resolved", severity: "critical" },
      url: "https://gitlab.example/shop/web/-/alert_management/4/details",
      resolves: "gitlab:alert:https://gitlab.example/shop/web/-/alert_management/4/details",
    }),
  ],
  "an alert that somebody ignores": [
    alert({ status: "ignored" }),
    event("gitlab.resolved LOW | Resolved: shop/web: Latency above 2 s | shop/web: Latency above 2 s", {
      data: { project: "shop/web", kind: "alert", status: "ignored", severity: "critical" },
      url: "https://gitlab.example/shop/web/-/alert_management/4/details",
      resolves: "gitlab:alert:https://gitlab.example/shop/web/-/alert_management/4/details",
    }),
  ],
  "a vulnerability that is detected": [
    alert(
      {
        title: "SQL injection",
        status: undefined,
        state: "detected",
        severity: "high",
        url: "https://gitlab.example/shop/web/-/security/vulnerabilities/8",
        events: undefined,
        started_at: undefined,
        description: "In cart.rb",
      },
      "vulnerability",
    ),
    event("gitlab.firing HIGH | shop/web: SQL injection | In cart.rb", {
      data: { project: "shop/web", kind: "vulnerability", state: "detected", severity: "high" },
      url: "https://gitlab.example/shop/web/-/security/vulnerabilities/8",
      dedupeKey: "gitlab:vulnerability:https://gitlab.example/shop/web/-/security/vulnerabilities/8",
    }),
  ],
  "a failed job that is allowed to fail": [job({ build_allow_failure: true }), []],
  "a running job": [job({ build_status: "running" }), []],
  "a running deployment": [deployment({ status: "running" }), []],
  "a deployment that a person canceled": [deployment({ status: "canceled" }), []],
  "an alert that somebody acknowledges": [alert({ status: "acknowledged" }), []],
  "a vulnerability that somebody confirms": [alert({ status: undefined, state: "confirmed" }, "vulnerability"), []],
  "a push": [{ object_kind: "push", ref: "refs/heads/main", project: project }, []],
  "a comment": [
    { object_kind: "note", object_attributes: { note: "Again?", url: "https://gitlab.example/n/1" }, project: project },
    [],
  ],
  ...Object.fromEntries(
    ["created", "pending", "running", "waiting_for_resource", "canceled", "skipped", "manual"].map((status: string) => [
      `a pipeline that is ${status}`,
      [pipeline({}, { status }), []] as const,
    ]),
  ),
  "a pipeline with only a state": [
    { object_kind: "pipeline", object_attributes: { status: "failed" }, project: { name: "Web" } },
    event("gitlab.firing HIGH | Web: pipeline of a commit failed", {
      data: { project: "Web", kind: "pipeline", status: "failed" },
      dedupeKey: "gitlab:pipeline:Web:pipeline of a commit",
    }),
  ],
  "a job with only a state and a repository": [
    {
      object_kind: "build",
      build_status: "failed",
      project_name: "Shop",
      repository: { homepage: "https://gitlab.example/shop" },
    },
    event("gitlab.firing HIGH | Shop: job  of a commit failed", {
      data: { project: "Shop", kind: "build", status: "failed" },
      url: "https://gitlab.example/shop/-/jobs/",
      dedupeKey: "gitlab:build:Shop:job  of a commit",
    }),
  ],
  "a deployment with only a state": [
    { object_kind: "deployment", status: "failed" },
    event("gitlab.firing HIGH | GitLab: deployment to an environment failed", {
      data: { project: "GitLab", kind: "deployment", status: "failed" },
      dedupeKey: "gitlab:deployment:GitLab:deployment to an environment",
    }),
  ],
  "an alert with only a state": [
    { object_kind: "alert", object_attributes: { status: "triggered" } },
    event("gitlab.firing NORMAL | GitLab: Alert", {
      data: { project: "GitLab", kind: "alert", status: "triggered" },
      dedupeKey: "gitlab:alert:GitLab: Alert",
    }),
  ],
  "an alert without a project, with an http URL": [
    {
      object_kind: "alert",
      object_attributes: { status: "triggered", url: "http://gitlab.example/shop/web/-/alert_management/4" },
    },
    event("gitlab.firing NORMAL | shop/web: Alert", {
      data: { project: "shop/web", kind: "alert", status: "triggered" },
      url: "http://gitlab.example/shop/web/-/alert_management/4",
      dedupeKey: "gitlab:alert:http://gitlab.example/shop/web/-/alert_management/4",
    }),
  ],
  "an alert without a state": [alert({ status: undefined }), []],
  "a kind with the name of an inherited method, toString": [{ object_kind: "toString" }, []],
});
