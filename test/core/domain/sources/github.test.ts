import { event, testMessages } from "./table.ts";

testMessages("github", {
  "a workflow run with every field": [
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
    event("github.firing HIGH | acme/shop: CI failed | CI on main: failure", {
      data: {
        "links.Run": "https://github.example/5",
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
      once: "github:workflow:acme/shop:77:main:5:2:failure",
    }),
  ],
  "a workflow run with only a conclusion": [
    {
      repository: { full_name: "acme/shop" },
      workflow_run: { conclusion: "success", updated_at: "2026-11-21T12:10:00Z" },
    },
    event("github.resolved LOW | acme/shop: workflow succeeded | workflow on a commit: success", {
      data: { repository: "acme/shop", kind: "workflow", name: "workflow", branch: "", conclusion: "success" },
      resolves: "github:workflow:acme/shop:workflow:",
      changedAt: 1795263000000,
    }),
  ],
  "a check without a branch": [
    { repository: { full_name: "acme/shop" }, check_run: { id: 6, name: "lint", conclusion: "timed_out" } },
    event("github.firing HIGH | acme/shop: lint failed | lint on a commit: timed_out", {
      data: { repository: "acme/shop", kind: "check", name: "lint", branch: "", conclusion: "timed_out" },
      dedupeKey: "github:check:acme/shop:lint:",
      once: "github:check:acme/shop:lint::6::timed_out",
    }),
  ],
  "a deployment with every field": [
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
    event("github.firing HIGH | acme/shop: deployment to live failed | No room.", {
      data: {
        "links.Log": "https://deploy.example",
        "links.Repository": "https://github.example/acme/shop",
        repository: "acme/shop",
        kind: "deployment",
        environment: "live",
        state: "failure",
        ref: "v1",
      },
      url: "https://deploy.example",
      dedupeKey: "github:deployment:acme/shop:live",
      changedAt: 1795262400000,
      once: "github:deployment:acme/shop:live:3",
    }),
  ],
  "a deployment without a target or a description": [
    {
      repository: { full_name: "acme/shop", html_url: "https://github.example/acme/shop" },
      deployment: { environment: "other" },
      deployment_status: { state: "success" },
    },
    event("github.resolved LOW | acme/shop: deployment to other succeeded | Deployment to other: success", {
      data: {
        "links.Repository": "https://github.example/acme/shop",
        repository: "acme/shop",
        kind: "deployment",
        environment: "other",
        state: "success",
      },
      url: "https://github.example/acme/shop",
      resolves: "github:deployment:acme/shop:other",
    }),
  ],
  "a deployment without an environment or a repository": [
    { deployment_status: { state: "error" } },
    event("github.firing HIGH | GitHub: deployment to an environment failed | Deployment to an environment: error", {
      data: { repository: "GitHub", kind: "deployment", environment: "an environment", state: "error" },
      dedupeKey: "github:deployment:GitHub:an environment",
    }),
  ],
  "a deployment without a state": [{ deployment_status: {} }, []],
  "a security alert with every field": [
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
    event("github.firing URGENT | acme/shop: Advisory | Long", {
      data: {
        "links.Alert": "https://github.example/a",
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
    }),
  ],
  "a security alert of a rule, without a URL": [
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
    event("github.resolved LOW | Resolved: acme/shop: Rule | Full", {
      data: { repository: "acme/shop", kind: "alert", action: "fixed", severity: "warning", number: "4" },
      resolves: "github:alert:acme/shop:4",
      changedAt: 1795262400000,
    }),
  ],
  "a detected secret of unknown severity": [
    {
      action: "created",
      organization: { login: "acme" },
      alert: { secret_type_display_name: "A key", security_advisory: { severity: "odd" } },
    },
    event("github.firing HIGH | acme: A key | A key", {
      data: { repository: "acme", kind: "alert", action: "created", severity: "odd" },
      dedupeKey: "github:alert:acme:",
    }),
    ["priority is HIGH: odd is not a known severity."],
  ],
  "a security alert without details": [
    { action: "created", alert: {} },
    event("github.firing HIGH | GitHub: Security alert | Security alert", {
      data: { repository: "GitHub", kind: "alert", action: "created" },
      dedupeKey: "github:alert:GitHub:",
    }),
  ],
  "a security alert without an action": [{ alert: {} }, []],
  "a webhook's ping": [
    { zen: "Keep it.", repository: { full_name: "acme/shop", html_url: "https://github.example/acme/shop" } },
    event("github.test LOW | acme/shop: GitHub says hello | Keep it.", {
      data: {
        "links.Repository": "https://github.example/acme/shop",
        repository: "acme/shop",
      },
      url: "https://github.example/acme/shop",
    }),
  ],
  "the ping of an organization": [
    { zen: "Keep it.", organization: { login: "acme" } },
    event("github.test LOW | acme: GitHub says hello | Keep it.", { data: { repository: "acme" } }),
  ],
});
