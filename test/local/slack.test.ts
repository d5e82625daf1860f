import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { routes } from "../../interface/routes.ts";
import { createChannels, SCOPES } from "../../local/slack/channels.ts";

const TOKEN = "xoxb-1";
const METHOD = "usergroups.users.update";

const startSlack = () => {
  let now = 0;
  const rooms = createChannels({ botToken: TOKEN, now: () => now });
  return {
    rooms,
    skip: (ms: number) => {
      now += ms;
    },
    update: (body: unknown, authorization = `Bearer ${TOKEN}`) => {
      const { status, body: said, retryAfterSeconds } = rooms.call(METHOD, authorization, body);
      return { status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }), ...said };
    },
  };
};

describe("the Slack stand-in's user group", () => {
  it("has exactly the given members after a request", () => {
    const { rooms, update } = startSlack();
    update({ usergroup: "S0123456789", users: "U0ANN,U0BOB" });

    expect(update({ usergroup: "S0123456789", users: "U0BOB" })).toMatchObject({
      ok: true,
      usergroup: { id: "S0123456789", users: ["U0BOB"], user_count: 1 },
    });
    expect(rooms.userGroups.get("S0123456789")).toEqual(["U0BOB"]);
  });

  it.each([
    ["without a user group", { users: "U0BOB" }, "missing_argument"],
    ["without users", { usergroup: "S0123456789" }, "no_users_provided"],
    ["with an empty list of users", { usergroup: "S0123456789", users: "" }, "no_users_provided"],
    ["with a name instead of a user's id", { usergroup: "S0123456789", users: "bob" }, "invalid_users"],
    ["with a guest of the Slack workspace", { usergroup: "S0123456789", users: "U0GUEST0001" }, "invalid_users"],
    [
      "with a user of another Slack workspace",
      { usergroup: "S0123456789", users: "U0BOB,U0OTHER0002" },
      "failed_for_some_users",
    ],
    ["for an unknown user group", { usergroup: "S0123450001", users: "U0BOB" }, "no_such_subteam"],
    ["for a name instead of a user group's id", { usergroup: "oncall", users: "U0BOB" }, "no_such_subteam"],
    ["for a user group that the app may not change", { usergroup: "S0123450002", users: "U0BOB" }, "permission_denied"],
    [
      "for a user group that the customer's Slack plan does not include",
      { usergroup: "S0123450003", users: "U0BOB" },
      "plan_upgrade_required",
    ],
    ["with an unknown field", { usergroup: "S0123456789", users: "U0BOB", channel: "C1" }, "invalid_arguments"],
    ["without a body", undefined, "invalid_arguments"],
  ])("refuses a request %s with the error that Slack returns", (_, body, error) => {
    const { rooms, update } = startSlack();

    expect(update(body)).toEqual({ status: 200, ok: false, error });
    expect(rooms.userGroups.size).toBe(0);
  });

  it("refuses an app without the scope, and names the scope", () => {
    const { rooms, update } = startSlack();
    rooms.scopes.delete("usergroups:write");

    expect(update({ usergroup: "S0123456789", users: "U0BOB" })).toMatchObject({
      error: "missing_scope",
      needed: "usergroups:write",
      provided: "chat:write,chat:write.public",
    });
    expect(update({}, "")).toMatchObject({ error: "not_authed" });
    expect(update({}, "Bearer xoxb-2")).toMatchObject({ error: "invalid_auth" });
  });

  it("accepts twenty calls at once, and then one every three seconds", () => {
    const { update, skip } = startSlack();
    const callUpdate = () => update({ usergroup: "S0123456789", users: "U0BOB" }).status;
    const taken = Array.from({ length: 21 }, callUpdate);
    expect(taken.filter((status) => status === 200)).toHaveLength(20);
    expect(update({ usergroup: "S0123456789", users: "U0BOB" })).toMatchObject({ status: 429, retryAfterSeconds: 3 });
    skip(3_000);

    expect([callUpdate(), callUpdate()]).toEqual([200, 429]);
    expect(startSlack().update({ usergroup: "S0123450004", users: "U0BOB" })).toMatchObject({ retryAfterSeconds: 30 });
  });
});

it("the manifest in docs/slack.md has the scopes that the stand-in requires, and the route for pressed buttons", () => {
  const page = readFileSync(new URL("../../docs/slack.md", import.meta.url), "utf8");
  const [, text = ""] = /```json\n(.*?)```/s.exec(page) ?? [];
  const Manifest = v.object({
    oauth_config: v.object({ scopes: v.object({ bot: v.array(v.string()) }) }),
    settings: v.object({ interactivity: v.object({ request_url: v.string() }) }),
  });
  const manifest = v.parse(Manifest, JSON.parse(text));

  expect(manifest.oauth_config.scopes.bot).toEqual(SCOPES);
  const { pathname } = new URL(manifest.settings.interactivity.request_url);
  expect(routes.find(({ path }) => path === pathname)).toMatchObject({ method: "POST", auth: "signature" });
});

it("the command of docs/slack.md stores the secrets as they were typed, without the line breaks", () => {
  const page = readFileSync(new URL("../../docs/slack.md", import.meta.url), "utf8");
  const [command = ""] = page.match(/(?<=```sh\n)read -rs BOT_TOKEN.*?(?=```)/s) ?? [];
  // The text that the AWS CLI would store from standard input.
  const stored = execFileSync("bash", ["-euc", `aws() { cat; }\n${command}`], {
    input: "xoxb-1\nsign-1\n",
    env: { ...process.env, WORKSPACE_ID: "ws_1", SLACK_SECRET_ARN: "arn" },
    encoding: "utf8",
  });

  expect(stored).toBe('[{"botToken":"xoxb-1","signingSecret":"sign-1","workspaces":["ws_1"]}]');
});
