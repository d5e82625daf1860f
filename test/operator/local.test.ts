import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connectToLocalService } from "../../operator/local.ts";
import { addMachine } from "../../operator/machines.ts";

const member = { userId: "usr_1", name: "Ann", email: "ann@acme.example", token: "t" };
const inbox = { inboxUrl: "http://127.0.0.1:1/inbox" };
const session = {
  baseUrl: "http://127.0.0.1:1",
  console: "http://127.0.0.1:1/console",
  signIn: "http://127.0.0.1:1/sign-in",
  workspaces: [],
  outsider: member,
  fcm: inbox,
  webPush: { endpointPrefix: "http://127.0.0.1:1/push", ...inbox },
  hooks: inbox,
  mail: inbox,
  phone: inbox,
  slack: inbox,
  machines: [
    { name: "ci", clientId: "1", clientSecret: "hush", tokenUrl: "http://127.0.0.1:1/token" },
    { name: "deploy", clientId: "2", clientSecret: "hush", tokenUrl: "http://127.0.0.1:1/token" },
  ],
  meters: { url: "http://127.0.0.1:1/meters", controlUrl: "http://127.0.0.1:1" },
  table: { endpoint: "http://127.0.0.1:1/table", name: "events", accessKeyId: "local" },
  processes: { runtime: 1, dynamodb: 2 },
};

const withSessionFile = async (work: (dir: string) => Promise<void> | void): Promise<void> => {
  const dir = mkdtempSync(join(tmpdir(), "local-"));
  writeFileSync(join(dir, "session.json"), JSON.stringify(session));
  try {
    await work(dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
};

it("the operator's tool finds a local service by its session file, and changes its table", () =>
  withSessionFile((dir) => {
    const local = connectToLocalService(dir, "req_1");

    expect(local.session).toEqual(session);
    expect(local.table).toMatchObject({ name: "events", author: { requestId: "req_1" } });
  }));

it("the operator's tool refuses a machine that a local service does not have, and lists its machines", () =>
  withSessionFile(async (local) => {
    const clients = { newId: () => "req_1" } as never;

    await expect(addMachine.run(clients, { local, workspace: "ws_1", role: "viewer", name: "cd" })).rejects.toThrow(
      'The stage has no machine "cd"; it has ci, deploy. Add the machine under "machines"',
    );
  }));
