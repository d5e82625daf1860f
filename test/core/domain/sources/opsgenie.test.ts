import { event, testMessages } from "./table.ts";

testMessages("opsgenie", {
  "an alert with every field": [
    {
      message: "Disk full",
      alias: "disk",
      description: "2 % left",
      priority: "P2",
      entity: "db-1",
      source: "monit",
      user: "ann",
      note: "n",
      tags: ["db", 5, " ", "a , b"],
      details: { host: "db-1" },
      responders: [{ type: "Team", name: "NOC", id: "t" }, { username: "ann", id: "u" }, { id: "x" }, {}, "no"],
      teams: [{ name: "Web" }],
    },
    event("opsgenie.firing HIGH | Disk full | 2 % left", {
      data: {
        alias: "disk",
        priority: "P2",
        note: "n",
        description: "2 % left",
        "details.host": "db-1",
        tags: "db, a b",
        responders: "team:NOC, user:ann, user:x, team:Web",
        entity: "db-1",
        source: "monit",
        user: "ann",
      },
      dedupeKey: "opsgenie:disk",
    }),
  ],
  "an alert without an alias, of an unknown priority": [
    { message: "Disk full", priority: "P9" },
    event("opsgenie.firing NORMAL | Disk full", { data: { priority: "P9" } }),
    ["priority is NORMAL: P9 is not a known severity."],
  ],
  "a request that closes an alert by its identifier": [
    { identifier: "disk" },
    event("opsgenie.resolved LOW | Resolved: disk | disk", { data: { alias: "disk" }, resolves: "opsgenie:disk" }),
  ],
  "a request that closes an alert with a note": [
    { message: "Disk full", alias: "disk", action: "CLOSE", note: "Room again.", description: "2 % left" },
    event("opsgenie.resolved LOW | Resolved: Disk full | Room again.", {
      data: { alias: "disk", description: "2 % left" },
      resolves: "opsgenie:disk",
    }),
  ],
  "a webhook whose alert has no alias": [
    { action: "Create", alert: { alertId: "a-1", message: "Disk full" } },
    event("opsgenie.firing NORMAL | Disk full", { data: { alias: "a-1", priority: "P3" }, dedupeKey: "opsgenie:a-1" }),
  ],
  "an alert whose message is blank": [
    { message: " ", alias: "disk", action: "create" },
    event("opsgenie.firing NORMAL | disk", { data: { alias: "disk", priority: "P3" }, dedupeKey: "opsgenie:disk" }),
  ],
  "a webhook whose alert has neither a message nor an alias": [
    { action: "Create", message: "Disk full", alert: { source: "https://db.example is down" } },
    event("opsgenie.firing NORMAL | Alert", { data: { priority: "P3", source: "https://db.example is down" } }),
  ],
});
