import assert from "node:assert/strict";
import * as v from "valibot";
import type { Answer } from "../client.ts";
import { createSection } from "../check.ts";
import { expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import { NewApiKey, Rule } from "../shapes.ts";
import { postRule, createGroup, withGroup, type WorkspaceClient, type World } from "../world.ts";

/** Returns a function that sends a request as the owner, with the header If-Match. */
const createIfMatchClient =
  ({ client }: World, workspace: WorkspaceClient) =>
  (method: string, path: string, ifMatch: string, body?: object) =>
    client(method, `/v1/workspaces/${workspace.id}${path}`, {
      token: workspace.owner.token,
      headers: { "if-match": ifMatch },
      ...(body === undefined ? {} : { body }),
    });

export const versions = [
  ...createSection("Concurrent edits", {
    "accepts a change only of the version that its author read, or else answers 412": (world) =>
      withGroup(world.acme, async (groupId) => {
        const { acme } = world;
        const ask = createIfMatchClient(world, acme);
        const { id } = expectBody(await postRule(acme, groupId, {}), 201, Rule);
        const path = `/routing-rules/${id}`;
        const tag = (await acme.ask("GET", path)).headers.get("etag") ?? "";
        assert.match(tag, /^"[^"]+"$/, "a GET of one thing carries its ETag");

        const first = expectStatus(await ask("PATCH", path, tag, { name: "Mine" }), 200);
        assert.notEqual(first.headers.get("etag"), tag);
        const late = expectProblem(await ask("PATCH", path, tag, { name: "Theirs" }), 412, "changed_meanwhile");
        assert.match(late.detail, /read it again/i);
        expectProblem(await ask("DELETE", path, tag), 412, "changed_meanwhile");
        assert.equal((await acme.read(path, Rule)).name, "Mine");

        const again = expectStatus(await ask("PATCH", path, tag, { name: "Mine" }), 200);
        assert.equal(again.headers.get("etag"), first.headers.get("etag"), "the same again makes no version");
        expectStatus(await ask("PATCH", path, "*", { name: "Any" }), 200);
        expectFaults(await ask("PATCH", path, "3", { name: "Any" }), "If-Match");
        const now = (await acme.ask("GET", path)).headers.get("etag") ?? "";
        expectStatus(await ask("DELETE", path, now), 204);
      }),
    "gives groups, policies, silences, heartbeats, keys, schedules and the workspace an ETag, too": async (world) => {
      const workspace = await world.fresh();
      const ask = createIfMatchClient(world, workspace);
      const groupId = await createGroup(workspace);
      const schedule = { timeZone: "UTC", layers: [] };
      expectStatus(await workspace.ask("PUT", `/groups/${groupId}/on-call`, schedule), 200);
      const policy = await workspace.ask("POST", "/escalation-policies", { name: "P", repeat: 0, steps: [] });
      const key = await workspace.create("/api-keys", { name: "K" }, NewApiKey);
      const silence = await workspace.ask("POST", "/silences", {
        name: "S",
        eventKey: "nothing.ever",
        endsAt: "2099-01-01T00:00:00Z",
      });
      const heartbeat = await workspace.ask("POST", "/heartbeats", { name: "H", everySeconds: 3600 });
      const readId = (answer: Answer): string => expectBody(answer, 201, v.looseObject({ id: v.string() })).id;
      const paths = [
        "",
        `/groups/${groupId}/on-call`,
        `/groups/${groupId}`,
        `/escalation-policies/${readId(policy)}`,
        `/silences/${readId(silence)}`,
        `/heartbeats/${readId(heartbeat)}`,
        `/api-keys/${key.id}`,
      ];
      for (const path of paths) {
        const answer = expectStatus(await workspace.ask("GET", path), 200);
        assert.match(answer.headers.get("etag") ?? "", /^"[^"]+"$/, `${path} carries its ETag`);
      }
      for (const path of paths.slice(2)) expectProblem(await ask("DELETE", path, '"999"'), 412, "changed_meanwhile");
      expectProblem(await ask("PATCH", "", '"999"', { name: "Other" }), 412, "changed_meanwhile");
      const other = { timeZone: "Europe/Berlin", layers: [] };
      expectProblem(await ask("PUT", `/groups/${groupId}/on-call`, '"999"', other), 412, "changed_meanwhile");
    },
    "accepts what was read as a change, with its read-only fields": async ({ fresh }) => {
      const workspace = await fresh();
      const groupId = await createGroup(workspace, workspace.people);
      const layers = [
        {
          start: "2026-03-02T09:00",
          every: 1,
          unit: "day",
          participants: workspace.people.map(({ userId }) => userId),
        },
      ];
      const put = await workspace.ask("PUT", `/groups/${groupId}/on-call`, { timeZone: "Europe/Berlin", layers });
      expectStatus(put, 200);
      for (const path of ["", `/groups/${groupId}`]) {
        const read = await workspace.ask("GET", path);
        const back = expectStatus(await workspace.ask("PATCH", path, read.body), 200);
        assert.equal(back.headers.get("etag"), read.headers.get("etag"));
        expectFaults(await workspace.ask("PATCH", path, { ...v.parse(v.looseObject({}), read.body), id: "x_1" }), "id");
      }
      const read = await workspace.ask("GET", `/groups/${groupId}/on-call`);
      const before = await workspace.ask("GET", `/groups/${groupId}/on-call/now?at=2030-01-01T00:00:00Z`);
      const back = expectStatus(await workspace.ask("PUT", `/groups/${groupId}/on-call`, read.body), 200);
      assert.equal(back.headers.get("etag"), read.headers.get("etag"));
      const after = await workspace.ask("GET", `/groups/${groupId}/on-call/now?at=2030-01-01T00:00:00Z`);
      assert.deepEqual(after.body, before.body);
    },
  }),
];
