import { describe, expect, it } from "vitest";
import { connect } from "../../conformance/client.ts";
import { startServedApp } from "../support/filled-app.ts";
import { runOn } from "./running.ts";

const { served } = await startServedApp();
const [acme] = served.session.workspaces;
const [alice, bob, carol] = acme!.members;
const token = alice!.token;
const http = connect(served.baseUrl);

const ask = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
  const answer = await http(method, path, { token, ...(body === undefined ? {} : { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body as Body;
};

const createWorkspace = async () => {
  const { id } = await ask<{ id: string }>("POST", "/v1/workspaces", { name: "New" });
  const root = `/v1/workspaces/${id}`;
  for (const { userId, name, email } of [alice!, bob!, carol!])
    await ask("POST", `${root}/members`, { userId, name, email });
  const files = new Map<string, string>();
  const env = { BASE_URL: served.baseUrl, WORKSPACE_ID: id, SESSION_TOKEN: token };
  const run = (args: string) => runOn(files, args.split(" "), { env, fetch });
  return { root, files, run };
};

const setUp = `groups:
  - name: Operations
    members: [alice@acme.example, Bob@acme.example]
  - name: Leads
    members: [carol@acme.example]
schedules:
  - group: Operations
    timeZone: Europe/Berlin
    holidays: [2026-12-25]
    layers:
      - { start: 2026-03-02T09:00, every: 1, unit: week, participants: [bob@acme.example, [alice@acme.example]] }
policies:
  - name: Then the leads
    steps:
      - { delayMinutes: 5, targets: [{ group: Leads }, { user: bob@acme.example }] }
rules:
  - name: Orders
    eventKey: order.*
    groups: [Operations]
    onCallOnly: true
    requiresAck: true
    policy: Then the leads
  - name: Payments
    eventKey: payment.failed
    groups: [Leads]
    conditions:
      - { field: data.amount, operator: between, value: [1, 9], not: true }
      - { field: sender, operator: equals, value: Checkout, ignoreCase: true }
    fallback: true
    activeHours: [{ days: [mon, sat], from: "22:00", to: "06:00" }]
    timeZone: Europe/Berlin
    probe: { everyHours: 48 }
silences:
  - name: Nights
    eventKey: import.*
    weekly: { days: [mon], from: "22:00", to: "06:00", timeZone: Europe/Berlin }
contracts:
  - name: Orders wake somebody
    at: 2026-11-23T12:00:00Z
    event: { event: order.failed, title: A, body: B }
    told: [Operations]
`;

type Named = { id: string; name: string };
const findId = (items: readonly Named[], name: string) => items.find((item) => item.name === name)!.id;

describe("a workspace that is set up by a file", () => {
  it("is created, shows a manual change in the plan, and is restored by another apply", async () => {
    const { root, files, run } = await createWorkspace();
    files.set("f.yaml", setUp);

    expect((await run("plan f.yaml")).code).toBe(2);
    expect(await run("apply f.yaml")).toMatchObject({ code: 0, text: expect.stringContaining("Changes made: 7.") });
    expect(await run("plan f.yaml")).toEqual({
      code: 0,
      text: "0 to create, 0 to change, 0 to delete, 7 unchanged.",
    });
    expect((await run("apply f.yaml")).text).toBe("Nothing to change.");

    const groups = await ask<Named[]>("GET", `${root}/groups`);
    const rules = await ask<Named[]>("GET", `${root}/routing-rules`);
    await ask("DELETE", `${root}/groups/${findId(groups, "Operations")}/members/${bob!.userId}`);
    await ask("POST", `${root}/groups/${findId(groups, "Leads")}/members`, { userId: alice!.userId });
    await ask("PATCH", `${root}/routing-rules/${findId(rules, "Orders")}`, {
      onCallOnly: false,
      enabled: false,
      probe: null,
    });
    await ask("DELETE", `${root}/routing-rules/${findId(rules, "Payments")}`);
    await ask("POST", `${root}/groups`, { name: "By hand" });

    const plan = await run("plan f.yaml");
    expect(plan.code).toBe(2);
    expect(plan.text.split("\n")).toEqual([
      '~ group "Operations"',
      "    members: +bob@acme.example",
      '~ group "Leads"',
      "    members: -alice@acme.example",
      '~ schedule of "Operations"',
      "    layers: the people on call or their times change",
      '~ rule "Orders"',
      "    onCallOnly: false -> true",
      "    enabled: false -> true",
      '    probe: null -> {"everyHours":168}',
      '+ rule "Payments"',
      '? group "By hand" is not in the file; --prune deletes it',
      "1 to create, 4 to change, 0 to delete, 2 unchanged, 1 only in the workspace.",
      'schedule "Operations", on call in the next 14 days:',
      expect.stringMatching(/^ {4}before: .*alice@acme\.example.* until \d{4}-\d\d-\d\dT\d\d:\d\dZ/),
      expect.stringMatching(/^ {4}after: .*bob@acme\.example.* until \d{4}-\d\d-\d\dT\d\d:\d\dZ/),
      expect.stringMatching(/^ {4}\d{4}-\S+Z to \S+Z: bob@acme\.example instead of alice@acme\.example$/),
      expect.stringMatching(/^ {4}\d{4}-\S+Z to \S+Z: bob@acme\.example instead of alice@acme\.example$/),
      expect.stringMatching(
        /^ {4}nights in the next 12 weeks: alice@acme\.example 84 -> 4\d, bob@acme\.example 0 -> 4\d$/,
      ),
      'rule "Orders" can notify +alice@acme.example +bob@acme.example +carol@acme.example',
      'rule "Payments" can notify +carol@acme.example',
      "Of 2 tried events (the latest stored events and the events of the contracts):",
      expect.stringMatching(/^ {4}bob@acme\.example gets 1 more: order\.failed 1$/),
      "    carol@acme.example gets 1 more: order.failed 1",
    ]);

    // With a third person in the rotation, the service begins with the turn of the person on call. The next plan must ignore
    // this difference from the file.
    files.set("f.yaml", setUp.replace("[bob@acme.example, [alice", "[bob@acme.example, carol@acme.example, [alice"));
    const applied = await run("apply f.yaml");
    expect(applied.code).toBe(0);
    expect(applied.text).toMatch(
      / {4}\S+Z to \S+Z: .* instead of .*\n {4}nights in the next 12 weeks: .*\nChanges made: /,
    );
    expect((await run("plan f.yaml")).code).toBe(0);
    expect((await run("plan f.yaml --prune")).text).toContain('- group "By hand"');
    expect((await run("apply f.yaml --prune")).text).toContain('deleted group "By hand"');
    expect((await ask<Named[]>("GET", `${root}/groups`)).map(({ name }) => name).sort()).toEqual([
      "Leads",
      "Operations",
    ]);
  });

  it("is exported as a file with the same meaning, and into an existing file with its comments", async () => {
    const { files, run } = await createWorkspace();
    const commented = setUp
      .replace("Bob@acme.example]", "Bob@acme.example] # who can mend it")
      .replace("rules:\n", "# What wakes whom.\nrules:\n")
      .replace("onCallOnly: true", "onCallOnly: true # at night, too");
    files.set("f.yaml", commented);
    await run("apply f.yaml");

    expect(await run("export new.yaml")).toEqual({ code: 0, text: "new.yaml: 8 entries." });
    expect((await run("plan new.yaml")).code).toBe(0);
    expect(files.get("new.yaml")).toMatch(/^# yaml-language-server: \$schema=.*docs\/alerts\.schema\.json\n/);
    await run("export f.yaml");
    // The creator of the workspace is its owner.
    const owner = "people:-person:alice@acme.examplerole:owner";
    expect(files.get("f.yaml")?.replaceAll(/[{}[\] \n]/g, "")).toBe(commented.replaceAll(/[{}[\] \n]/g, "") + owner);
  });
});

it("apply --prune empties a schedule that the file omits, and first warns that nobody will be on call", async () => {
  const { root, files, run } = await createWorkspace();
  files.set("f.yaml", setUp);
  await run("apply f.yaml");
  files.set("g.yaml", setUp.replace(/schedules:[^]*?policies:/, "policies:"));

  const { text } = await run("plan g.yaml --prune");
  expect(text).toContain('schedule "Operations", on call in the next 14 days:');
  expect(text).toMatch(/ {4}before: (?:bob|alice)@acme\.example until .*\n {4}after: nobody until /);
  expect(await run("apply g.yaml --prune")).toMatchObject({ code: 0 });

  const groups = await ask<{ id: string; name: string }[]>("GET", `${root}/groups`);
  const groupId = groups.find(({ name }) => name === "Operations")!.id;
  expect((await ask<{ layers: object[] }>("GET", `${root}/groups/${groupId}/on-call`)).layers).toEqual([]);
  expect((await run("plan g.yaml --prune")).code).toBe(0);
});

it("a setup file applies and exports overrides, except overrides of covers and overrides that have ended", async () => {
  const { root, files, run } = await createWorkspace();
  files.set("f.yaml", setUp);
  await run("apply f.yaml");
  const toDay = (days: number): string => new Date(Date.UTC(2026, 10, 23 + days)).toISOString();
  const writeOverrides = (...lines: string[]) =>
    files.set("f.yaml", setUp.replace("policies:", `    overrides:\n${lines.join("")}policies:`));
  const createOverrideLine = (person: string, from: number, to = from + 1) =>
    `      - { person: ${person}@acme.example, start: "${toDay(from)}", end: "${toDay(to)}" }\n`;
  const groups = await ask<{ id: string; name: string }[]>("GET", `${root}/groups`);
  const path = `${root}/groups/${groups.find(({ name }) => name === "Operations")!.id}/on-call`;
  type Stored = { overrides: { start: string; end: string }[] };
  const listStoredOverrides = async () =>
    (await ask<Stored>("GET", path)).overrides.map(({ start, end }) => [start, end]);

  writeOverrides(createOverrideLine("bob", 2), createOverrideLine("alice", 4), createOverrideLine("bob", -4));
  const first = await run("apply f.yaml");
  expect(first.text).toContain('added an override of bob@acme.example to schedule of "Operations"');
  expect(await listStoredOverrides()).toEqual([
    [toDay(2), toDay(3)],
    [toDay(4), toDay(5)],
  ]);
  expect((await run("plan f.yaml")).code).toBe(0);
  await run("export g.yaml");
  expect(files.get("g.yaml")).toContain("overrides:");
  expect((await run("plan g.yaml")).code).toBe(0);

  writeOverrides(createOverrideLine("alice", 4), createOverrideLine("alice", 6));
  const { text } = await run("plan f.yaml");
  expect(text).toContain(
    `overrides: +alice@acme.example ${toDay(6)} to ${toDay(7)} -bob@acme.example ${toDay(2)} to ${toDay(3)}`,
  );
  expect(text).toMatch(/ {4}2026-11-29T00:00Z to 2026-11-30T00:00Z: alice@acme.example instead of bob@acme.example/);
  await run("apply f.yaml");
  writeOverrides(createOverrideLine("alice", 4, 6), createOverrideLine("alice", 6));
  await run("apply f.yaml");
  expect(await listStoredOverrides()).toEqual([
    [toDay(4), toDay(6)],
    [toDay(6), toDay(7)],
  ]);
  files.set("f.yaml", setUp);
  expect((await run("plan f.yaml")).code).toBe(0);
});
