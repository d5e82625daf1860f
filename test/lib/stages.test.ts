import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readStageSettings, readStagesFile } from "../../lib/stages.ts";
import { aStack, resourcesOf, textAt } from "./support.ts";

const file = JSON.stringify({
  dev: {},
  prod: { region: "eu-central-1", alarmEmail: "oncall@example.com", ingestConcurrency: 20 },
});

test("the name of a stage is enough to deploy it", () => {
  expect(readStageSettings({ stage: "prod" }, file)).toMatchObject({
    stage: "prod",
    region: "eu-central-1",
    alarmEmail: "oncall@example.com",
    ingestConcurrency: 20,
    removal: "retain",
  });
  expect(readStageSettings({}, file)).toMatchObject({ stage: "dev", alarmEmail: undefined });
});

test("settings on the command line override the stages file, and keep its other settings", () => {
  expect(readStageSettings({ stage: "prod", ingestConcurrency: "300" }, file)).toMatchObject({
    alarmEmail: "oncall@example.com",
    ingestConcurrency: 300,
  });
});

test.each([
  ["the stage's name is misspelled", { stage: "prdo" }, file, 'stages.json has no stage "prdo": did you mean "prod"?'],
  [
    "the stages file does not have the stage",
    { stage: "staging" },
    file,
    'stages.json has no stage "staging"; choose one of dev, prod.',
  ],
  ["none is named and the file has no stage dev", {}, '{"prod":{}}', 'stages.json has no stage "dev"; choose prod.'],
  [
    "the stage's name has a capital letter, as in toString",
    { stage: "toString" },
    file,
    '"stage" must be 1 to 12 characters of',
  ],
  [
    "the stage's name is a built-in property of objects, constructor",
    { stage: "constructor" },
    file,
    'stages.json has no stage "constructor"',
  ],
  ["an argument's name is misspelled", { stag: "prod" }, file, 'The setting "stag" is unknown: did you mean "stage"?'],
  [
    "the stages file has a misspelled setting",
    {},
    '{"dev":{"alarmMail":"a@b.cd"}}',
    'stages.json, "dev": The setting "alarmMail" is unknown: did you mean "alarmEmail"?',
  ],
  [
    "the stages file has a setting of CDK",
    {},
    '{"dev":{"@aws-cdk/core:anything":true}}',
    'stages.json, "dev": The setting "@aws-cdk/core:anything" is unknown',
  ],
  [
    "the stages file has an invalid value",
    {},
    '{"dev":{"planBurst":0}}',
    'stages.json, "dev": The setting "planBurst" must be a whole number from 1 to 60000, not 0.',
  ],
  [
    "the stages file has the setting stage",
    {},
    '{"dev":{"stage":"prod"}}',
    'stages.json, "dev": remove the setting "stage". The name of the stage is the key of its settings.',
  ],
  [
    "the stages file has a list as the settings of a stage",
    {},
    '{"dev":[]}',
    'stages.json, "dev": the settings must be an object.',
  ],
  ["the stages file is a list", {}, "[]", "stages.json must hold an object"],
  ["the stages file is not valid JSON", {}, '{"dev":{},}', "stages.json is not JSON: "],
])("the settings of a stage are not read, and one sentence says why, if %s", (_, context, text, sentence) => {
  expect(() => readStageSettings(context, text)).toThrow(sentence);
});

describe("the settings of all stages", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/deploy.md"), "utf8");
  const example = /```json\n([^]*?)```/.exec(page)?.[1] ?? "";

  test.each([
    ["of this repository", readStagesFile()],
    ["of the guide's example", example],
  ])("in the file %s are valid", (_, text) => {
    const names = Object.keys(JSON.parse(text) as object);
    expect(names.length).toBeGreaterThan(0);
    for (const stage of names) expect(readStageSettings({ stage }, text).stage).toBe(stage);
  });
});

test("two stages in one account have different names for all their resources", () => {
  const listPhysicalNames = (stage: string): string[] => {
    const of = resourcesOf({ stage });
    return [
      ...of("AWS::Lambda::Function").map(([, resource]) => textAt(resource, "FunctionName")),
      ...of("AWS::Logs::LogGroup").map(([, resource]) => textAt(resource, "LogGroupName")),
      ...of("AWS::CloudWatch::Alarm").map(([, resource]) => textAt(resource, "AlarmName")),
      ...of("AWS::CloudWatch::Dashboard").map(([, resource]) => textAt(resource, "DashboardName")),
    ];
  };

  const one = listPhysicalNames("dev");
  const other = new Set(listPhysicalNames("prod"));

  expect(new Set(one).size).toBe(one.length);
  expect(one.filter((name) => other.has(name))).toEqual([]);
  expect(aStack({ stage: "prod" }).stackName).toBe("EventAlerting-prod");
});
