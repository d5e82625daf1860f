import { describe, expect, it } from "vitest";
import { createLinkToken } from "../../core/domain/connection/slack-request.ts";
import { includesRole } from "../../core/domain/people/role.ts";
import { listPathParameters } from "../../interface/contract.ts";
import { routes } from "../../interface/routes.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice } from "../support/people.ts";
import { askRoute, listNamedRoutes } from "../support/routes.ts";
import { slackApp } from "../support/slack.ts";
import { type Device, textsOf } from "./contacts.ts";

/*
 * Tests people who lost a right, and requests with a link or a code instead of a session. Other files test API keys and roles.
 */

const { app, mine, ask, get, send } = await startFilled();

type Problem = { code?: string };
const createUserId = (nr: number) => `usr_${String(nr).padStart(32, "0")}`;
const [invited, demoted, removed] = [createUserId(31), createUserId(32), createUserId(33)] as const;
const PHONE = "+4930999999";

await ask("POST", "/invitations", { email: "invited@acme.example", role: "owner" });
for (const [userId, name] of [
  [demoted, "Demoted"],
  [removed, "Removed"],
] as const)
  await ask("POST", "/members", { userId, name, email: `${name}@acme.example`, role: "owner" });
await ask("PATCH", `/members/${demoted}`, { role: "viewer" });
const device = (await ask<Device>("POST", "/devices", { phone: PHONE, ways: ["sms"] }, removed)).body;
const code = /\d{6}/.exec(JSON.stringify(textsOf(app).at(-1)?.notification))?.[0];
await ask("POST", `/devices/${device.id}/verify`, { code }, removed);
const slackPerson = { workspaceId: mine.workspaceId, team: "T0TEST", user: "U0REMOVED", name: "removed" };
await ask("POST", "/slack-account", { token: await createLinkToken(slackApp, slackPerson, app.deps.now()) }, removed);
await ask("POST", `/groups/${mine.groupId}/members`, { userId: removed });
const eventId = await send({ event: "order.failed", title: "Order failed", body: "No stock" });
await app.work();
const digit = /Reply (\d)/.exec(JSON.stringify(textsOf(app).at(-1)))?.[1] ?? "";
await ask("DELETE", `/members/${removed}`);

const ofWorkspace = routes.filter(({ path }) => listPathParameters(path).includes("workspaceId"));
const callRoute = (route: (typeof routes)[number], as: string | Record<string, unknown>) =>
  askRoute<Problem>(app, route, { as }, mine);

describe("the API's operation", () => {
  it.each(listNamedRoutes(ofWorkspace))(
    "%s is closed to a person who is only invited, or was removed",
    async (_, route) => {
      for (const caller of [invited, removed])
        expect(await callRoute(route, caller)).toMatchObject({ status: 403, body: { code: "not_a_member" } });
    },
  );

  it.each(listNamedRoutes(ofWorkspace.filter(({ role }) => !includesRole("viewer", role!))))(
    "%s is closed to an owner who has become a viewer",
    async (_, route) => {
      expect(await callRoute(route, demoted)).toMatchObject({ status: 403, body: { code: "role_required" } });
    },
  );

  it.each(listNamedRoutes(routes.filter(({ auth }) => auth === "session")))(
    "%s accepts no GitHub token, Slack user or phone number as a session",
    async (_, route) => {
      const github = {
        iss: "https://token.actions.githubusercontent.com",
        sub: "repo:acme/alerts:ref:refs/heads/main",
      };
      for (const claims of [
        github,
        { sub: "U0REMOVED", team: "T0TEST" },
        { token_use: "access", sub: PHONE },
        { token_use: "access", sub: mine.key },
      ])
        expect(await callRoute(route, claims)).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    },
  );
});

describe("a person who was removed from a workspace", () => {
  it("cannot acknowledge by a text message reply, and gets no answer", async () => {
    expect(digit).toMatch(/^[1-9]$/);
    const texts = textsOf(app).length;

    await app.reply(PHONE, digit);

    expect(await get(`/events/${eventId}`)).toMatchObject({ state: "open", acknowledgedBy: null });
    expect(textsOf(app)).toHaveLength(texts);
  });

  it("cannot use a button in Slack, even after becoming a member again", async () => {
    const everything = JSON.stringify(await app.stand.listItems());
    expect(everything).not.toContain("U0REMOVED");
    expect(everything).toContain(alice);
  });
});
