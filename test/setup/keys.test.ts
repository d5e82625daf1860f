import { mkdtempSync, statSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aWorkspace } from "./fake-workspace.ts";

const ALICE = "alice@a.example";
const setUp = `keys:
  - name: Checkout
  - name: Alarms
    source: cloudwatch
`;
const aFile = (text: string) => {
  const workspace = aWorkspace(ALICE);
  workspace.files.set("f.yaml", text);
  const takeWrites = () => workspace.takeWrites();
  return { ...workspace, made: takeWrites };
};
type Fake = ReturnType<typeof aFile>;

describe("the API keys in a setup file", () => {
  it("are created once, and their secrets are written only to the named file", async () => {
    const { run, files, made } = aFile(setUp);

    expect(await run("apply f.yaml --keys-file keys.json")).toEqual({
      code: 0,
      text: 'created key "Checkout"\ncreated key "Alarms"\nChanges made: 2.',
    });
    expect(files.get("keys.json")).toBe(`[
  {
    "name": "Checkout",
    "key": "eak_1"
  },
  {
    "name": "Alarms",
    "key": "eak_2",
    "url": "https://alerts.example/v1/events/from/cloudwatch/eak_2"
  }
]
`);
    expect(made()).toEqual(["POST api-keys Checkout", "POST api-keys Alarms"]);
    expect((await run("plan f.yaml")).text).toBe("0 to create, 0 to change, 0 to delete, 2 unchanged.");
    expect(await run("apply f.yaml")).toEqual({ code: 0, text: "Nothing to change." });
  });

  it("are shown on request: the URL of a key with a source, or the key itself otherwise", async () => {
    const { run } = aFile(setUp);

    expect((await run("apply f.yaml --keys-file -")).text.split("\n")).toEqual([
      'key "Checkout": eak_1',
      'created key "Checkout"',
      'key "Alarms": https://alerts.example/v1/events/from/cloudwatch/eak_2',
      'created key "Alarms"',
      "Changes made: 2.",
    ]);
  });

  it.each(
    Object.entries({
      "": "2 API keys (Checkout, Alarms) are to be created: name the file for their secrets with --keys-file, or - to see them here.",
      " --keys-file there.json":
        "there.json exists already, and may contain secrets: name another file with --keys-file.",
      " --keys-file - --json": "With --json, --keys-file must name a file for the secrets, instead of -.",
    }),
  )(
    'are not created, like everything else in the file, if their secrets would be lost: "alerts apply%s"',
    async (args, text) => {
      const { run, files, made } = aFile(`${setUp}groups: [{ name: Leads, members: [] }]\n`);
      files.set("there.json", "mine");

      expect(await run(`apply f.yaml${args}`)).toEqual({ code: 1, text });
      expect([made(), files.get("there.json")]).toEqual([[], "mine"]);
    },
  );

  it("may have their secrets in a file while the rest of the output is JSON", async () => {
    const { run, files } = aFile("keys: [{ name: Checkout }]\n");

    expect(JSON.parse((await run("apply f.yaml --keys-file k.json --json")).text)).toEqual({
      made: ['created key "Checkout"'],
      duty: [],
      warnings: [],
    });
    expect(JSON.parse(files.get("k.json")!)).toEqual([{ name: "Checkout", key: "eak_1" }]);
  });

  it("are kept if the file does not name them, also with --prune", async () => {
    const { run, byHand, made } = aFile("groups: []\n");
    byHand("POST", "/api-keys", { name: "By hand" });

    expect((await run("plan f.yaml --prune")).text).toBe("0 to create, 0 to change, 0 to delete, 0 unchanged.");
    await run("apply f.yaml --prune");
    expect(made()).toEqual([]);
  });

  it("never change the source of an existing key; of two keys with the same name, the older one counts", async () => {
    const { run, files, byHand } = aFile(setUp);
    for (const name of ["Checkout", "Checkout", "Alarms"]) byHand("POST", "/api-keys", { name });

    expect(await run("plan f.yaml")).toEqual({
      code: 1,
      text: 'The key "Alarms" cannot be changed (source: nothing -> cloudwatch). Rename the key in the file, or delete the existing key.',
    });
    byHand("POST", "/api-keys", { name: "Checkout", source: "sentry" });
    files.set("f.yaml", "keys: [{ name: Checkout }]\n");
    expect((await run("plan f.yaml")).code).toBe(0);
  });

  it("are exported with their permissions, and without a secret", async () => {
    const { run, files, byHand } = aFile("");
    files.delete("f.yaml");
    for (const more of [{ source: "cloudwatch" }, { source: "cloudwatch" }])
      byHand("POST", "/api-keys", { name: "Alarms", ...more });
    byHand("POST", "/api-keys", { name: "Shop", eventKeys: ["order.*"], mayResolve: "any" });
    byHand("POST", "/api-keys", { name: "Own tool", source: "mapped", mapping: { resource: "ci", title: ["name"] } });

    await run("export f.yaml");

    expect(files.get("f.yaml")?.split("keys:\n")[1]).toBe(`  - name: Alarms
    source: cloudwatch
    mayResolve: own
  - name: Shop
    eventKeys:
      - order.*
    mayResolve: any
  - name: Own tool
    source: mapped
    mapping:
      resource: ci
      title:
        - name
    mayResolve: own
`);
    expect((await run("plan f.yaml")).code).toBe(0);
  });

  it("are not created if somebody else has created one with the same name since the plan", async () => {
    const { run, send, byHand } = aFile("keys: [{ name: Checkout }, { name: Search }]\n");
    let looks = 0;
    const fetchAndCreateKey: typeof fetch = async (url, init) => {
      const { pathname } = new URL(url instanceof Request ? url.url : url);
      if (pathname.endsWith("/api-keys") && (looks += 1) === 2) byHand("POST", "/api-keys", { name: "Checkout" });
      return send(url, init);
    };

    expect((await run("apply f.yaml --keys-file -", { fetch: fetchAndCreateKey })).text).toBe(
      'key "Search": eak_2\ncreated key "Search"\nChanges made: 2.',
    );
  });

  it("are named with their id if the answer to their creation was lost, because nobody has the secret", async () => {
    const [lost, unmade] = [aFile(setUp), aFile(setUp)];
    const losing =
      ({ send }: Fake, isMade: boolean): typeof fetch =>
      async (url, init) => {
        if (init?.method !== "POST") return send(url, init);
        if (isMade) await send(url, init);
        throw new TypeError("fetch failed");
      };

    expect(await lost.run("apply f.yaml --keys-file k.json", { fetch: losing(lost, true) })).toEqual({
      code: 1,
      text: 'The service did not answer the request to create the key "Checkout". The key was created (key_1), but nobody has its secret: delete the key. Then run apply again.',
    });
    expect(await unmade.run("apply f.yaml --keys-file k.json", { fetch: losing(unmade, false) })).toEqual({
      code: 1,
      text: 'The service did not answer the request to create the key "Checkout". Then run apply again.',
    });
  });

  it("that the service refuses are reported with the service's error", async () => {
    const { run, send } = aFile("keys: [{ name: Checkout }]\n");
    const fetchAndRefuse: typeof fetch = async (url, init) =>
      init?.method === "POST" ? Response.json({ detail: "There are 100." }, { status: 409 }) : send(url, init);

    expect(await run("apply f.yaml --keys-file -", { fetch: fetchAndRefuse })).toEqual({
      code: 1,
      text: "POST /api-keys: There are 100.",
    });
  });

  it("are stored in a file that only its owner can read", () => {
    const path = join(mkdtempSync(join(tmpdir(), "keys-")), "keys.json");
    const script = `import { writeSecret } from ${JSON.stringify(join(process.cwd(), "setup/secret-file.ts"))};
      process.umask(0); writeSecret(${JSON.stringify(path)}, "x");`;

    expect(spawnSync(process.execPath, ["--input-type=module", "-e", script]).status).toBe(0);
    expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
  });
});
