import { beforeAll, describe, expect, it } from "vitest";
import { createLinkToken } from "../../core/domain/connection/slack-request.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice, bob } from "../support/people.ts";
import { slackApp } from "../support/slack.ts";

const { app, mine, ask, get } = await startFilled();

const SLACK_USER = "U0CANARY";
const createLink = (user: string) =>
  createLinkToken(slackApp, { workspaceId: mine.workspaceId, team: "T0TEST", user, name: "someone" }, app.deps.now());
const connectAccount = (token: string, as: string) =>
  ask<{ errors?: { code: string }[] }>("POST", "/slack-account", { token }, as);
type Entry = { action: string; target: { id: string }; before: object | null; after: object | null };
const listAuditEntries = async (limit: number) =>
  (await get<{ items: Entry[] }>(`/audit?target=slack_account&limit=${limit}`)).items;

describe("a link from Slack to connect an account", () => {
  it("connects one member, who may press it again, and no other member", async () => {
    const token = await createLink("U0ONE");

    expect((await connectAccount(token, bob)).status).toBe(201);
    expect((await connectAccount(token, bob)).status).toBe(201);
    expect(await connectAccount(token, alice)).toMatchObject({ status: 422, body: { errors: [{ code: "invalid" }] } });
    await ask("DELETE", "/slack-account", undefined, bob);
    expect((await connectAccount(token, alice)).status).toBe(422);
  });
});

describe("the audit trail of a Slack account", () => {
  it("names the members who had and now have the account, and not the account's name in Slack", async () => {
    app.advance(1);
    await connectAccount(await createLink("U0TWO"), bob);
    app.advance(1);
    await connectAccount(await createLink("U0TWO"), alice);
    await ask("DELETE", "/slack-account");

    expect(await listAuditEntries(3)).toMatchObject([
      { action: "deleted", target: { id: alice }, before: { userId: alice }, after: null },
      { action: "updated", target: { id: alice }, before: { userId: bob }, after: { userId: alice } },
      { action: "created", target: { id: bob }, before: null, after: { userId: bob } },
    ]);
    expect(JSON.stringify(await listAuditEntries(50))).not.toContain("U0TWO");
  });
});

describe("a removed person with a Slack account", () => {
  beforeAll(async () => {
    const userGroup = { name: "On call", kind: "slack_user_group", userGroup: "S0123456789", groupIds: [mine.groupId] };
    const { id } = (await ask<{ id: string }>("POST", "/connections", userGroup)).body;
    // The whole group takes turns, so that one of the next weeks is Bob's.
    await connectAccount(await createLink(SLACK_USER), bob);
    for (let week = 0; week < 3; week += 1) {
      app.advance(7 * 86_400_000);
      await ask("POST", `/connections/${id}/test`, {});
      if (JSON.stringify(await app.stand.listItems()).includes(`"users":["${SLACK_USER}"]`)) break;
    }
  });

  it("leaves nothing in Slack that identifies them", async () => {
    const readTable = async () => JSON.stringify(await app.stand.listItems());
    expect(await readTable()).toContain(`"users":["${SLACK_USER}"]`);

    expect((await ask("DELETE", `/members/${bob}`)).status).toBeLessThan(300);

    expect(await readTable()).not.toContain(SLACK_USER);
    await ask("POST", "/members", { userId: bob, name: "Bob", email: "bob@acme.example" });
    expect(await ask("DELETE", "/slack-account", undefined, bob)).toMatchObject({ status: 204 });
    expect((await listAuditEntries(1))[0]).toMatchObject({ action: "deleted", target: { id: bob } });
  });
});
