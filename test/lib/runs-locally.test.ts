import type { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { Code } from "aws-cdk-lib/aws-lambda";
import { expect, test } from "vitest";
import { createApp } from "../../lib/app.ts";
import { readConfig } from "../../lib/config.ts";
import { fallback, head, listOtherRoutes, routes, site } from "../../interface/routes.ts";
import { EventAlertingStack } from "../../lib/stack.ts";
import { readModel } from "../../local/template/model.ts";
import { parseTemplate } from "../../local/template/resolve.ts";

/** Reads the template of a stack whose bundles need not exist. */
const readTemplate = (app: App): unknown => {
  app.node.setContext("aws:cdk:disable-asset-staging", true);
  app.node.setContext("aws:cdk:enable-asset-metadata", true);
  const codeOf = (name: string): Code => {
    const code = Code.fromInline("exports.handler = 0");
    code.bindToResource = (resource) => resource.addMetadata("aws:asset:path", `/dist/${name}`);
    return code;
  };
  return Template.fromStack(new EventAlertingStack(app, { config: readConfig({}), codeOf })).toJSON();
};

test("the local service supports every resource in the template", () => {
  const model = readModel(parseTemplate(readTemplate(createApp())), {
    queues: "http://queues",
    api: "http://api",
    signIn: "http://sign-in",
  });

  expect(model.api.routes.map(({ method, path }) => `${method} ${path}`)).toEqual([
    ...routes.flatMap((route) => [route, ...listOtherRoutes(route)].map(({ method, path }) => `${method} ${path}`)),
    `GET ${fallback.path}`,
    ...["GET", "HEAD"].flatMap((method) => site.paths.map((path) => `${method} ${path}`)),
    ...site.opening.map((path) => `GET ${path}`),
    "$default ",
  ]);
  expect(model.api.selves).toMatchObject([{ method: "HEAD", path: head.path, asks: "GET" }]);
  expect(model.api.routes.filter(({ permitted }) => !permitted)).toEqual([]);
  // The console opens the local sign-in pages, which redirect back to the API's address.
  expect(model.functions.find(({ name }) => name === "serve-console")?.environment).toMatchObject({
    BASE_URL: "http://api",
    SIGN_IN_URL: "http://sign-in",
    USER_POOL_CLIENT_ID: model.signIn[0]?.id,
  });
  expect(model.signIn).toMatchObject([
    { callbackUrls: ["http://api/signed-in"], logoutUrls: ["http://api/login"], rotationGraceMs: 30_000 },
  ]);
  expect(model.consumers.map(({ functionName }) => functionName)).toEqual([
    "matcher",
    "sender",
    "escalator",
    "webhook-sender",
  ]);
  expect(model.schedules).toMatchObject([{ functionName: "sweeper", everyMs: 60_000, permitted: true }]);
});
