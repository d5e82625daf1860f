import { table } from "./table.ts";

table("github", [
  [
    "a run with all that it may say",
    {
      repository: { full_name: "acme/shop", html_url: "https://github.example/acme/shop" },
      workflow_run: {
        id: 5,
        name: "CI",
        workflow_id: 77,
        run_number: 12,
        run_attempt: 2,
        head_branch: "main",
        head_sha: "abc",
        event: "push",
        conclusion: "failure",
        html_url: "https://github.example/5",
        completed_at: "2026-11-21T12:00:00Z",
        updated_at: "2026-11-21T12:10:00Z",
      },
    },
    [
      {
        eventKey: "github.firing",
        title: "acme/shop: CI failed",
        body: "CI on main: failure",
        priority: "HIGH",
        data: {
          repository: "acme/shop",
          kind: "workflow",
          name: "CI",
          branch: "main",
          commit: "abc",
          conclusion: "failure",
          run: "12",
          trigger: "push",
        },
        url: "https://github.example/5",
        dedupeKey: "github:workflow:acme/shop:77:main",
        changedAt: 1795262400000,
        once: "github:workflow:5:2:failure",
      },
    ],
  ],
  [
    "a run with no more than its end",
    {
      repository: { full_name: "acme/shop" },
      workflow_run: { conclusion: "success", updated_at: "2026-11-21T12:10:00Z" },
    },
    [
      {
        eventKey: "github.resolved",
        title: "acme/shop: workflow succeeded",
        body: "workflow on a commit: success",
        priority: "LOW",
        data: { repository: "acme/shop", kind: "workflow", name: "workflow", branch: "", conclusion: "success" },
        resolves: "github:workflow:acme/shop:workflow:",
        changedAt: 1795263000000,
      },
    ],
  ],
  [
    "a check without a branch",
    { repository: { full_name: "acme/shop" }, check_run: { id: 6, name: "lint", conclusion: "timed_out" } },
    [
      {
        eventKey: "github.firing",
        title: "acme/shop: lint failed",
        body: "lint on a commit: timed_out",
        priority: "HIGH",
        data: { repository: "acme/shop", kind: "check", name: "lint", branch: "", conclusion: "timed_out" },
        dedupeKey: "github:check:acme/shop:lint:",
        once: "github:check:6::timed_out",
      },
    ],
  ],
  [
    "a deployment with all that it may say",
    {
      repository: { full_name: "acme/shop", html_url: "https://github.example/acme/shop" },
      deployment: { environment: "other", ref: "v1" },
      deployment_status: {
        id: 3,
        state: "failure",
        environment: "live",
        description: "No room.",
        target_url: "https://deploy.example",
        created_at: "2026-11-21T12:00:00Z",
      },
    },
    [
      {
        eventKey: "github.firing",
        title: "acme/shop: deployment to live failed",
        body: "No room.",
        priority: "HIGH",
        data: { repository: "acme/shop", kind: "deployment", environment: "live", state: "failure", ref: "v1" },
        url: "https://deploy.example",
        dedupeKey: "github:deployment:acme/shop:live",
        changedAt: 1795262400000,
        once: "github:deployment:3",
      },
    ],
  ],
  [
    "a deployment without a target or a description",
    {
      repository: { full_name: "acme/shop", html_url: "https://github.example/acme/shop" },
      deployment: { environment: "other" },
      deployment_status: { state: "success" },
    },
    [
      {
        eventKey: "github.resolved",
        title: "acme/shop: deployment to other succeeded",
        body: "Deployment to other: success",
        priority: "LOW",
        data: { repository: "acme/shop", kind: "deployment", environment: "other", state: "success" },
        url: "https://github.example/acme/shop",
        resolves: "github:deployment:acme/shop:other",
      },
    ],
  ],
  [
    "a deployment without an environment or a repository",
    { deployment_status: { state: "error" } },
    [
      {
        eventKey: "github.firing",
        title: "GitHub: deployment to an environment failed",
        body: "Deployment to an environment: error",
        priority: "HIGH",
        data: { repository: "GitHub", kind: "deployment", environment: "an environment", state: "error" },
        dedupeKey: "github:deployment:GitHub:an environment",
      },
    ],
  ],
  ["a deployment without a state", { deployment_status: {} }, []],
  [
    "a security alert with all that it may say",
    {
      action: "created",
      repository: { full_name: "acme/shop" },
      alert: {
        number: 4,
        html_url: "https://github.example/a",
        state: "open",
        created_at: "2026-11-21T12:00:00Z",
        updated_at: "2026-11-21T12:10:00Z",
        secret_type_display_name: "A key",
        rule: {
          security_severity_level: "critical",
          severity: "warning",
          description: "Rule",
          full_description: "Full",
        },
        security_advisory: { severity: "low", summary: "Advisory", description: "Long" },
      },
    },
    [
      {
        eventKey: "github.firing",
        title: "acme/shop: Advisory",
        body: "Long",
        priority: "URGENT",
        data: {
          repository: "acme/shop",
          kind: "alert",
          action: "created",
          severity: "critical",
          number: "4",
          state: "open",
        },
        url: "https://github.example/a",
        dedupeKey: "github:alert:https://github.example/a",
        changedAt: 1795263000000,
      },
    ],
  ],
  [
    "a security alert of a rule, without an address",
    {
      action: "fixed",
      repository: { full_name: "acme/shop" },
      alert: {
        number: 4,
        created_at: "2026-11-21T12:00:00Z",
        secret_type_display_name: "A key",
        rule: { severity: "warning", description: "Rule", full_description: "Full" },
      },
    },
    [
      {
        eventKey: "github.resolved",
        title: "Resolved: acme/shop: Rule",
        body: "Full",
        priority: "LOW",
        data: { repository: "acme/shop", kind: "alert", action: "fixed", severity: "warning", number: "4" },
        resolves: "github:alert:acme/shop:4",
        changedAt: 1795262400000,
      },
    ],
  ],
  [
    "a secret that was found, of an unknown severity",
    {
      action: "created",
      organization: { login: "acme" },
      alert: { secret_type_display_name: "A key", security_advisory: { severity: "odd" } },
    },
    [
      {
        eventKey: "github.firing",
        title: "acme: A key",
        body: "A key",
        priority: "HIGH",
        data: { repository: "acme", kind: "alert", action: "created", severity: "odd" },
        dedupeKey: "github:alert:acme:",
      },
    ],
  ],
  [
    "a security alert that says nothing",
    { action: "created", alert: {} },
    [
      {
        eventKey: "github.firing",
        title: "GitHub: Security alert",
        body: "Security alert",
        priority: "HIGH",
        data: { repository: "GitHub", kind: "alert", action: "created" },
        dedupeKey: "github:alert:GitHub:",
      },
    ],
  ],
  ["a security alert without an action", { alert: {} }, []],
  [
    "a webhook's ping",
    { zen: "Keep it.", repository: { full_name: "acme/shop", html_url: "https://github.example/acme/shop" } },
    [
      {
        eventKey: "github.test",
        title: "acme/shop: GitHub says hello",
        body: "Keep it.",
        priority: "LOW",
        data: { repository: "acme/shop" },
        url: "https://github.example/acme/shop",
      },
    ],
  ],
]);
