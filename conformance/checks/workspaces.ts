import assert from "node:assert/strict";
import * as v from "valibot";
import { section } from "../check.ts";
import { expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import { Device, GroupMember, ListedMember, Member, Workspace } from "../shapes.ts";
import { makeGroup } from "../world.ts";

export const workspaces = [
  ...section("Workspaces and members", {
    "who creates a workspace is its first member": async ({ client, session }) => {
      const { token, userId } = session.outsider;
      const made = expectBody(
        await client("POST", "/v1/workspaces", { token, body: { name: "Mine" } }),
        201,
        Workspace,
      );
      const root = `/v1/workspaces/${made.id}`;
      assert.deepEqual(expectBody(await client("GET", root, { token }), 200, Workspace), made);
      const mine = expectBody(await client("GET", "/v1/workspaces", { token }), 200, v.array(Workspace));
      assert.ok(mine.some(({ id }) => id === made.id));
      const members = expectBody(await client("GET", `${root}/members`, { token }), 200, v.array(ListedMember));
      assert.deepEqual(
        members.map((member) => member.userId),
        [userId],
      );
    },
    "PATCH renames it, and changes nothing else": async ({ fresh }) => {
      const house = await fresh();
      const before = expectBody(await house.ask("GET", ""), 200, Workspace);
      assert.deepEqual(expectBody(await house.ask("PATCH", "", { name: "Renamed" }), 200, Workspace), {
        ...before,
        name: "Renamed",
      });
      expectFaults(await house.ask("PATCH", "", { id: "ws_1", plan: 1 }), "id", "plan");
      expectFaults(await house.ask("PATCH", "", { name: "" }), "name");
    },
    "a workspace is listed to its members only": async ({ acme, globex, client }) => {
      const { token } = globex.owner;
      const list = expectBody(await client("GET", "/v1/workspaces", { token }), 200, v.array(Workspace));
      assert.ok(list.some(({ id }) => id === globex.id) && !list.some(({ id }) => id === acme.id));
    },
    "a member is added with userId, name and email, and can use the workspace at once": async ({ fresh, session }) => {
      const house = await fresh();
      const { userId, name, email, token } = session.outsider;
      expectStatus(await house.as({ token }, "GET", "/groups"), 403);
      const added = expectBody(await house.ask("POST", "/members", { userId, name, email }), 201, Member);
      assert.deepEqual([added.userId, added.name, added.email], [userId, name, email]);
      expectStatus(await house.as({ token }, "GET", "/groups"), 200);
      expectFaults(await house.ask("POST", "/members", {}), "userId", "name", "email");
      expectFaults(await house.ask("POST", "/members", { userId: "x", name, email: "x" }), "userId", "email");
    },
    "who is removed is out at once, and out of the groups": async ({ fresh, session }) => {
      const house = await fresh();
      const { userId, name, email, token } = session.outsider;
      await house.ask("POST", "/members", { userId, name, email });
      const groupId = await makeGroup(house, [session.outsider]);
      expectStatus(await house.as({ token }, "POST", "/devices", { token: `of-${house.id}`, platform: "web" }), 201);
      expectStatus(await house.ask("DELETE", `/members/${userId}`), 204);
      expectProblem(await house.as({ token }, "GET", "/groups"), 403, "not_a_member");
      const members = await house.ask("GET", `/groups/${groupId}/members`);
      assert.deepEqual(expectBody(members, 200, v.array(GroupMember)), []);
      expectProblem(await house.ask("DELETE", `/members/${userId}`), 404, "not_found");
      await house.ask("POST", "/members", { userId, name, email });
      assert.deepEqual(expectBody(await house.as({ token }, "GET", "/devices"), 200, v.array(Device)), []);
    },
    "the last member cannot be removed": async ({ fresh }) => {
      const house = await fresh();
      const [, second] = house.people;
      expectStatus(await house.ask("DELETE", `/members/${second?.userId ?? ""}`), 204);
      expectProblem(await house.ask("DELETE", `/members/${house.owner.userId}`), 409, "last_member");
      expectStatus(await house.ask("GET", ""), 200);
    },
  }),
];
