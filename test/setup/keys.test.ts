import { mkdtempSync, statSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connect } from "../../conformance/client.ts";
import { runAlerts } from "../../setup/run.ts";
import { startServed } from "../support/furnished.ts";

const { served } = await startServed();
const [acme] = served.session.workspaces;
const [alice] = acme!.members;
const token = alice!.token;
const http = connect(served.baseUrl);

const ask = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
  const answer = await http(method, path, { token, ...(body === undefined ? {} : { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body as Body;
};

type Key = { id: string; name: string; source?: string };
type Secret = { name: string; key: string; url?: string };

const newWorkspace = async () => {
  const { id } = await ask<{ id: string }>("POST", "/v1/workspaces", { name: "New" });
  const root = `/v1/workspaces/${id}`;
  const files = new Map<string, string>();
  const secret = new Map<string, string>();
  const run = async (args: string, send: typeof fetch = fetch) => {
    const lines: string[] = [];
    const code = await runAlerts(
      {
        env: { BASE_URL: served.baseUrl, WORKSPACE_ID: id, SESSION_TOKEN: token },
        now: () => Date.UTC(2026, 10, 23, 12),
        fetch: send,
        sleep: () => Promise.resolve(),
        print: (line) => void lines.push(line),
        tell: (line) => void lines.push(line),
        progress: () => () => undefined,
        readText: (path) => secret.get(path) ?? files.get(path),
        writeText: (path, text) => void files.set(path, text),
        writeSecret: (path, text) => void secret.set(path, text),
      },
      args.split(" "),
    );
    return { code, text: lines.join("\n") };
  };
  const keys = () => ask<Key[]>("GET", `${root}/api-keys`);
  const secrets = (path = "keys.json") => JSON.parse(secret.get(path) ?? "[]") as Secret[];
  return { root, files, run, keys, secrets };
};

const setUp = `keys:
  - name: Checkout
  - name: Alarms
    source: cloudwatch
`;

describe("keys in a file", () => {
  it("are made once, and their secrets go to the file that the operator names, and nowhere else", async () => {
    const { files, run, keys, secrets } = await newWorkspace();
    files.set("f.yaml", setUp);

    const { code, text } = await run("apply f.yaml --keys-file keys.json");

    expect({ code, text }).toEqual({
      code: 0,
      text: 'created key "Checkout"\ncreated key "Alarms"\nChanges made: 2.',
    });
    expect((await keys()).map(({ name, source }) => [name, source])).toEqual([
      ["Checkout", undefined],
      ["Alarms", "cloudwatch"],
    ]);
    const [checkout, alarms] = secrets();
    expect(checkout).toMatchObject({ name: "Checkout", key: expect.stringMatching(/^eak_/) });
    expect(alarms).toMatchObject({ name: "Alarms", url: expect.stringContaining("/v1/events/from/cloudwatch/eak_") });
    expect([...files.values()].join()).not.toContain("eak_");
    const event = { event: "order.failed", title: "A", body: "B" };
    expect((await http("POST", "/v1/events", { apiKey: checkout!.key, body: event })).status).toBe(201);

    expect((await run("plan f.yaml")).text).toBe("0 to create, 0 to change, 0 to delete, 2 as they are.");
    expect(await run("apply f.yaml")).toEqual({ code: 0, text: "Nothing to change." });
  });

  it("are not made where nobody would get their secrets", async () => {
    const { files, run, keys } = await newWorkspace();
    files.set("f.yaml", `${setUp}groups: [{ name: Leads, members: [] }]\n`);

    const refused = await run("apply f.yaml");

    expect(refused).toEqual({
      code: 1,
      text: expect.stringMatching(/^2 API keys are to be made \(Checkout, Alarms\): name with --keys-file/),
    });
    expect(await keys()).toEqual([]);
    files.set("there.json", "mine");
    expect((await run("apply f.yaml --keys-file there.json")).text).toMatch(/there\.json is there already/);
    expect((await run("apply f.yaml --keys-file - --json")).text).toMatch(/^With --json the secrets need a file/);
    expect(await keys()).toEqual([]);
    expect((await run("apply f.yaml --keys-file -")).text).toMatch(/^key "Checkout": eak_\S+$/m);
  });

  it("stay where the file does not name them, also with --prune", async () => {
    const { root, files, run, keys } = await newWorkspace();
    await ask("POST", `${root}/api-keys`, { name: "By hand" });
    files.set("f.yaml", "groups: []\n");

    expect((await run("plan f.yaml --prune")).text).toBe("0 to create, 0 to change, 0 to delete, 0 as they are.");
    await run("apply f.yaml --prune");
    expect((await keys()).map(({ name }) => name)).toEqual(["By hand"]);
  });

  it("do not become others, and two of one name, where one takes the other's place, are one", async () => {
    const { root, files, run } = await newWorkspace();
    for (const name of ["Checkout", "Checkout", "Alarms"]) await ask("POST", `${root}/api-keys`, { name });
    files.set("f.yaml", setUp);

    expect(await run("plan f.yaml")).toEqual({
      code: 1,
      text: expect.stringMatching(/^The key "Alarms" cannot become another \(source: nothing -> cloudwatch\)/),
    });
    files.set("f.yaml", "keys: [{ name: Checkout }]\n");
    expect((await run("plan f.yaml")).code).toBe(0);
  });

  it("are written by export, without a secret", async () => {
    const { root, files, run } = await newWorkspace();
    await ask("POST", `${root}/api-keys`, { name: "Alarms", source: "cloudwatch" });
    await ask("POST", `${root}/api-keys`, { name: "Alarms", source: "cloudwatch" });

    await run("export f.yaml");

    expect(files.get("f.yaml")).toContain("keys:\n  - name: Alarms\n    source: cloudwatch\n");
    expect(files.get("f.yaml")?.match(/Alarms/g)).toHaveLength(1);
    expect((await run("plan f.yaml")).code).toBe(0);
  });

  it("whose answer is lost are named with their id: nobody has the secret", async () => {
    const { files, run, keys } = await newWorkspace();
    files.set("f.yaml", setUp);
    const losing: typeof fetch = async (url, init) => {
      const answer = await fetch(url, init);
      if (init?.method === "POST") throw new TypeError("fetch failed");
      return answer;
    };

    const { code, text } = await run("apply f.yaml --keys-file keys.json", losing);

    const [made] = await keys();
    expect(code).toBe(1);
    expect(text).toContain(`It was made (${made!.id}), and nobody has its secret: delete it. Then run apply again.`);
  });

  it("are kept in a file that only its owner can read", () => {
    const path = join(mkdtempSync(join(tmpdir(), "keys-")), "keys.json");
    const script = `import { writeSecret } from ${JSON.stringify(join(process.cwd(), "setup/secret-file.ts"))};
      process.umask(0); writeSecret(${JSON.stringify(path)}, "x");`;

    expect(spawnSync(process.execPath, ["--input-type=module", "-e", script]).status).toBe(0);
    expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
  });
});
