import { describe, expect, it } from "vitest";
import { startServedApp } from "../support/filled-app.ts";
import { connect } from "../../conformance/client.ts";
import { aWorkspace } from "./fake-workspace.ts";
import { runOn } from "./running.ts";

const { served } = await startServedApp();
const [alice, bob] = served.session.workspaces[0]!.members;
const http = connect(served.baseUrl);

const file = `pay:
  - class: night
    cents: 900
  - class: nightPage
    cents: 1500
`;

/** Alice is the owner, Bob a manager. */
const createWorkspace = async () => {
  const created = await http("POST", "/v1/workspaces", { token: alice!.token, body: { name: "New" } });
  const { id } = created.body as { id: string };
  const root = `/v1/workspaces/${id}`;
  const { userId, name, email } = bob!;
  const body = { userId, name, email, role: "manager" };
  expect((await http("POST", `${root}/members`, { token: alice!.token, body })).status).toBe(201);
  const files = new Map([["f.yaml", file]]);
  const run = (args: string, token = alice!.token) =>
    runOn(files, args.split(" "), { env: { BASE_URL: served.baseUrl, WORKSPACE_ID: id, SESSION_TOKEN: token }, fetch });
  const readPay = async () => ((await http("GET", root, { token: alice!.token })).body as { pay?: unknown }).pay;
  const setPay = async (rates: object | null) =>
    expect((await http("PATCH", root, { token: alice!.token, body: { pay: rates } })).status).toBe(200);
  return { files, run, pay: setPay, payNow: readPay };
};

describe("on-call pay in the setup file", () => {
  it("is applied by an owner, exported unchanged, and then not applied again", async () => {
    const { files, run, payNow } = await createWorkspace();

    expect((await run("plan f.yaml")).text).toContain('+ pay for "night"\n+ pay for "nightPage"\n');
    expect((await run("apply f.yaml")).text).toBe('wrote pay for "night"\nwrote pay for "nightPage"\nChanges made: 2.');
    expect(await payNow()).toEqual({ weekday: 0, night: 900, weekend: 0, holiday: 0, nightPage: 1500 });
    expect((await run("plan f.yaml")).code).toBe(0);

    await run("export new.yaml");
    expect(files.get("new.yaml")).toContain(file);
    expect((await run("plan new.yaml")).code).toBe(0);
  });

  it("changes the rates that the file names; other rates stay until --prune", async () => {
    const { run, pay, payNow } = await createWorkspace();
    await pay({ weekday: 100, night: 800, nightPage: 1500 });

    const { text } = await run("plan f.yaml");
    expect(text).toContain('~ pay for "night"\n    cents: 800 -> 900\n');
    expect(text).toContain('? pay for "weekday" is not in the file; --prune deletes it');
    await run("apply f.yaml");
    expect(await payNow()).toMatchObject({ weekday: 100, night: 900, nightPage: 1500 });

    expect((await run("apply f.yaml --prune")).text).toBe('deleted pay for "weekday"\nChanges made: 1.');
    expect(await payNow()).toMatchObject({ weekday: 0, night: 900, nightPage: 1500 });
  });

  it("is removed from the workspace by --prune if the file has no pay", async () => {
    const { files, run, pay, payNow } = await createWorkspace();
    await pay({ night: 900 });
    files.set("f.yaml", "pay: []\n");

    expect((await run("apply f.yaml --prune")).code).toBe(0);

    expect(await payNow()).toBeNull();
  });

  it.each(["plan", "apply"])("is left out when a manager, who may not see it, runs the command %s", async (command) => {
    const { files, run, pay, payNow } = await createWorkspace();
    await pay({ night: 777 });
    files.set("f.yaml", `${file}groups:\n  - name: Operations\n    members: []\n`);

    const { code, text } = await run(`${command} f.yaml`, bob!.token);

    expect(code).toBe(command === "plan" ? 2 : 1);
    expect(text).toContain("Pay is left out, because only owners see and change pay.");
    expect(text).toContain('group "Operations"');
    expect(text).not.toMatch(/777|night/);
    expect(await payNow()).toMatchObject({ night: 777, nightPage: 0 });
  });

  it("is left out of a new file that a manager exports, and stays in an existing file", async () => {
    const { files, run, pay } = await createWorkspace();
    await pay({ night: 777 });

    const { text } = await run("export new.yaml", bob!.token);
    await run("export f.yaml", bob!.token);

    expect(text).toContain("Only owners see invitations and pay");
    expect(files.get("new.yaml")).not.toContain("pay");
    expect(files.get("f.yaml")).toContain(file);
  });

  it("does not overwrite the workspace's pay if somebody else has changed another rate since the plan", async () => {
    const { run, files, byHand, send } = aWorkspace();
    files.set("f.yaml", file);
    let reads = 0;
    const fetchAndChangePay: typeof fetch = async (url, init) => {
      const { pathname } = new URL(url instanceof Request ? url.url : url);
      if (pathname === "/v1/workspaces/ws_1" && init?.method === "GET" && (reads += 1) === 2)
        byHand("PATCH", "", { pay: { weekday: 100 } });
      return send(url, init);
    };

    const { code, text } = await run("apply f.yaml", { fetch: fetchAndChangePay });

    expect([code, text]).toEqual([
      1,
      expect.stringContaining('The pay for "night" has changed since the plan. Run plan again.'),
    ]);
    expect(await byHand("GET", "").json()).toMatchObject({ pay: { weekday: 100 } });
  });

  it.each([
    [
      "an unknown class",
      "{ class: evening, cents: 1 }",
      "f.yaml:1:16: pay[0].class: class must be one of weekday, night, weekend, holiday, nightPage.",
    ],
    [
      "0 cents",
      "{ class: night, cents: 0 }",
      "f.yaml:1:30: pay[0].cents: cents must be a whole number from 1 to 1000000.",
    ],
    [
      "a fraction of a cent",
      "{ class: night, cents: 9.5 }",
      "f.yaml:1:30: pay[0].cents: cents must be a whole number from 1 to 1000000.",
    ],
    ["a class without an amount", "{ class: night }", "f.yaml:1:7: pay[0].cents is required."],
    [
      "the same class twice",
      "{ class: night, cents: 1 }, { class: night, cents: 2 }",
      'pay[1].class: "night" is already the class of pay[0].',
    ],
  ])("is refused with the place of its fault for %s", async (_, entries, fault) => {
    const { run, files } = aWorkspace();
    files.set("f.yaml", `pay: [${entries}]\n`);

    expect(await run("test f.yaml")).toMatchObject({ code: 1, text: expect.stringContaining(fault) });
  });
});
