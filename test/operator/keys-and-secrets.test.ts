import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GetSecretValueCommand, PutSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import { describe, expect, test } from "vitest";
import { parseApiKey } from "../../core/domain/workspace/api-key-text.ts";
import { parseVapidKeys } from "../../core/push/web/vapid.ts";
import { createApiKey } from "../../core/store/people/api-keys.ts";
import { createWorkspace } from "../../core/store/people/workspaces.ts";
import { bob, aStage } from "./fake-stage.ts";

const { deps, secrets, run } = await aStage();

test("the operator's tool replaces an API key without a gap, because the old key is valid until it is deleted", async () => {
  const { id: workspace } = await createWorkspace(deps, { name: "Acme", creator: bob });
  const old = await createApiKey(deps, workspace, { name: "billing", signingSecret: "s".repeat(32) });

  const made = (await run("replace-api-key", { workspace, key: old.id })) as { id: string; key: string };

  expect(made).toMatchObject({ name: "billing", replaces: old.id });
  expect(parseApiKey(made.key)?.workspaceId).toBe(workspace);
  const listed = await run("api-keys", { workspace });
  expect(listed).toMatchObject([
    { id: old.id, name: "billing", signed: true },
    { id: made.id, name: "billing", signed: true },
  ]);
  expect(JSON.stringify(listed)).not.toContain("eak_");
  expect(await run("delete-api-key", { workspace, key: old.id })).toEqual({
    id: old.id,
    name: "billing",
    deleted: true,
  });
  expect(await run("api-keys", { workspace })).toMatchObject([{ id: made.id }]);
  await expect(run("delete-api-key", { workspace, key: old.id })).rejects.toThrow(
    `The workspace ${workspace} has no API key ${old.id}.`,
  );
});

const writeKeyFile = (text: string): string => {
  const file = join(mkdtempSync(join(tmpdir(), "operator-")), "key.json");
  writeFileSync(file, text);
  return file;
};

test("the operator's tool puts a key file unchanged into the secret for FCM", async () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const text = JSON.stringify({
    project_id: "acme",
    client_email: "push@acme.example",
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
  });
  secrets.on(PutSecretValueCommand).resolves({});

  expect(await run("fcm-secret", { file: writeKeyFile(text) })).toEqual({
    projectId: "acme",
    clientEmail: "push@acme.example",
  });
  expect(secrets.commandCalls(PutSecretValueCommand)[0]?.args[0].input).toEqual({
    SecretId: "arn:fcm",
    SecretString: text,
  });
});

test("the operator's tool leaves the secret for FCM unchanged if the given file is not a key file", async () => {
  await expect(run("fcm-secret", { file: writeKeyFile('{"project_id":"acme"}') })).rejects.toThrow(
    "is not the key file of a service account.",
  );
  expect(secrets.commandCalls(PutSecretValueCommand)).toEqual([]);
});

describe("the VAPID keys for Web Push", () => {
  const subject = "mailto:ops@acme.example";
  const listPutSecrets = () => secrets.commandCalls(PutSecretValueCommand).map(({ args }) => args[0].input);

  test("are created once, and replaced on request", async () => {
    secrets.on(PutSecretValueCommand).resolves({});
    secrets.on(GetSecretValueCommand, { SecretId: "arn:vapid" }).resolves({ SecretString: "placeholder" });

    const made = await run("web-push-keys", { subject });

    const [stored] = listPutSecrets();
    expect(stored?.SecretId).toBe("arn:vapid");
    expect(parseVapidKeys(stored?.SecretString ?? "")).toMatchObject({ ...(made as object), subject });

    secrets.on(GetSecretValueCommand).resolves({ SecretString: stored?.SecretString ?? "" });
    await expect(run("web-push-keys", { subject })).rejects.toThrow("--rotate yes");
    expect(await run("web-push-keys", { subject, rotate: "yes" })).not.toEqual(made);
    expect(listPutSecrets()).toHaveLength(2);
  });

  test("must have a contact address for push services", async () => {
    for (const bad of ["ops@acme.example", "mailto:me@localhost", "https://localhost", "http://acme.example"])
      await expect(run("web-push-keys", { subject: bad })).rejects.toThrow("--subject must be");
    expect(listPutSecrets()).toEqual([]);
  });
});
