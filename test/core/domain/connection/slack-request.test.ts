import { describe, expect, it } from "vitest";
import {
  encodeButtonValue,
  parseButtonPress,
  verifyLinkToken,
  findSigningApp,
  signSlackRequest,
  createLinkToken,
} from "../../../../core/domain/connection/slack-request.ts";
import type { SlackApp } from "../../../../core/domain/connection/slack-app.ts";

/** The example from Slack's documentation on verifying requests. */
const published = {
  secret: "8f742231b10e8888abcd99yyyzzz85a5",
  timestamp: "1531420618",
  body: "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
  signature: "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
};
const app: SlackApp = { botToken: "xoxb-1", signingSecret: published.secret, workspaces: [] };
const other: SlackApp = { botToken: "xoxb-2", signingSecret: "0".repeat(32), workspaces: [] };
const at = 1_531_420_618_000;

describe("a request from Slack", () => {
  it("is accepted with the signature of Slack's published example", async () => {
    expect(await signSlackRequest(published.secret, published.timestamp, published.body)).toBe(published.signature);
    expect(await findSigningApp([other, app], published, at)).toBe(app);
  });

  it.each([
    ["a changed body", { body: `${published.body}&a=b` }, 0],
    ["a changed timestamp", { timestamp: "1531420619" }, 0],
    ["a truncated signature", { signature: published.signature.slice(0, -1) }, 0],
    ["a signature that is too long", { signature: `${published.signature}0` }, 0],
    ["no signature", { signature: "" }, 0],
    ["a timestamp that is not a whole number", { timestamp: "1531420618.0" }, 0],
    ["a timestamp more than five minutes ago", {}, 300_001],
    ["a timestamp more than five minutes ahead", {}, -300_001],
  ])("with %s is not authenticated", async (_, changed, later) => {
    expect(await findSigningApp([app, other], { ...published, ...changed }, at + later)).toBeUndefined();
  });

  it("is accepted until five minutes after it was signed", async () => {
    expect(await findSigningApp([app], published, at + 300_000)).toBe(app);
    expect(await findSigningApp([], published, at)).toBeUndefined();
  });
});

describe("a button press in Slack", () => {
  const payload = {
    type: "block_actions",
    user: { id: "U1", username: "ann", team_id: "T1" },
    team: { id: "T1", domain: "acme" },
    channel: { id: "C1", name: "ops" },
    actions: [{ action_id: "resolve", value: encodeButtonValue("ws_1", "evt_1"), type: "button" }],
    token: "old",
  };
  const toForm = (value: object) => new URLSearchParams({ payload: JSON.stringify(value) }).toString();

  it("is read from the form that Slack posts", () => {
    expect(parseButtonPress(toForm(payload))).toMatchObject({
      user: { id: "U1", username: "ann" },
      team: { id: "T1" },
    });
  });

  it.each([
    ["a press on a button that is only a link", { actions: [{ action_id: "open", value: "ws_1/evt_1" }] }],
    ["a press with a value that is not ours", { actions: [{ action_id: "resolve", value: "ws_1#X/evt_1" }] }],
    ["a press without an action", { actions: [] }],
    ["a press with a person id that contains the separator of table keys", { user: { id: "U1#X" } }],
    ["another kind of request", { type: "view_submission" }],
  ])("is ignored if it is %s", (_, changed) => {
    expect(parseButtonPress(toForm({ ...payload, ...changed }))).toBeUndefined();
  });

  it("is not read from a body that is not a form", () => {
    expect(parseButtonPress("payload=%7B")).toBeUndefined();
    expect(parseButtonPress("")).toBeUndefined();
  });
});

describe("the token that links a Slack account to a member", () => {
  const person = { workspaceId: "ws_1" as const, team: "T1", user: "U1", name: "Änne" };

  it("is valid for ten minutes, and only for the Slack app that created it", async () => {
    const token = await createLinkToken(app, person, at);

    expect(await verifyLinkToken([other, app], token, at + 600_000)).toEqual(person);
    expect(await verifyLinkToken([app], token, at + 600_001)).toBeUndefined();
    expect(await verifyLinkToken([other], token, at)).toBeUndefined();
    expect(await verifyLinkToken([app], `${token}0`, at)).toBeUndefined();
    expect(await verifyLinkToken([app], "", at)).toBeUndefined();
  });
});
