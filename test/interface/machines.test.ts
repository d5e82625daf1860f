import { describe, expect, it } from "vitest";
import { includesRole, type Role } from "../../core/domain/people/role.ts";
import { saveMember } from "../../core/store/people/members.ts";
import { routes, type Route } from "../../interface/routes.ts";
import { listPathParameters } from "../../interface/contract.ts";
import { createBodies } from "../support/bodies.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice } from "../support/people.ts";
import { askRoute, listNamedRoutes } from "../support/routes.ts";
import { createOperatorAuthor } from "../../core/domain/workspace/audit.ts";

const { app, mine, ask, get, send } = await startFilled();

type Problem = { code?: string; errors?: { field: string; message: string }[] };
type Member = { userId: string; name: string; email: string; role: Role };

const deps = { ...app.deps, table: { ...app.deps.table, author: createOperatorAuthor("req_1") } };
const createMachineId = (n: number) => `mch_${"c".repeat(25)}${n}`;
const [viewer, manager, stranger] = [createMachineId(1), createMachineId(2), createMachineId(3)] as const;
await saveMember(deps, mine.workspaceId, { userId: viewer, name: "plan", email: "", role: "viewer" });
await saveMember(deps, mine.workspaceId, { userId: manager, name: "ci", email: "", role: "manager" });

const callRoute = (route: Route, as: string) => askRoute<Problem>(app, route, { as }, mine);
const withSession = routes.filter(({ auth }) => auth === "session");

describe("resolving an event", () => {
  const resolveEvent = (eventId: string, as: string) =>
    ask<Problem & { state?: string }>("POST", `/events/${eventId}/resolve`, {}, as);
  const createEventBody = (title: string) => ({ event: "disk.full", title, body: "2 % left" });

  it("is possible before an acknowledgement only for people, and for the machine whose API key sent the event", async () => {
    const { key } = (await ask<{ key: string }>("POST", "/api-keys", { name: "CI" }, manager)).body;
    const own = await app.ask<{ eventId: string }>("/v1/events", {
      method: "POST",
      apiKey: key,
      body: createEventBody("Own"),
    });
    const other = await send(createEventBody("Other"));
    await app.work();

    expect(await resolveEvent(other, manager)).toMatchObject({ status: 403, body: { code: "people_only" } });
    expect(await resolveEvent(own.body.eventId, manager)).toMatchObject({ status: 200, body: { state: "resolved" } });
    expect(await get(`/events/${other}`)).toMatchObject({ state: "open", resolvedBy: null });
    expect(await resolveEvent(other, alice)).toMatchObject({ status: 200 });
  });

  it("is possible for a machine once a person has acknowledged the event", async () => {
    const eventId = await send(createEventBody("Seen"));
    await app.work();
    await ask("POST", "/events/acknowledge", { eventIds: [eventId] });

    expect(await resolveEvent(eventId, manager)).toMatchObject({ status: 200, body: { state: "resolved" } });
    expect(await resolveEvent(eventId, manager)).toMatchObject({ status: 200, body: { state: "resolved" } });
  });
});

describe("a route of the API", () => {
  it("is closed to machines only if this test lists it", () => {
    const entries = routes.filter(({ forPeople }) => forPeople === true).map(({ entry }) => entry);
    expect(entries.sort()).toEqual([
      "calendars/delete-my-calendar",
      "calendars/renew-my-calendar",
      "covers/decline-cover",
      "covers/list-my-covers",
      "covers/take-cover",
      "covers/withdraw-cover",
      "devices/delete-device",
      "devices/get-web-push-key",
      "devices/list-devices",
      "devices/register-device",
      "devices/test-device",
      "devices/verify-device",
      "events/acknowledge-events",
      "events/snooze-event",
      "invitations/accept-invitation",
      "invitations/list-my-invitations",
      "notification-rules/get-notification-rules",
      "notification-rules/put-notification-rules",
      "notifications/update-notification",
      "on-call/list-my-shifts",
      "slack/tie-slack-account",
      "slack/untie-slack-account",
      "workspaces/create-workspace",
    ]);
  });

  it.each(listNamedRoutes(withSession.filter(({ forPeople }) => forPeople === true)))(
    "%s is refused to a machine, whatever its role",
    async (_, route) => {
      expect(await callRoute(route, manager)).toMatchObject({ status: 403, body: { code: "people_only" } });
    },
  );

  const others = withSession.filter(
    ({ forPeople, path }) => forPeople !== true && listPathParameters(path).includes("workspaceId"),
  );
  it.each(listNamedRoutes(others))("%s is refused to a machine that is not a member", async (_, route) => {
    expect(await callRoute(route, stranger)).toMatchObject({ status: 403, body: { code: "not_a_member" } });
  });

  it.each(listNamedRoutes(others.filter(({ role }) => !includesRole("viewer", role!))))(
    "%s is refused to a machine whose role does not allow it",
    async (_, route) => {
      expect(await callRoute(route, viewer)).toMatchObject({ status: 403, body: { code: "role_required" } });
    },
  );

  it.each(listNamedRoutes(others.filter(({ method, role }) => method === "GET" && role === "viewer")))(
    "%s can be read by a machine",
    async (_, route) => {
      expect((await callRoute(route, viewer)).status).toBe(200);
    },
  );
});

describe("a machine account", () => {
  it("is a member with its name and its role, without an address", async () => {
    expect((await get<Member[]>("/members")).find(({ userId }) => userId === manager)).toMatchObject({
      name: "ci",
      email: "",
      role: "manager",
      reachable: "no",
    });
    expect((await ask<Member>("GET", `/members/${manager}`)).body).toMatchObject({ name: "ci", role: "manager" });
  });

  it("is never a person: a token whose subject is its own client id gives no access as a user", async () => {
    const sub = "0".repeat(25);
    await saveMember(deps, mine.workspaceId, { userId: `usr_${sub}`, name: "Person", email: "p@acme.example" });

    const path = `/v1/workspaces/${mine.workspaceId}`;
    expect((await app.ask(path, { as: { token_use: "access", sub } })).status).toBe(200);
    expect((await app.ask(path, { as: { token_use: "access", sub, client_id: "another" } })).status).toBe(200);
    expect((await app.ask(path, { as: { token_use: "access", sub, client_id: sub } })).status).toBe(403);
  });

  it("sees the workspaces of which it is a member", async () => {
    expect((await app.ask<{ id: string }[]>("/v1/workspaces", { as: manager })).body).toMatchObject([
      { id: mine.workspaceId },
    ]);
    expect((await app.ask("/v1/workspaces", { as: stranger })).body).toEqual([]);
  });

  it("is named in what it creates, and in the audit trail", async () => {
    const { body } = await ask<{ id: string }>("POST", "/groups", { name: "Made by CI" }, manager);
    const actor = { id: manager, name: "ci" };

    const { items } = await get<{ items: object[] }>(`/audit?actor=${manager}&target=group`);
    expect(items).toMatchObject([{ actor, action: "created", target: { kind: "group", id: body?.id } }]);
    const made = await ask("POST", "/silences", createBodies(mine)["silences/create-silence"], manager);
    expect(made.body).toMatchObject({ createdBy: actor });
  });

  it.each([
    ["a member of a group", `/groups/${mine.groupId}/members`, { userId: manager }],
    [
      "a target of an escalation step",
      "/escalation-policies",
      { name: "To CI", steps: [{ delayMinutes: 1, targets: [{ type: "user", userId: manager }] }] },
    ],
    ["a person added to an event", `/events/${mine.eventId}/tell`, { userIds: [manager], note: "Look" }],
    ["a member with an address", "/members", { userId: stranger, name: "other", email: "x@acme.example" }],
  ])("is refused as %s", async (_, path, body) => {
    expect((await ask<Problem>("POST", path, body)).status).toBe(422);
  });

  it("cannot take a turn on call", async () => {
    const layer = { start: "2026-11-02T09:00", every: 1, unit: "day", participants: [manager] };
    const put = await ask("PUT", `/groups/${mine.groupId}/on-call`, { timeZone: "UTC", layers: [layer] });

    expect(put.status).toBe(422);
  });

  it("can be given another role by an owner, but never the role owner", async () => {
    const setRole = (role: Role) => ask<Member & Problem>("PATCH", `/members/${viewer}`, { role }, alice);

    expect(await setRole("owner")).toMatchObject({
      status: 422,
      body: { errors: [{ field: "role", message: "A machine cannot be an owner." }] },
    });
    expect(await setRole("responder")).toMatchObject({ status: 200, body: { role: "responder" } });
  });

  it("loses access at once when it is removed", async () => {
    expect((await ask("GET", "/groups", undefined, manager)).status).toBe(200);

    expect((await ask("DELETE", `/members/${manager}`)).status).toBe(204);

    expect(await ask("GET", "/groups", undefined, manager)).toMatchObject({ status: 403 });
    expect((await ask("DELETE", `/members/${manager}`)).status).toBe(404);
  });
});
