import { event, testMessages } from "./table.ts";

testMessages("pagerduty", {
  "a trigger with every field": [
    {
      event_action: "trigger",
      dedup_key: "k",
      client: "Mon",
      client_url: "https://mon.example",
      links: [{ href: "https://l.example" }],
      payload: {
        summary: "Down",
        source: "db-1",
        severity: "critical",
        timestamp: "2026-11-21T12:00:00Z",
        component: "pg",
        group: "g",
        class: "c",
        custom_details: { ping: 3 },
      },
    },
    event("pagerduty.firing URGENT | Down", {
      data: {
        "links.Mon": "https://mon.example",
        "links.Link": "https://l.example",
        source: "db-1",
        severity: "critical",
        timestamp: "2026-11-21T12:00:00Z",
        component: "pg",
        group: "g",
        class: "c",
        client: "Mon",
        "details.ping": 3,
      },
      url: "https://mon.example",
      dedupeKey: "pagerduty:k",
    }),
  ],
  "a trigger without a client, with unusual links": [
    {
      event_action: "trigger",
      links: ["x", { text: "no" }, { href: "https://l.example" }],
      payload: { summary: "Down" },
    },
    event("pagerduty.firing NORMAL | Down", { data: { "links.Link": "https://l.example" }, url: "https://l.example" }),
  ],
  "a resolution with the details of the alert": [
    { event_action: "resolve", dedup_key: "k", payload: { summary: "Down", source: "db-1" } },
    event("pagerduty.resolved LOW | Resolved: Down", { data: { source: "db-1" }, resolves: "pagerduty:k" }),
  ],
  "a resolution with only a key": [
    { event_action: "resolve", dedup_key: "k" },
    event("pagerduty.resolved LOW | Resolved: k", { resolves: "pagerduty:k" }),
  ],
});
