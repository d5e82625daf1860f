import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Template } from "aws-cdk-lib/assertions";
import { Code } from "aws-cdk-lib/aws-lambda";
import { expect, test } from "vitest";
import { createApp } from "../../lib/app.ts";
import type { Config } from "../../lib/config.ts";
import { EdgeStack, toEdgeProps } from "../../lib/edge.ts";
import { EventAlertingStack } from "../../lib/stack.ts";
import { readStageSettings } from "../../lib/stages.ts";

/* Reads every CDK command in the guides and workflows as typed, and compares what the command would deploy with the stage. */

const root = join(import.meta.dirname, "../..");
const pages = globSync(["*.md", "docs/*.md", ".github/workflows/*.yml"], { cwd: root }).sort();

/** A stage with every setting that adds resources. */
const STAGES = JSON.stringify({
  prod: {
    region: "eu-central-1",
    alarmEmail: "oncall@example.com",
    domainName: "alerts.example.com",
    hostedZoneId: "Z0123456789ABC",
    edge: "only",
    dashboardOrigins: ["https://dashboard.example.com"],
    tableName: "event-alerting-prod-restored",
    ingestConcurrency: 20,
    synthetic: true,
    githubRepository: "acme/alerts",
  },
});
const VARIABLES: Readonly<Record<string, string>> = { STAGE: "prod" };

type Command = { page: string; verb: string; typed: string; context: Record<string, string> };

/** Lists the code of a page: fenced blocks and spans of Markdown, or the whole text of a workflow. */
const listCode = (page: string, text: string): string[] =>
  page.endsWith(".md")
    ? [...text.matchAll(/```sh\n([^]*?)```|`([^`]+)`/g)].map(([, block, span]) => block ?? span ?? "")
    : [text];

const fillVariables = (text: string): string =>
  text.replaceAll(/"?\$\{?([A-Z_]+)\}?"?/g, (written, name: string) => VARIABLES[name] ?? `<${written} is not known>`);

const listCommands = (page: string, text: string): Command[] =>
  listCode(page, text)
    .map((code) => code.replaceAll(/\s*\\\n\s*/g, " "))
    .flatMap((code) => [...code.matchAll(/\bnpx cdk (deploy|diff|synth|destroy|bootstrap|watch)\b([^\n|;&#]*)/g)])
    .map(([, verb = "", rest = ""]) => {
      const typed = fillVariables(rest.trim());
      const pairs = [...typed.matchAll(/(?:-c|--context)[ =]([^= ]+)=(\S*)/g)];
      return { page, verb, typed, context: Object.fromEntries(pairs.map(([, key = "", value = ""]) => [key, value])) };
    });

const commands = pages.flatMap((page) => listCommands(page, readFileSync(join(root, page), "utf8")));
const deploys = commands.filter(({ verb }) => verb === "deploy");

const listResourceIds = (config: Config): string[] => {
  const app = createApp();
  const stack = new EventAlertingStack(app, { config, codeOf: () => Code.fromInline("exports.handler = 0") });
  const edge = toEdgeProps(config);
  const stacks = [stack, ...(edge === undefined ? [] : [new EdgeStack(app, edge)])];
  return stacks.flatMap((one) => {
    const { Resources: resources } = Template.fromStack(one).toJSON() as { Resources: object };
    return Object.keys(resources);
  });
};
const stage = readStageSettings({ stage: "prod" }, STAGES);
const had = listResourceIds(stage);

const listRemovedIds = ({ context }: Pick<Command, "context">): string[] => {
  const config = readStageSettings(context, STAGES);
  const has = JSON.stringify(config) === JSON.stringify(stage) ? had : listResourceIds(config);
  return had.filter((id) => !has.includes(id));
};

test("both deployment guides and the workflow contain a deploy command", () => {
  expect(new Set(deploys.map(({ page }) => page))).toEqual(
    new Set(["docs/deploy.md", "docs/runbook.md", ".github/workflows/deploy.yml"]),
  );
});

test.each(commands)('in $page, the command "cdk $verb $typed" names an existing stage and settings', ({ context }) => {
  expect(readStageSettings(context, STAGES).stage).toBe("prod");
});

test.each(deploys)('in $page, the command "cdk deploy $typed" removes no resource of the stage', (command) => {
  expect(listRemovedIds(command)).toEqual([]);
});

test.each(commands.filter(({ verb }) => verb === "deploy" || verb === "destroy"))(
  'in $page, the command "cdk $verb $typed" includes the edge of the stage',
  ({ typed }) => {
    expect(typed).toMatch(/(?:^| )--all(?: |$)/);
  },
);

test.each(deploys.map((command) => ({ ...command, before: commands[commands.indexOf(command) - 1] })))(
  'in $page, the command "cdk deploy $typed" comes after a cdk diff with the same options',
  ({ page, context, before }) => {
    expect(before).toMatchObject({ page, verb: "diff", context });
  },
);

test("a deploy command that removes a resource is detected", () => {
  const [command] = listCommands("x.md", '`npx cdk deploy -c stage="$STAGE" \\\n  -c alarmEmail= -c synthetic=false`');

  expect(command?.context).toEqual({ stage: "prod", alarmEmail: "", synthetic: "false" });
  expect(listRemovedIds(command!).map((id) => id.replace(/[0-9A-F]{8}$/, ""))).toEqual(
    expect.arrayContaining(["ObservabilityAlarmsoncallexamplecom", "TimersyntheticFunction"]),
  );
  expect(() => listRemovedIds({ context: {} })).toThrow('stages.json has no stage "dev"');
});
