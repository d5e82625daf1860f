import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Route, routes } from "../../interface/routes.ts";
import { createApp } from "../../lib/app.ts";
import { aStack, valueAt, type Resource, templateOf, templateWith } from "./support.ts";
import { type Template, walkUpgrade, type Walk } from "./walk.ts";

/*
 * Each upgrade from one template to another must keep resources with data in place, and never leave a function without a
 * permission. The template of commit 57879be is stored with its ids, names, roles and all properties that make CloudFormation
 * replace a resource.
 */

const prod = {
  stage: "prod",
  synthetic: "true",
  alarmEmail: "a@b.cd",
  domainName: "api.example.com",
  hostedZoneId: "Z0123456789ABC",
};
const today = templateWith(prod);
const earlier = JSON.parse(
  readFileSync(join(import.meta.dirname, "__snapshots__/template-57879be.json"), "utf8"),
) as Template;

const removeHash = (id: string): string => id.replace(/[0-9A-F]{8}$/, "");
/** Lists the replaced and removed resources that store data or have an address. */
const listLostData = ({ gone }: Walk): string[] =>
  gone
    .filter(({ type }) => /DynamoDB|UserPool$|Secret|SQS::Queue$|SNS::Topic$|Logs::LogGroup/.test(type))
    .map(({ id, how, kept }) => `${removeHash(id)} ${how}${kept ? ", kept" : ""}`);
describe("an upgrade from the template of commit 57879be to the current one", () => {
  const there = walkUpgrade(earlier, today);

  test("replaces functions, triggers and alarms, and nothing that stores data or has an address", () => {
    const may = ["ApiGatewayV2::Integration", "IAM::Role", "Lambda::Function", "Logs::MetricFilter"];

    expect(there.gone.length).toBeGreaterThan(50);
    expect(there.gone.filter(({ type }) => !may.includes(type.replace("AWS::", "")))).toEqual([]);
  });

  test("keeps all resources that store data when it is reverted, except inbound queues, which the earlier template lacks", () => {
    expect(listLostData(walkUpgrade(today, earlier))).toEqual([
      "InboundDeadLetterQueue removed",
      "InboundQueue removed",
    ]);
  });

  test.each([
    ["to the current template", earlier, today],
    ["back to the earlier template", today, earlier],
  ])("causes no conflict and no missing permission during the update %s", (_, from, to) => {
    const { collisions, gaps } = walkUpgrade(from, to);

    expect({ collisions, gaps }).toEqual({ collisions: [], gaps: [] });
  });
});

describe("a change of the current template", () => {
  const createTemplateWith = (allRoutes: readonly Route[]): Template =>
    templateOf(aStack(prod, createApp(), allRoutes));
  const first: Route = {
    method: "GET",
    path: "/v1/first",
    entry: "first/get-first",
    function: "read-first",
    exported: "reads",
    summary: "Get the first",
    answers: {},
    auth: "session",
    access: { table: ["GetItem"] },
  };

  test("moves no function to another role if it adds a route before all other routes", () => {
    const more = createTemplateWith([first, ...routes]);
    const listRoles = (template: Template): Record<string, unknown> =>
      Object.fromEntries(
        Object.entries(template).flatMap(([id, resource]): [string, unknown][] => {
          const role = valueAt(resource, "Role") ?? valueAt(resource, "CredentialsArn");
          return role === undefined ? [] : [[id, role]];
        }),
      );

    expect(listRoles(more)).toMatchObject(listRoles(today));
    const { gone, gaps, collisions } = walkUpgrade(today, more);
    expect({ gone, gaps, collisions }).toEqual({ gone: [], gaps: [], collisions: [] });
  });

  test("removes the old role if it removes a function's permission, and no function lacks a permission during the update", () => {
    const less = routes.map((route) =>
      route.entry === "events/post-event" ? { ...route, access: { ...route.access, sendsTo: [] } } : route,
    );

    const { gone, gaps } = walkUpgrade(today, createTemplateWith(less));

    expect(gone.map(({ type, how }) => `${type} ${how}`)).toEqual(["AWS::IAM::Role removed"]);
    expect(gaps).toEqual([]);
  });

  test("keeps the old request log with its lines if it renames the log", () => {
    const renamed = JSON.parse(JSON.stringify(today).replaceAll("/http-access", "/http-requests")) as Template;

    expect(listLostData(walkUpgrade(today, renamed))).toEqual(["HttpAccessLogs replaced, kept"]);
  });

  test("that switches to a restored table keeps the stack's own table, and no function loses access to either", () => {
    const restored = walkUpgrade(today, templateWith({ ...prod, tableName: "event-alerting-prod-restored" }));

    expect(listLostData(restored)).toEqual(["DataTable removed, kept"]);
    expect(restored.gaps).toEqual([]);
  });
});

test("the upgrade check finds a role that loses permissions before its function is replaced, and a new resource whose name is in use", () => {
  const createRole = (actions: string[]): Resource => ({
    Type: "AWS::IAM::Role",
    Properties: {
      Policies: [{ PolicyDocument: { Statement: [{ Effect: "Allow", Action: actions, Resource: "t" }] } }],
    },
  });
  const f: Resource = {
    Type: "AWS::Lambda::Function",
    Properties: { FunctionName: "f", Role: { "Fn::GetAtt": ["Role", "Arn"] } },
  };

  const { gaps, collisions } = walkUpgrade(
    { Role: createRole(["a", "b"]), F: f },
    { Role: createRole(["b", "c"]), F: f, Again: { ...f, Properties: { ...f.Properties } } },
  );

  expect(gaps).toEqual(["F"]);
  expect(collisions).toEqual(["AWS::Lambda::Function f"]);
});
