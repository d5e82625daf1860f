import * as v from "valibot";
import { describe, expect, it } from "vitest";
import {
  type Connection,
  ConnectionInput,
  type ConnectionView,
  receivesEvent,
  isChatChannel,
  toConnectionView,
  findWorkflowUrlFault,
} from "../../../../core/domain/connection/connection.ts";
import { emptyQueue, type DeliveryQueue } from "../../../../core/domain/webhook/webhook.ts";
import { SlackApps, findAppOfWorkspace, isAppUsableBy } from "../../../../core/domain/connection/slack-app.ts";

const matched = [
  { id: "rule_a", targets: [{ groupId: "grp_x" }] },
  { id: "rule_b", targets: [{ userId: "usr_1" }, { groupId: "grp_y" }] },
];

describe("an event", () => {
  it.each([
    ["no filter", { ruleIds: null, groupIds: null }, true, "is posted"],
    ["a filter for a rule that matches", { ruleIds: ["rule_b"], groupIds: null }, true, "is posted"],
    ["a filter for a rule that does not match", { ruleIds: ["rule_c"], groupIds: null }, false, "is not posted"],
    ["a filter for a notified group", { ruleIds: null, groupIds: ["grp_y"] }, true, "is posted"],
    ["a filter for another rule or a notified group", { ruleIds: ["rule_c"], groupIds: ["grp_x"] }, true, "is posted"],
    ["a filter for another rule and group", { ruleIds: ["rule_c"], groupIds: ["grp_z"] }, false, "is not posted"],
  ])("$3 to the Slack channel of a connection with %s", (_, tied, goes, _verb) => {
    expect(receivesEvent(tied, matched)).toBe(goes);
  });

  it("is not posted to a Slack channel if no rule matches", () => {
    expect(receivesEvent({ ruleIds: null, groupIds: null }, [])).toBe(false);
  });
});

describe("a connection in the API", () => {
  const NOON = Date.UTC(2026, 10, 21, 12);
  const ISO = "2026-11-21T12:00:00.000Z";
  const connection: Connection = {
    id: "con_1",
    workspaceId: "ws_1",
    name: "Ops",
    kind: "slack",
    channel: "C0123456789",
    ruleIds: ["rule_a"],
    groupIds: null,
    paused: false,
    version: 3,
    createdAt: "2026-11-20T12:00:00.000Z",
    updatedAt: "2026-11-20T13:00:00.000Z",
  };
  const view = (fields: Partial<Connection> = {}, queue: Partial<DeliveryQueue> = {}) =>
    toConnectionView({ ...connection, ...fields }, { ...emptyQueue, ...queue });

  it("shows its target, and the state of its delivery queue", () => {
    expect(view()).toEqual({
      ...connection,
      userGroup: null,
      host: null,
      status: "active",
      failingSince: null,
      nextTryAt: null,
      lastFailure: null,
      follows: null,
    });
  });

  it.each<[string, Partial<Connection>, Partial<DeliveryQueue>, Partial<ConnectionView>]>([
    [
      "waits for its next attempt",
      {},
      { failingSince: NOON, due: NOON },
      { status: "waiting", failingSince: ISO, nextTryAt: ISO },
    ],
    [
      "is suspended",
      {},
      { failingSince: NOON, due: NOON, suspendedAt: NOON },
      { status: "suspended", nextTryAt: null },
    ],
    ["is paused", { paused: true }, { failingSince: NOON, due: NOON }, { status: "paused", nextTryAt: null }],
    ["has failed", {}, { failure: { at: NOON, code: "HTTP_500" } }, { lastFailure: { at: ISO, code: "HTTP_500" } }],
  ])("shows its state if it %s", (_, fields, line, shown) => {
    expect(view(fields, line)).toMatchObject(shown);
  });

  it("shows only the host of a Teams URL, and the on-call group that a Slack user group follows", () => {
    const url = "https://prod-12.westeurope.logic.azure.com/workflows/1?sig=secret";
    const follows = { userIds: ["usr_1"], unlinkedIds: ["usr_2"], kept: null };

    const teams = view({ kind: "teams", channel: undefined, url });
    expect(teams).toMatchObject({ channel: null, host: "prod-12.westeurope.logic.azure.com" });
    expect(JSON.stringify(teams)).not.toContain("secret");
    expect(view({ kind: "teams", url: "nowhere" }).host).toBeNull();
    expect(view({ userGroup: "S0123456789" }, { followed: { at: NOON, users: ["U1"], ...follows } })).toMatchObject({
      userGroup: "S0123456789",
      follows: { at: ISO, ...follows },
    });
  });

  it.each([
    ["slack", true, "posts"],
    ["teams", true, "posts"],
    ["slack_user_group", false, "does not post"],
  ] as const)("of the kind %s $2 events to a chat channel", (kind, is, _verb) => {
    expect(isChatChannel({ kind })).toBe(is);
  });
});

describe("the request body for a connection", () => {
  const [channel, userGroup] = ["C0123456789", "S0123456789"];

  it.each([
    ["a channel's name instead of its id", "channel must be the id of a channel", { kind: "slack", channel: "#ops" }],
    ["a URL for Slack", "url", { kind: "slack", channel, url: "https://a.b" }],
    ["an unknown kind", "kind must be slack, teams or slack_user_group.", { kind: "irc" }],
    [
      "a user group's name instead of its id",
      "userGroup must be the id of a user group",
      { kind: "slack_user_group", userGroup: "@oncall", groupIds: ["a"] },
    ],
    ["a Slack user group but no group", "groupIds", { kind: "slack_user_group", userGroup }],
    [
      "a Slack user group and no list of groups",
      "groupIds must be an array of ids of groups.",
      { kind: "slack_user_group", userGroup, groupIds: null },
    ],
    [
      "a Slack user group and a rule",
      "ruleIds must be null",
      { kind: "slack_user_group", userGroup, groupIds: ["a"], ruleIds: ["r"] },
    ],
    ["an empty list of rules", "ruleIds must name at least one", { kind: "slack", channel, ruleIds: [] }],
    ["the same group twice", "groupIds must name each id once.", { kind: "slack", channel, groupIds: ["a", "a"] }],
  ])("with %s is refused with a message that contains: %s", (_, message, input) => {
    const { issues = [] } = v.safeParse(ConnectionInput, { name: "n", ...input });
    expect(issues.map((issue) => issue.message).join(" ")).toContain(message);
  });
});

describe("the URL of a Teams workflow", () => {
  it.each([
    "https://prod-12.westeurope.logic.azure.com/workflows/1/triggers/manual/paths/invoke?sig=x",
    "https://prod-12.westeurope.logic.azure.com:443/workflows/1/triggers/manual/paths/invoke?sig=x",
    "https://default0123.45.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/1",
    "http://127.0.0.1:3000/local/hooks/inbox/teams",
  ])("is accepted: %s", (url) => {
    expect(findWorkflowUrlFault(url, "http://127.0.0.1:3000/local/hooks/inbox/")).toBeUndefined();
  });

  it.each([
    "http://prod-12.westeurope.logic.azure.com/workflows/1",
    "https://logic.azure.com.evil.example/workflows/1",
    ...["logic.azure.com", "api.powerplatform.com", "logic.azure.us", "logic.azure.cn"].flatMap((host) => [
      `https://prod-12.${host}.evil.example/workflows/1`,
      `https://prod-12.${host}m/workflows/1`,
    ]),
    "https://evillogic.azure.com/workflows/1",
    "https://prod-12.logic.azure.com:8443/workflows/1",
    "https://a@prod-12.logic.azure.com/workflows/1",
    "https://:b@prod-12.logic.azure.com/workflows/1",
    "https://prod-12.logic.azure.com@evil.example/workflows/1",
    "https://acme.webhook.office.com/webhookb2/1",
    "http://127.0.0.1:3000/local/hooks/inbox/../../../v1/events",
    "workflows",
  ])("is refused: %s", (url) => {
    expect(findWorkflowUrlFault(url, "http://127.0.0.1:3000/local/hooks/inbox/")).toContain("Teams workflow");
  });
});

describe("the Slack apps of a stage", () => {
  const secret = { signingSecret: "a".repeat(32) };

  it("serve the workspaces that the stage's settings list, or all workspaces if the settings say so, or none by default", () => {
    const acme = { botToken: "xoxb-1", ...secret, workspaces: ["ws_acme"] };
    const all = { botToken: "xoxb-2", ...secret, workspaces: ["*"] };
    const closed = v.parse(SlackApps, [{ botToken: "xoxb-3", ...secret }])[0]!;
    expect(findAppOfWorkspace([acme, all], "ws_acme")).toBe(acme);
    expect(findAppOfWorkspace([acme, all], "ws_other")).toBe(all);
    expect(findAppOfWorkspace([acme], "ws_other")).toBeUndefined();
    expect(isAppUsableBy(acme, "ws_other")).toBe(false);
    expect(findAppOfWorkspace([closed], "ws_acme")).toBeUndefined();
  });

  it("need valid bot tokens in the stage's settings", () => {
    expect(v.is(SlackApps, [{ botToken: "xoxp-1", ...secret }])).toBe(false);
    expect(v.is(SlackApps, [{ botToken: "xoxb-1", ...secret }])).toBe(true);
    expect(v.is(SlackApps, [])).toBe(false);
  });
});
