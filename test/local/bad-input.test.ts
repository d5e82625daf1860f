import { readdirSync, readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeDirectory, newEvent, startLocalService, useWorkspace } from "../support/local-service.ts";

/*
 * Tests requests with an invalid path or method. Invalid sessions are tested in http/gateway.test.ts, and invalid API keys
 * and bodies by conformance/, whose checks CI runs on this service.
 */

const dir = makeDirectory();
const service = await startLocalService(dir);
afterAll(() => service.stop());
const acme = useWorkspace(service, "Acme");

type Sent = { method?: string; path: string; headers?: Record<string, string | string[]>; body?: string | Buffer };

/** Transmits the path and the headers unchanged. */
const send = ({ method = "GET", path, headers = {}, body }: Sent) =>
  new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    const outgoing = httpRequest(service.session.baseUrl, { method, path, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body: text === "" ? undefined : JSON.parse(text) }),
      );
    });
    outgoing.on("error", reject).end(body);
  });

const json = { "content-type": "application/json" };
const createAuthorization = () => ({ authorization: `Bearer ${acme.members[0]!.token}` });

/** Reads the used units, without those of the sweeper, which runs every minute. */
const readUnits = async (): Promise<number> => {
  const { functions } = (await service.control("GET", "/meters")) as {
    functions: Record<string, { readUnits: number }>;
  };
  const units = Object.entries(functions).map(([name, used]) => (name === "sweeper" ? 0 : used.readUnits));
  return units.reduce((sum, one) => sum + one, 0);
};

describe("an invalid id in the path of a request", () => {
  const noIds = [
    "%23",
    "a%23b",
    "%2F..",
    "..%2F..",
    "%2e%2e",
    "%00",
    "grp_a%0d%0a",
    "$",
    "%F0%9F%99%82",
    "x".repeat(3000),
  ];
  // The gateway decodes all routes in the same way; test/interface covers each route.
  const asked = [
    ["GET", "/groups/:id/members"],
    ["GET", "/events/:id"],
    ["PATCH", "/notifications/:id"],
    ["GET", "/event-types/:id"],
  ] as const;

  it.each(asked)("is answered with 404 for %s %s, and only the membership is read", async (method, path) => {
    await service.control("DELETE", "/meters");

    for (const id of noIds) {
      const address = `/v1/workspaces/${acme.id}${path.replace(":id", id)}`;
      expect({ id, ...(await send({ method, path: address, headers: createAuthorization() })) }).toMatchObject({
        id,
        status: 404,
        body: { code: "not_found" },
      });
    }

    expect(await readUnits()).toBe(noIds.length);
  });

  it("is answered with 400 if it cannot be decoded, and nothing is read", async () => {
    await service.control("DELETE", "/meters");

    const answer = await send({
      path: `/v1/workspaces/${acme.id}/groups/%E0%A4%A/members`,
      headers: createAuthorization(),
    });

    expect(answer.status).toBe(400);
    expect(await readUnits()).toBe(0);
  });

  it("is answered with 403 if it takes the place of the workspace's id, and nothing is read", async () => {
    await service.control("DELETE", "/meters");

    for (const id of noIds) {
      const answer = await send({ path: `/v1/workspaces/${id}/groups`, headers: createAuthorization() });
      expect({ id, ...answer }).toMatchObject({ id, status: 403, body: { code: "not_a_member" } });
    }

    expect(await readUnits()).toBe(0);
  });
});

describe("an HTTP method in a header, in the query or in the body", () => {
  const headers = { "x-http-method-override": "DELETE", "x-http-method": "DELETE", "x-method-override": "DELETE" };

  it("is ignored, so that an update does not become a deletion", async () => {
    const group = await acme.call<{ id: string }>("POST", "/groups", { name: "Kept" });
    const rule = await acme.call<{ id: string }>("POST", "/routing-rules", {
      name: "Kept",
      eventKey: "never.sent",
      targets: [{ type: "group", groupId: group.id }],
    });

    const answer = await send({
      method: "PATCH",
      path: `/v1/workspaces/${acme.id}/routing-rules/${rule.id}?_method=DELETE`,
      headers: { ...json, ...headers, ...createAuthorization() },
      body: '{"enabled":false}',
    });

    expect(answer).toMatchObject({ status: 200, body: { id: rule.id, enabled: false } });
    expect(await acme.call("GET", "/routing-rules")).toContainEqual(expect.objectContaining({ id: rule.id }));
  });

  it("does not turn a GET into a POST", async () => {
    const path = `/v1/workspaces/${acme.id}/groups`;
    const override = { "x-http-method-override": "POST", "x-http-method": "POST", "x-method-override": "POST" };
    const before = await acme.call("GET", "/groups");

    const answer = await send({
      path,
      headers: { ...json, ...override, ...createAuthorization(), "content-length": "22" },
      body: '{"name":"Made by GET"}',
    });

    expect(answer.status).toBe(200);
    expect(await acme.call("GET", "/groups")).toStrictEqual(before);
  });
});

it("line breaks and terminal codes in an event reach neither a log nor the terminal", async () => {
  const evil = '\r\n\u001b[2J\u009b31m\u2028{"level":"FATAL","code":"forged"}';
  const group = await acme.call<{ id: string }>("POST", "/groups", { name: `Odd${evil}` });
  await acme.call("POST", `/groups/${group.id}/members`, { userId: acme.members[0]!.userId });
  await acme.call("POST", "/devices", { token: "odd-phone", platform: "ios", name: `Odd${evil}` });
  await acme.call("POST", "/routing-rules", {
    name: `Odd${evil}`,
    eventKey: "odd.text",
    targets: [{ type: "group", groupId: group.id }],
  });

  const data = { site: "https://a.example", site_name: `S${evil}`, [`k${evil}`]: evil };
  const sent = await acme.send(
    newEvent("odd.text", { title: `T${evil}`, body: evil, detail: evil, dedupeKey: evil, data }),
  );

  expect(sent.status).toBe(201);
  await expect.poll(() => service.output()).toContain("arrived at odd-phone");
  const readLog = (file: string) => readFileSync(join(dir, "logs", file), "utf8");
  // A log file exists a moment before its first line.
  const listFunctionLogs = () =>
    readdirSync(join(dir, "logs")).filter((file) => file !== "local.log" && readLog(file) !== "");
  await expect.poll(listFunctionLogs).toEqual(expect.arrayContaining(["post-event.log", "matcher.log", "sender.log"]));
  const logs = listFunctionLogs();
  for (const file of logs)
    for (const line of readLog(file).trimEnd().split("\n"))
      expect({ file, line }).toMatchObject({ line: expect.stringMatching(/^\{[\x20-\x7e]*\}$/) as string });
  // eslint-disable-next-line no-control-regex -- it is what must not be there
  expect(service.output()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect(service.output()).not.toMatch(/^\{"level":"FATAL"/m);
});
