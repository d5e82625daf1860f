import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import * as v from "valibot";
import { beforeEach, expect, it } from "vitest";
import { replyOk } from "../../../functions/http/endpoint.ts";
import { serve } from "../../../functions/http/serve.ts";
import type { Operations } from "../../../interface/contract.ts";
import { call } from "../../world/http.ts";

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: "local" }));
const dynamodb = mockClient(client);
const deps = {
  table: { name: "events", client },
  log: { info: () => {}, warn: () => {}, error: () => {}, metric: () => {} },
};

const Name = v.strictObject({ name: v.string() });
const operations = {
  renameGroup: {
    method: "PUT",
    path: "/v1/workspaces/{workspaceId}/groups/{groupId}",
    role: "manager",
    forPeople: true,
    summary: "Rename a group",
    body: Name,
    versioned: true,
    answers: { 200: {} },
    access: { table: [] },
  },
  changeGroup: {
    method: "PATCH",
    path: "/v1/workspaces/{workspaceId}/groups/{groupId}",
    role: "viewer",
    summary: "Change a group",
    change: Name,
    answers: { 200: {} },
    access: { table: [] },
    also: [{ method: "POST", path: "/v1/workspaces/{workspaceId}/groups/{groupId}" }],
  },
} as const satisfies Operations;

const shown = { id: "grp_1", name: "Day" };
const served = serve(deps, operations, {
  renameGroup: async ({ as, caller, workspaceId, groupId, body, expected }) =>
    replyOk({
      by: as.table.author?.userId,
      caller: caller.name,
      workspaceId,
      groupId,
      body,
      expected: expected ?? null,
    }),
  changeGroup: async ({ change }) => replyOk(change(shown)),
});

const RENAME = "PUT /v1/workspaces/{workspaceId}/groups/{groupId}";
const as = "usr_0123456789abcdef0123456789abcdef";
const good = {
  routeKey: RENAME,
  method: "PUT",
  as,
  path: { workspaceId: "ws_0000000000000001", groupId: "grp_0000000000000001" },
  headers: { "if-match": '"3"' },
  body: { name: "Night" } as object | string,
};
const setRole = (role: string | undefined) =>
  dynamodb
    .reset()
    .onAnyCommand()
    .resolves(
      role === undefined
        ? {}
        : {
            Item: {
              userId: as,
              name: "Ann",
              email: "a@b.cd",
              role,
              createdAt: "2026-01-01T00:00:00.000Z",
              owners: new Set(["usr_1"]),
            },
          },
    );

beforeEach(() => {
  setRole("manager");
});

it("a handler gets the caller, the ids in the path, the body, the expected version, and the author of its changes", async () => {
  expect(await call(served, good)).toMatchObject({
    status: 200,
    body: {
      by: as,
      caller: "Ann",
      workspaceId: "ws_0000000000000001",
      groupId: "grp_0000000000000001",
      body: { name: "Night" },
      expected: [3],
    },
  });
});

it("the checks of a request have a fixed order: session, person or machine, membership, role, id, body, version", async () => {
  const readCode = async (request: object) => {
    const { status, body } = await call<{ code?: string; errors?: { field: string }[] }>(served, request);
    return [status, body.code, ...(body.errors?.map(({ field }) => field) ?? [])];
  };
  const wrong = {
    ...good,
    path: { workspaceId: "ws_0000000000000001", groupId: "rule_1" },
    headers: { "if-match": "3" },
    body: "{",
  };

  setRole(undefined);
  expect(await readCode({ ...wrong, as: { token_use: "id" } })).toEqual([401, "unauthenticated"]);
  expect(await readCode({ ...wrong, as: `mch_${as.slice(4)}` })).toEqual([403, "people_only"]);
  expect(await readCode(wrong)).toEqual([403, "not_a_member"]);
  setRole("viewer");
  expect(await readCode(wrong)).toEqual([403, "role_required"]);
  setRole("manager");
  expect(await readCode(wrong)).toEqual([404, "not_found"]);
  expect(await readCode({ ...wrong, path: good.path })).toEqual([400, "malformed_json"]);
  expect(await readCode({ ...wrong, path: good.path, body: { nam: "x" } })).toEqual([
    422,
    "invalid_input",
    "name",
    "nam",
  ]);
  expect(await readCode({ ...wrong, path: good.path, body: good.body })).toEqual([422, "invalid_input", "If-Match"]);
});

it("an update of one field runs the operation for that field, even if the body has unchanged fields, too", async () => {
  const change = { ...good, method: "POST", routeKey: RENAME.replace("PUT", "POST"), headers: {} };

  expect(await call(served, { ...change, body: { id: "grp_1", name: "Night" } })).toMatchObject({
    status: 200,
    body: { name: "Night" },
  });
});

it("a request for a route that the function does not handle gets the status 500", async () => {
  expect(await call(served, { ...good, routeKey: "GET /v1/groups" })).toMatchObject({ status: 500 });
});
