import { describe, expect, test } from "vitest";
import type { Access } from "../../interface/access.ts";
import { toFunctionName } from "../../lib/build.ts";
import { groupByFunction, fallback, routes, site } from "../../interface/routes.ts";
import { timers, workers } from "../../lib/workers.ts";
import { valueAt, idAt, idOf, listAt, type Resource, resourcesOf, textAt, nameOf } from "./support.ts";

const resources = resourcesOf();
const functions = resources("AWS::Lambda::Function");
const roles = new Map(resources("AWS::IAM::Role"));

type Statement = { Effect: string; Action: string | string[]; Resource: unknown };
const listStatements = (role: Resource | undefined): Statement[] =>
  listAt<{ PolicyDocument: { Statement: Statement[] } }>(role, "Policies").flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement,
  );
const roleOf = (resource: Resource) => roles.get(idAt(resource, "Role"));

describe("the IAM permissions of a stage", () => {
  test("share a role only between functions with equal permissions, and use no managed policy", () => {
    const accessOf = new Map<string, Access>(
      [
        ...groupByFunction(routes),
        ...[fallback, site, ...workers, ...timers].map(({ entry, access }) => ({
          name: toFunctionName(entry),
          access,
        })),
      ].map(({ name, access }) => [name, access]),
    );
    const sharing = Map.groupBy(functions, ([, f]) => idAt(f, "Role"));

    for (const group of sharing.values()) {
      const allowed = group.map(([, f]) => {
        const { table: actions, sendsTo = [], readsSecrets = [] } = accessOf.get(nameOf(f))!;
        return [actions.toSorted(), sendsTo, readsSecrets];
      });
      expect(allowed).toEqual(group.map(() => allowed[0]));
    }
    expect([...roles.values()].filter(({ Properties }) => "ManagedPolicyArns" in Properties)).toEqual([]);
    expect(resources("AWS::IAM::Policy")).toEqual([]);
  });

  test("let the API call its functions by roles that may do nothing but call these functions", () => {
    const of = resourcesOf({ stage: "twelve-chars" });
    const integrations = of("AWS::ApiGatewayV2::Integration");
    const selves = integrations.filter(([, one]) => valueAt(one, "IntegrationType") === "HTTP_PROXY");
    expect(selves.map(([, one]) => valueAt(one, "IntegrationMethod"))).toEqual(["GET"]);
    const called = integrations
      .filter((one) => !selves.includes(one))
      .map(([, integration]) => ({
        role: idAt(integration, "CredentialsArn"),
        callee: idAt(integration, "IntegrationUri"),
      }));
    const callers = of("AWS::IAM::Role").filter(([, role]) =>
      JSON.stringify(role).includes("apigateway.amazonaws.com"),
    );

    expect(callers.length).toBeGreaterThan(0);
    for (const [id, role] of callers) {
      const [statement, ...others] = listStatements(role);
      expect(others).toEqual([]);
      expect(statement).toMatchObject({ Effect: "Allow", Action: "lambda:InvokeFunction" });
      const mine = called.filter((one) => one.role === id).map(({ callee }) => callee);
      expect([statement!.Resource].flat().map(idOf).sort()).toEqual(mine.sort());
      // IAM allows 10,240 characters of inline policies per role.
      const names = new Map(
        of("AWS::Lambda::Function").map(([function_, f]) => [function_, textAt(f, "FunctionName")]),
      );
      const arns = mine.map((callee) => `"arn:aws:lambda:ap-southeast-1:123456789012:function:${names.get(callee)}",`);
      expect(arns.join("").length).toBeLessThan(9_500);
    }
    const principals = of("AWS::Lambda::Permission").map(([, permission]) => textAt(permission, "Principal"));
    expect(new Set(principals)).toEqual(new Set(["events.amazonaws.com"]));
  });

  test("have no wildcard, except for X-Ray if tracing is on, because X-Ray supports no resources", () => {
    const statements = [...roles.values()].flatMap(listStatements);
    const traced = resourcesOf({ tracing: "true" });
    // Conditions may have wildcards, because they only limit a grant.
    const hasWildcard = ({ Action, Resource }: { Action: unknown; Resource: unknown }) =>
      JSON.stringify([Action, Resource]).includes("*");
    const wild = traced("AWS::IAM::Role")
      .flatMap(([, role]) => listStatements(role))
      .filter(hasWildcard);

    expect(statements.filter(hasWildcard)).toEqual([]);
    expect(wild.length).toBeGreaterThan(0);
    for (const { Action, Resource } of wild)
      expect([Action, Resource]).toEqual([["xray:PutTelemetryRecords", "xray:PutTraceSegments"], "*"]);
    const listTracingModes = (allFunctions: typeof functions) =>
      new Set(allFunctions.map(([, f]) => valueAt(f, "TracingConfig.Mode")));
    expect(listTracingModes(traced("AWS::Lambda::Function"))).toEqual(new Set(["Active"]));
    // PassThrough must be explicit: if a function was traced before, Lambda refuses a role without the permission for X-Ray.
    expect(listTracingModes(functions)).toEqual(new Set(["PassThrough"]));
  });

  test("let only push senders read FCM's service account, and only signers and verifiers of receipt tokens read the receipt key", () => {
    const listReaders = (secret: string) =>
      functions
        .filter(([, f]) => JSON.stringify(listStatements(roleOf(f))).includes(secret))
        .map(([, f]) => nameOf(f))
        .sort();

    expect(listReaders("FcmServiceAccount")).toEqual(["sender", "test-device"]);
    expect(listReaders("ReceiptKey")).toEqual(["sender", "take-receipt", "test-device"]);
  });

  test("let a function write to one log group with the stage's retention: its own, or one that the endpoints share", () => {
    const groups = new Map(resourcesOf({ logRetentionDays: 7 })("AWS::Logs::LogGroup"));
    const own = functions.map(([, f]) => idAt(f, "LoggingConfig.LogGroup"));

    const alone = own.filter((group) => own.indexOf(group) === own.lastIndexOf(group));
    expect(new Set(own).size).toBe(alone.length + 1);
    expect([...groups.values()].every(({ Properties }) => Properties["RetentionInDays"] === 7)).toBe(true);
    for (const [, f] of functions) {
      const writes = listStatements(roleOf(f)).filter(({ Action }) => Action.includes("logs:PutLogEvents"));
      expect(writes.map(({ Resource }) => idOf(Resource))).toEqual([idAt(f, "LoggingConfig.LogGroup")]);
    }
  });
});
