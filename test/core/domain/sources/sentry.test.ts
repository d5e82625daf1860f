import { event, testMessages } from "./table.ts";

testMessages("sentry", {
  "an issue with every field": [
    {
      action: "created",
      data: {
        issue: {
          id: 7,
          shortId: "SHOP-7",
          title: "TypeError",
          culprit: "cart.ts",
          level: "error",
          permalink: "https://sentry.example/p",
          web_url: "https://sentry.example/i",
          project: { slug: "shop" },
        },
        web_url: "https://sentry.example/d",
        triggered_rule: "R",
      },
    },
    event("sentry.firing HIGH | TypeError | cart.ts", {
      data: {
        "links.Issue": "https://sentry.example/i",
        action: "created",
        level: "error",
        issue: "SHOP-7",
        culprit: "cart.ts",
        project: "shop",
        rule: "R",
      },
      url: "https://sentry.example/i",
      dedupeKey: "sentry:issue:7",
    }),
  ],
  "an issue without its own URL": [
    {
      action: "resolved",
      data: {
        issue: {
          id: 7,
          shortId: "SHOP-7",
          title: "TypeError",
          culprit: "cart.ts",
          level: "error",
          permalink: "https://sentry.example/p",
        },
        web_url: "https://sentry.example/d",
      },
    },
    event("sentry.resolved LOW | Resolved: TypeError | cart.ts", {
      data: {
        "links.Issue": "https://sentry.example/p",
        action: "resolved",
        level: "error",
        issue: "SHOP-7",
        culprit: "cart.ts",
      },
      url: "https://sentry.example/p",
      resolves: "sentry:issue:7",
    }),
  ],
  "an issue without an id and a title": [
    { action: "resolved", data: { issue: { title: " " }, web_url: "https://sentry.example/d" } },
    event("sentry.resolved LOW | Resolved: Sentry issue | Sentry issue", {
      data: {
        "links.Issue": "https://sentry.example/d",
        action: "resolved",
      },
      url: "https://sentry.example/d",
    }),
  ],
  "an occurrence with every field": [
    {
      action: "triggered",
      data: {
        event: {
          event_id: "e1",
          issue_id: 7,
          title: "TypeError",
          message: "price is undefined",
          culprit: "cart.ts",
          level: "fatal",
          environment: "live",
          platform: "node",
          release: "1.2",
          web_url: "https://sentry.example/o",
        },
        web_url: "https://sentry.example/d",
      },
    },
    event("sentry.firing URGENT | TypeError | price is undefined", {
      data: {
        "links.Event": "https://sentry.example/o",
        "links.Issue": "https://sentry.example/d",
        action: "triggered",
        level: "fatal",
        issue: "7",
        culprit: "cart.ts",
        environment: "live",
        release: "1.2",
        platform: "node",
      },
      url: "https://sentry.example/o",
      dedupeKey: "sentry:issue:7",
      once: "sentry:e1:triggered:",
    }),
  ],
  "an error without a title": [
    { action: "created", data: { error: { event_id: "e2", message: "boom", level: "warning" } } },
    event("sentry.firing NORMAL | boom", { data: { action: "created", level: "warning" }, once: "sentry:e2:created:" }),
  ],
  "an error with only a culprit": [
    { action: "created", data: { error: { culprit: "cart.ts" } } },
    event("sentry.firing NORMAL | Sentry issue | cart.ts", { data: { action: "created", culprit: "cart.ts" } }),
  ],
  "an occurrence whose issue takes precedence": [
    {
      action: "created",
      data: {
        issue: { id: 7, shortId: "SHOP-7", title: "TypeError", culprit: "cart.ts", level: "error" },
        event: {
          event_id: "e1",
          issue_id: 8,
          title: "Other",
          message: "price",
          culprit: "x.ts",
          level: "info",
          web_url: "https://sentry.example/o",
        },
      },
    },
    event("sentry.firing HIGH | TypeError | price", {
      data: {
        "links.Event": "https://sentry.example/o",
        action: "created",
        level: "error",
        issue: "SHOP-7",
        culprit: "cart.ts",
      },
      url: "https://sentry.example/o",
      dedupeKey: "sentry:issue:7",
      once: "sentry:e1:created:",
    }),
  ],
  "a message without any data": [{ action: "assigned", data: {} }, []],
  "a metric alert with every field": [
    {
      action: "critical",
      data: {
        metric_alert: { id: 9, title: "Slow", alert_rule: { name: "Rule" } },
        description_title: "Critical: slow",
        description_text: "p95 is 3 s",
        web_url: "https://sentry.example/m",
      },
    },
    event("sentry.firing URGENT | Critical: slow | p95 is 3 s", {
      data: {
        "links.Alert": "https://sentry.example/m",
        action: "critical",
        rule: "Rule",
      },
      url: "https://sentry.example/m",
      dedupeKey: "sentry:metric:9",
    }),
  ],
  "a metric alert without an id or a description": [
    { action: "resolved", data: { metric_alert: { title: "Slow" } } },
    event("sentry.resolved LOW | Resolved: Slow | Slow", { data: { action: "resolved" } }),
  ],
  "a metric alert of an unknown action, without a title": [
    { action: "odd", data: { metric_alert: {} } },
    event("sentry.info LOW | Metric alert", { data: { action: "odd" } }),
  ],
});
