import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Names of links, buttons, fields and regions that must not change, because guides, scripts and people rely on them. */
const FIXED =
  `Main|Inbox|Events|On call|Rules|Escalation|Groups|Silences|Integrations|People|Insights|Settings|Workspace
Skip to content|Devices|Notification steps|Second factor|Theme|Sign out|Sign in|Acknowledge|Acknowledge all|All open
State|Event key|Site|Search title|Details|Timeline|Recipients|Why?|Ask about somebody|Resolve|Snooze|More|Replay in a rule
Silence this|Export|New rule|Name|Requires acknowledgement|Priority|Escalation policy|On call only|Add condition|Field
Operator|Value|Preview|Save|Enabled|Month|Override|Edit schedule|My shifts|Find cover|Edit|Notify this browser|Send a test
Last reached|Remove|API keys|Webhooks|Channels|Heartbeats|Import|New key|Create|Copy|curl|JavaScript|Python|Statistics|Load
Simulator|Try again`.split(/[|\n]/);

it("the English texts of the console still contain each name of a page, button or field that the guides use", () => {
  const sources = globSync("console/{texts/en,pages,parts,app}/**/*.{ts,tsx}").map((file) =>
    readFileSync(file, "utf8"),
  );
  const source = sources.join("\n");

  expect(FIXED.filter((name) => !source.includes(`"${name}"`) && !source.includes(`>${name}<`))).toEqual([]);
});
