import { describe, expect, it } from "vitest";
import { readAlertsFile } from "../../setup/read.ts";
import { aWorkspace } from "./fake-workspace.ts";

const ALICE = "alice@a.example";
const base = `groups:
  - name: A
    members:
      - ${ALICE}
rules:
  - name: R
    eventKey: a.b
    groups: [A]
`;
const rooms = `webhooks:
  - name: Board
    url: https://board.example/hook
  - name: Rota
    url: https://rota.example/hook
    types: [oncall.changed]
    eventKeys:
      - a.b
    paused: true
connections:
  - name: Desk
    kind: slack
    channel: C0123456789
    rules:
      - R
    groups: [A]
  - name: Team
    kind: teams
    urlFrom: TEAMS_URL
`;
const TEAMS_URL = "https://prod-1.westeurope.logic.azure.com/workflows/1?sig=x";
const env = { TEAMS_URL };

const aFile = (text = base + rooms) => {
  const workspace = aWorkspace(ALICE);
  workspace.files.set("f.yaml", text);
  return workspace;
};
const applyFile = async (text?: string) => {
  const workspace = aFile(text);
  expect(await workspace.run("apply f.yaml --keys-file -", { env })).toMatchObject({ code: 0 });
  workspace.takeWrites();
  return workspace;
};
const listSentTo = ({ requests }: ReturnType<typeof aFile>, path: string) =>
  requests.filter((one) => one.method === "POST" && one.path === path).map(({ body }) => body);

describe("webhooks and connections in a setup file", () => {
  it("are created after the items they refer to, each with its secret shown once, and then do not change", async () => {
    const workspace = aFile();
    const { run, takeWrites, idOf } = workspace;

    const { code, text } = await run("apply f.yaml --keys-file -", { env });
    expect([code, text.split("\n").slice(-7)]).toEqual([
      0,
      [
        'webhook "Board": whsec_3',
        'webhook "Rota": whsec_4',
        'created webhook "Board"',
        'created webhook "Rota"',
        'created connection "Desk"',
        'created connection "Team"',
        "Changes made: 6.",
      ],
    ]);
    expect(takeWrites()).toEqual([
      "POST groups A",
      "POST groups/A/members alice",
      "POST routing-rules R",
      "POST webhooks Board",
      "POST webhooks Rota",
      "POST connections Desk",
      "POST connections Team",
    ]);
    expect(listSentTo(workspace, "/connections")).toEqual([
      {
        name: "Desk",
        kind: "slack",
        channel: "C0123456789",
        ruleIds: [idOf("R")],
        groupIds: [idOf("A")],
        paused: false,
      },
      { name: "Team", kind: "teams", url: TEAMS_URL, ruleIds: null, groupIds: null, paused: false },
    ]);
    expect(await run("apply f.yaml")).toEqual({ code: 0, text: "Nothing to change." });
    expect((await run("plan f.yaml")).code).toBe(0);
  });

  it("have their secrets in the named file, and never in the setup file", async () => {
    const { run, files } = aFile(
      `webhooks: [{ name: Board, url: "https://board.example/hook" }]\nkeys: [{ name: K }]\n`,
    );

    expect((await run("apply f.yaml")).text).toBe(
      "1 API keys (K) and 1 webhooks (Board) are to be created: name the file for their secrets with --keys-file, or - to see them here.",
    );
    await run("apply f.yaml --keys-file s.json");
    expect(JSON.parse(files.get("s.json") ?? "")).toEqual([
      { webhook: "Board", secret: "whsec_1" },
      { name: "K", key: "eak_2" },
    ]);
    await run("export f.yaml");
    await run("export new.yaml");
    expect(`${files.get("f.yaml")}${files.get("new.yaml")}`).not.toContain("whsec");
  });

  it("get another secret if the answer with the first secret was lost", async () => {
    const { run, send, files, takeWrites } = aFile(`webhooks: [{ name: Board, url: "https://board.example/hook" }]\n`);
    let isLost = false;
    const fetchAndLose: typeof fetch = async (url, init) => {
      const answer = await send(url, init);
      if (isLost || init?.method !== "POST") return answer;
      isLost = true;
      throw new TypeError("fetch failed");
    };

    expect((await run("apply f.yaml --keys-file s.json", { fetch: fetchAndLose })).code).toBe(0);
    expect(JSON.parse(files.get("s.json") ?? "")).toEqual([{ webhook: "Board", secret: "whsec_of_Board" }]);
    expect(takeWrites()).toEqual(["POST webhooks Board", "POST webhooks/Board/secret "]);
  });

  it("are exported as they were written, and an export into the applied file changes nothing", async () => {
    const { run, files } = await applyFile();

    expect((await run("export f.yaml")).code).toBe(0);
    expect(files.get("f.yaml")).toBe(base + rooms);
    await run("export new.yaml");
    const [, , ...lines] = (files.get("new.yaml") ?? "").split("\n");
    expect(lines.join("\n")).toBe((base + rooms).replace("    urlFrom: TEAMS_URL\n", ""));
  });

  it("are changed only in fields that differ, whatever the order of lists, and deleted before items they refer to", async () => {
    const workspace = await applyFile();
    const { run, files, takeWrites, requests } = workspace;
    files.set(
      "f.yaml",
      `groups: [{ name: A, members: [${ALICE}] }]
webhooks: [{ name: Rota, url: "https://rota.example/2", types: [event.opened, oncall.changed], paused: true }]
connections: [{ name: Desk, kind: slack, channel: C0123456789, groups: [A] }]
`,
    );

    expect((await run("plan f.yaml --prune --events 0")).text).toContain(`~ webhook "Rota"
    url: https://rota.example/hook -> https://rota.example/2
    types: +event.opened
    eventKeys: ["a.b"] -> null
~ connection "Desk"
    rules: ["R"] -> null
- connection "Team"
- webhook "Board"
- rule "R"
0 to create, 2 to change, 3 to delete, 1 unchanged.`);
    requests.splice(0);
    expect((await run("apply f.yaml --prune")).code).toBe(0);
    expect(takeWrites()).toEqual([
      "PATCH webhooks/Rota",
      "PATCH connections/Desk",
      "DELETE connections/Team",
      "DELETE webhooks/Board",
      "DELETE routing-rules/R",
    ]);
    const patch = requests.find(({ method, path }) => method === "PATCH" && path.startsWith("/connections"));
    expect(patch?.body).toEqual({ name: "Desk", ruleIds: null, groupIds: [workspace.idOf("A")], paused: false });

    files.set(
      "f.yaml",
      (files.get("f.yaml") ?? "").replace("event.opened, oncall.changed", "oncall.changed, event.opened"),
    );
    expect((await run("plan f.yaml --prune --events 0")).code).toBe(0);
  });

  it("let a Slack user group follow the people on call in the groups that the entry names", async () => {
    const text = `${base}connections:
  - name: On call
    kind: slack_user_group
    userGroup: S0123456789
    groups: [A]
`;
    const workspace = await applyFile(text);
    const { run, files, idOf } = workspace;

    expect(listSentTo(workspace, "/connections")).toEqual([
      {
        name: "On call",
        kind: "slack_user_group",
        userGroup: "S0123456789",
        ruleIds: null,
        groupIds: [idOf("A")],
        paused: false,
      },
    ]);
    expect(await run("apply f.yaml")).toEqual({ code: 0, text: "Nothing to change." });
    await run("export f.yaml");
    expect(files.get("f.yaml")).toBe(text);
    files.set("f.yaml", text.replace("S0123456789", "S9999999999"));
    expect((await run("apply f.yaml")).text).toContain("userGroup: S0123456789 -> S9999999999");
  });

  it("keep their Slack channel: another channel needs an entry with another name", async () => {
    const { run, files } = await applyFile();
    files.set("f.yaml", (base + rooms).replace("C0123456789", "C9999999999"));

    expect((await run("apply f.yaml", { env })).text).toBe(
      'The connection "Desk" cannot be changed (channel: C0123456789 -> C9999999999). Rename the connection in the file, or delete the existing connection.',
    );
  });

  it.each([
    [
      "whose environment variable is not set",
      rooms,
      {},
      'The connection "Team" is to be created: the environment variable TEAMS_URL must have its URL.',
    ],
    [
      "for which the entry names no environment variable",
      rooms.replace("    urlFrom: TEAMS_URL\n", ""),
      env,
      'The connection "Team" is to be created: set urlFrom to the name of the environment variable that has its URL.',
    ],
  ])("are not created without the URL of a Teams channel, %s", async (_, text, environment, message) => {
    const { run, takeWrites } = aFile(base + text);

    expect(await run("apply f.yaml --keys-file -", { env: environment })).toEqual({ code: 1, text: message });
    expect(takeWrites()).toEqual([]);
  });

  it("are omitted from an export if all items that they refer to have been deleted", async () => {
    const { run, byHand, idOf, files } = await applyFile();
    const tied = { kind: "slack", channel: "C1111111", ruleIds: ["rule_gone"], groupIds: null, paused: false };
    byHand("POST", "/connections", { name: "Gone", ...tied });
    byHand("POST", "/connections", { name: "Half", ...tied, groupIds: [idOf("A")] });

    expect((await run("export new.yaml")).text.split("\n").slice(0, 3)).toEqual([
      'connection "Gone" names (deleted rule rule_gone), which no longer exists: left out.',
      'connection "Gone" no longer follows any rule or group: left out.',
      'connection "Half" names (deleted rule rule_gone), which no longer exists: left out.',
    ]);
    expect(files.get("new.yaml")).not.toContain("Gone");
    expect(files.get("new.yaml")).toContain("Half");
  });
});

describe("the faults of webhooks and connections in a setup file", () => {
  it.each([
    [
      "a webhook whose URL begins with http:",
      "webhooks: [{ name: B, url: 'http://b.example/' }]",
      "1:28: webhooks[0].url: url must begin with https://.",
    ],
    [
      "a webhook whose URL has an IP address",
      "webhooks: [{ name: B, url: 'https://10.0.0.1/' }]",
      "1:28: webhooks[0].url: url must have a host name, not an IP address.",
    ],
    [
      "a webhook with an unknown type of message",
      "webhooks: [{ name: B, url: 'https://b.example/', types: [event.closed] }]",
      "webhooks[0].types[0]: types must be among",
    ],
    [
      "a webhook with a secret",
      "webhooks: [{ name: B, url: 'https://b.example/', secret: s }]",
      "1:50: webhooks[0].secret",
    ],
    [
      "a connection of an unknown kind",
      "connections: [{ name: C, kind: irc }]",
      "connections[0].kind: kind must be slack, teams or slack_user_group.",
    ],
    [
      "a Slack user group with a name instead of an id",
      "connections: [{ name: C, kind: slack_user_group, userGroup: '@oncall' }]",
      "connections[0].userGroup: userGroup must be the id",
    ],
    [
      "a Slack user group without an id",
      "connections: [{ name: C, kind: slack_user_group }]",
      "connections[0].userGroup: userGroup is missing",
    ],
    [
      "a Slack user group without groups to follow",
      "connections: [{ name: C, kind: slack_user_group, userGroup: S0123456789 }]",
      "connections[0].groups: groups is missing: a Slack user group follows",
    ],
    [
      "a Slack user group with a channel",
      "connections: [{ name: C, kind: slack_user_group, userGroup: S0123456789, channel: C0123456789 }]",
      "connections[0].channel: channel is for slack; a connection of kind slack_user_group needs the field userGroup, with the id of a user group.",
    ],
    [
      "a Slack user group with rules",
      "rules: [{ name: R, eventKey: a.b, groups: [] }]\nconnections: [{ name: C, kind: slack_user_group, userGroup: S0123456789, rules: [R] }]",
      "connections[0].rules: rules is only for channels",
    ],
    [
      "two connections to one Slack user group",
      "connections:\n- { name: C, kind: slack_user_group, userGroup: S0123456789 }\n- { name: D, kind: slack_user_group, userGroup: S0123456789 }",
      "connections[1].userGroup: S0123456789 is the user group of connections[0], too",
    ],
    [
      "a Slack connection without a channel",
      "connections: [{ name: C, kind: slack }]",
      "connections[0].channel: channel is missing",
    ],
    [
      "a Slack connection with a name instead of a channel's id",
      "connections: [{ name: C, kind: slack, channel: general }]",
      "connections[0].channel: channel must be the id",
    ],
    [
      "a Slack connection with the URL of a Teams channel",
      "connections: [{ name: C, kind: slack, channel: C0123456789, urlFrom: A }]",
      "connections[0].urlFrom: urlFrom is for teams",
    ],
    [
      "a Teams connection with a Slack channel",
      "connections: [{ name: C, kind: teams, channel: C0123456789 }]",
      "connections[0].channel: channel is for slack",
    ],
    [
      "a Teams connection with a URL instead of a variable's name",
      "connections: [{ name: C, kind: teams, urlFrom: 'https://x.example' }]",
      "connections[0].urlFrom: urlFrom must be the name",
    ],
    [
      "a connection to a misspelled group",
      "groups: [{ name: Ops, members: [] }]\nconnections: [{ name: C, kind: teams, groups: [Opps] }]",
      '2:48: connections[0].groups[0]: the file has no group "Opps": did you mean Ops?',
    ],
    [
      "a connection to an unknown rule",
      "connections: [{ name: C, kind: teams, rules: [R] }]",
      'connections[0].rules[0]: the file has no rule "R": it has none.',
    ],
    [
      "two connections to one Slack channel",
      "connections:\n- { name: C, kind: slack, channel: C0123456789 }\n- { name: D, kind: slack, channel: C0123456789 }",
      "3:36: connections[1].channel: C0123456789 is the channel of connections[0], too",
    ],
    [
      "two webhooks with one name",
      "webhooks: [{ name: B, url: 'https://b.example/' }, { name: B, url: 'https://c.example/' }]",
      '"B" is already the name of webhooks[0].',
    ],
  ])("are reported for %s", (_, text, fault) => {
    const { faults } = readAlertsFile(text);

    expect(
      faults.map(({ line, column, path, message }) => `${line}:${column}: ${path}: ${message}`).join("\n"),
    ).toContain(fault);
  });

  it("do not include a receiver on this machine, which the service may accept", () => {
    expect(readAlertsFile("webhooks: [{ name: B, url: 'http://127.0.0.1:4310/hooks/b' }]").faults).toEqual([]);
  });
});
