import assert from "node:assert/strict";
import * as v from "valibot";
import { createSection, skipCheck } from "../check.ts";
import { retryUntilSuccess, expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import { Accepted, Connection, SlackAccount, WebhookTestAnswer } from "../shapes.ts";
import { createGroup, createRule, type WorkspaceClient, type World } from "../world.ts";

const createUniqueChannelId = ({ unique }: World): string => unique("C").toUpperCase();

const postConnection = (workspace: WorkspaceClient, fields: object = {}) =>
  workspace.ask("POST", "/connections", { name: "conformance", kind: "slack", channel: "C0123456789", ...fields });

const Inbox = v.object({
  messages: v.record(
    v.string(),
    v.array(v.object({ ts: v.string(), text: v.string(), edits: v.number(), blocks: v.array(v.looseObject({})) })),
  ),
  ephemeral: v.array(v.object({ user: v.string(), text: v.string() })),
  userGroups: v.record(v.string(), v.array(v.string())),
});

/** Returns functions that read what the Slack stand-in shows and press buttons. Without a stand-in, skips the check. */
const openSlack = ({ session }: World) => {
  const { slack } = session;
  const inboxUrl = slack === undefined ? skipCheck("the session file names no stand-in of Slack") : slack.inboxUrl;
  const readInbox = async () => v.parse(Inbox, await (await fetch(inboxUrl)).json());
  return {
    in: async (channel: string) => (await readInbox()).messages[channel] ?? [],
    inGroup: async (userGroup: string) => (await readInbox()).userGroups[userGroup] ?? [],
    said: async (user: string) => (await readInbox()).ephemeral.filter((one) => one.user === user),
    press: async (channel: string, ts: string, actionId: string, user: string) => {
      const answer = await fetch(`${inboxUrl}/press`, {
        method: "POST",
        body: JSON.stringify({ channel, ts, actionId, user }),
      });
      assert.equal(answer.status, 200);
      assert.deepEqual(await answer.json(), { status: 200 });
    },
  };
};

/** Checks that a Slack user group contains only the person on call. `user`: the Slack account of the person on call. */
const checkUserGroup = async (
  workspace: WorkspaceClient,
  user: string,
  { slack, userGroup }: { slack: ReturnType<typeof openSlack>; userGroup: string },
): Promise<void> => {
  const [me] = workspace.people;
  const groupId = await createGroup(workspace, workspace.people);
  const layers = [{ start: "2026-01-01T00:00", every: 1, unit: "week", participants: [me?.userId] }];
  expectStatus(await workspace.ask("PUT", `/groups/${groupId}/on-call`, { timeZone: "UTC", layers }), 200);
  const following = { name: "conformance", kind: "slack_user_group", userGroup, groupIds: [groupId] };
  const { id } = await workspace.create("/connections", following, Connection);
  const tested = expectBody(await workspace.ask("POST", `/connections/${id}/test`), 200, WebhookTestAnswer);
  assert.deepEqual([tested.delivered, tested.code], [true, "SLACK_OK"]);
  assert.deepEqual(await slack.inGroup(userGroup), [user]);
  const { follows } = await workspace.read(`/connections/${id}`, Connection);
  assert.deepEqual([follows?.userIds, follows?.unlinkedIds, follows?.kept], [[me?.userId], [], null]);
  expectStatus(await workspace.ask("DELETE", `/connections/${id}`), 204);
};

export const connections = createSection("Connections", {
  "creates a connection with defaults: 201 with all fields; it can be read, changed and deleted": async (world) => {
    const { acme } = world;
    const channel = createUniqueChannelId(world);
    const made = expectBody(await postConnection(acme, { channel }), 201, Connection);
    assert.deepEqual(
      [made.workspaceId, made.kind, made.channel, made.status, made.ruleIds, made.groupIds, made.host],
      [acme.id, "slack", channel, "active", null, null, null],
    );
    const path = `/connections/${made.id}`;
    assert.deepEqual(await acme.read(path, Connection), made);
    const listed = await acme.read("/connections", v.array(Connection));
    assert.ok(listed.some(({ id }) => id === made.id));
    expectFaults(await postConnection(acme, { channel }), "channel");
    const changed = expectBody(await acme.ask("PATCH", path, { paused: true }), 200, Connection);
    assert.deepEqual([changed.paused, changed.status, changed.channel], [true, "paused", channel]);
    expectFaults(await acme.ask("PATCH", path, { channel: "C0000000000" }), "channel");
    expectStatus(await acme.ask("DELETE", path), 204);
    expectProblem(await acme.ask("GET", path), 404, "not_found");
  },
  "answers 422 to invalid values, and names the field": async ({ acme }) => {
    expectFaults(await acme.ask("POST", "/connections", { name: "a" }), "kind");
    for (const [fields, field] of [
      [{ name: "" }, "name"],
      [{ channel: "#general" }, "channel"],
      [{ ruleIds: [] }, "ruleIds"],
      [{ ruleIds: ["rule_none"] }, "ruleIds[0]"],
      [{ groupIds: ["grp_none"] }, "groupIds[0]"],
      [{ token: "xoxb" }, "token"],
    ] as const)
      expectFaults(await postConnection(acme, fields), field);
  },
  "accepts only the hosts of Teams workflows, and shows only the host of the URL": async ({ acme }) => {
    const createTeamsConnection = (url: string) =>
      acme.ask("POST", "/connections", { name: "conformance", kind: "teams", url });
    for (const url of ["https://hooks.example.com/", "https://127.0.0.1/", "http://prod-1.logic.azure.com/workflows/1"])
      expectFaults(await createTeamsConnection(url), "url");
    const host = "prod-1.westeurope.logic.azure.com";
    const answer = await createTeamsConnection(
      `https://${host}/workflows/1/triggers/manual/paths/invoke?sig=conformance-secret`,
    );
    const { id, host: shown } = expectBody(answer, 201, Connection);
    assert.equal(shown, host);
    assert.ok(!JSON.stringify(answer.body).includes("conformance-secret"));
    expectStatus(await acme.ask("DELETE", `/connections/${id}`), 204);
  },
  "accepts groups, and no rules, for a Slack user group": async (world) => {
    const { acme } = world;
    const userGroup = createUniqueChannelId(world).replace(/^C/, "S");
    const groupIds = [await createGroup(acme)];
    const postUserGroup = (fields: object) =>
      acme.ask("POST", "/connections", {
        name: "conformance",
        kind: "slack_user_group",
        userGroup,
        groupIds,
        ...fields,
      });
    for (const [fields, field] of [
      [{ userGroup: "@oncall" }, "userGroup"],
      [{ groupIds: null }, "groupIds"],
      [{ groupIds: ["grp_none"] }, "groupIds[0]"],
      [{ ruleIds: ["rule_none"] }, "ruleIds"],
    ] as const)
      expectFaults(await postUserGroup(fields), field);
    const made = expectBody(await postUserGroup({}), 201, Connection);
    assert.deepEqual([made.userGroup, made.channel, made.groupIds, made.follows], [userGroup, null, groupIds, null]);
    expectFaults(await postUserGroup({}), "userGroup");
    const path = `/connections/${made.id}`;
    expectFaults(await acme.ask("PATCH", path, { groupIds: null }), "groupIds");
    const tested = expectBody(await acme.ask("POST", `${path}/test`), 200, WebhookTestAnswer);
    assert.deepEqual([tested.delivered, tested.code], [false, "NOBODY_ON_CALL"]);
    const after = await acme.read(path, Connection);
    assert.equal(after.follows?.kept, "nobody_on_call");
    expectStatus(await acme.ask("DELETE", path), 204);
  },
  "answers 401 to a button press without Slack's signature, whatever its body": async ({ client }) => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    for (const headers of [{}, { "x-slack-request-timestamp": timestamp, "x-slack-signature": `v0=${"0".repeat(64)}` }])
      expectProblem(
        await client("POST", "/v1/slack/presses", { headers, body: "payload=%7B%7D" }),
        401,
        "unauthenticated",
      );
  },
  "answers 422 to an invalid Slack token": async ({ acme }) => {
    expectFaults(await acme.ask("POST", "/slack-account", { token: "none" }), "token");
    expectStatus(await acme.ask("DELETE", "/slack-account"), 204);
  },
  "updates one message per event, whose buttons work for connected Slack accounts": async (world) => {
    const slack = openSlack(world);
    const channel = createUniqueChannelId(world);
    const workspace = await world.fresh();
    const { id } = expectBody(await postConnection(workspace, { channel }), 201, Connection);
    const tested = expectBody(await workspace.ask("POST", `/connections/${id}/test`), 200, WebhookTestAnswer);
    assert.deepEqual([tested.delivered, tested.code], [true, "SLACK_OK"]);
    await createRule(workspace, { eventKey: "*", groupId: await createGroup(workspace), requiresAck: true });
    const title = world.unique("Down ");
    const posted = await workspace.post({ event: "slack.checked", title, body: "It is." });
    const { eventId } = expectBody(posted, 201, Accepted);
    const requireMessage = async (text: string) => {
      const message = (await slack.in(channel)).find((one) => one.text === text);
      assert.ok(message !== undefined, `there is no message "${text}"`);
      return message;
    };
    const { ts } = await retryUntilSuccess(() => requireMessage(`Open: ${title}`));
    const user = `U${channel.slice(1)}`;
    await slack.press(channel, ts, "acknowledge", user);
    const link = (await slack.said(user))[0]?.text ?? "";
    const token = /#tie=(?<token>[^|>]+)/.exec(link)?.groups?.["token"] ?? "";
    await workspace.create("/slack-account", { token }, SlackAccount);
    await slack.press(channel, ts, "acknowledge", user);
    await retryUntilSuccess(() => requireMessage(`Acknowledged: ${title}`));
    await slack.press(channel, ts, "resolve", user);
    const resolved = await retryUntilSuccess(() => requireMessage(`Resolved: ${title}`));
    assert.equal(resolved.ts, ts);
    assert.ok(resolved.edits >= 1);
    const userGroup = `S${channel.slice(1)}`;
    await checkUserGroup(workspace, user, { slack, userGroup });
    const event = await workspace.ask("GET", `/events/${eventId}`);
    assert.equal(v.parse(v.looseObject({ state: v.string() }), event.body).state, "resolved");
    expectStatus(await workspace.ask("DELETE", "/slack-account"), 204);
    expectStatus(await workspace.ask("DELETE", `/connections/${id}`), 204);
  },
});
