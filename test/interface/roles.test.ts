import { describe, expect, it } from "vitest";
import { includesRole, roles, type Role } from "../../core/domain/people/role.ts";
import { routes, type Route } from "../../interface/routes.ts";
import { listPathParameters } from "../../interface/contract.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice, bob } from "../support/people.ts";
import { askRoute } from "../support/routes.ts";

const { app, mine, ask, get } = await startFilled();

type Problem = { code?: string; required?: Role; role?: Role; detail?: string };
type Shown = { userId: string; role: Role };

const createUserId = (n: number) => `usr_${String(n).padStart(32, "0")}`;
const [vera, mona, olga, leo] = [createUserId(21), createUserId(22), createUserId(23), createUserId(24)] as const;
const addMember = (userId: string, role?: Role, as = alice) =>
  ask<Shown>(
    "POST",
    "/members",
    { userId, name: userId.slice(-2), email: `${userId.slice(-2)}@acme.example`, role },
    as,
  );
const setRole = (userId: string, role: Role, as = alice) =>
  ask<Shown & Problem>("PATCH", `/members/${userId}`, { role }, as);
await addMember(vera, "viewer");
await setRole(bob, "responder");
await addMember(mona);
await addMember(olga, "owner");
await addMember(leo);

/** One member with each role. The workspace's shifts and group memberships are Bob's. */
const callers = { viewer: vera, responder: bob, manager: mona, owner: olga } as const satisfies Record<Role, string>;

const ofWorkspace = routes.filter(({ path }) => listPathParameters(path).includes("workspaceId"));
const cases = ofWorkspace.flatMap((route) =>
  roles.map((role) => [`${route.method} ${route.path}`, role, route] as const),
);

const callRoute = (route: Route, as: string) => {
  const ids = { ...mine, ...(route.entry.startsWith("members/") ? { userId: leo } : {}) };
  return askRoute<Problem>(app, route, { as }, ids);
};

const readEverything = async () => {
  const lists = ["", "/members", "/api-keys", "/routing-rules", "/groups", "/events", "/notifications", "/silences"];
  const more = ["/heartbeats", "/escalation-policies", `/groups/${mine.groupId}/on-call`];
  return Promise.all([...lists, ...more].map((path) => get(path)));
};

describe("a request to add a member", () => {
  it("is refused if the field role is misspelt, and accepted with a read-only field, which is ignored", async () => {
    const person = { userId: createUserId(25), name: "Nia", email: "nia@acme.example" };
    expect((await ask("POST", "/members", { ...person, rol: "viewer" })).body).toMatchObject({
      code: "invalid_input",
      errors: [{ field: "rol", message: "rol is not a field that can be set here. Did you mean role?" }],
    });
    const added = await ask("POST", "/members", { ...person, role: "viewer", createdAt: "2026-01-01T00:00:00.000Z" });
    expect(added).toMatchObject({ status: 201, body: { role: "viewer" } });
  });
});

describe("of the routes of a workspace,", () => {
  it("each names the required role, and only three GET routes require more than viewer", () => {
    expect(ofWorkspace.filter(({ role }) => role === undefined)).toEqual([]);
    const closed = ofWorkspace.filter(({ method, role }) => method === "GET" && role !== "viewer");
    expect(closed.map(({ entry, role }) => [entry, role])).toEqual([
      ["invitations/list-invitations", "owner"],
      ["audit/list-audit", "owner"],
      ["webhooks/get-switch", "owner"],
    ]);
  });

  const refused = cases.filter(([, role, route]) => !includesRole(role, route.role!));
  it.each(refused)(
    "%s is refused to the role %s, with the name of the required role, and changes nothing",
    async (_, role, route) => {
      const before = await readEverything();

      expect(await callRoute(route, callers[role])).toMatchObject({
        status: 403,
        headers: { "Content-Type": "application/problem+json" },
        body: { code: "role_required", required: route.role, role },
      });
      expect(await readEverything()).toEqual(before);
    },
  );

  // Tested last, because these requests delete their target.
  const allowed = cases.filter(([, role, route]) => includesRole(role, route.role!));
  it.each(allowed.toSorted(([, , one], [, , other]) => rankMethod(one) - rankMethod(other)))(
    "%s is open to the role %s",
    async (_, role, route) => {
      const { status, body } = await callRoute(route, callers[role]);

      expect({ status, code: body?.code }).not.toMatchObject({ code: "role_required" });
      expect([401, 403, 500]).not.toContain(status);
    },
  );
});

const rankMethod = ({ method }: Route): number => ["GET", "POST", "PUT", "PATCH", "DELETE"].indexOf(method);
