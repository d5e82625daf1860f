import { DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { AdminCreateUserCommand, AdminGetUserCommand } from "@aws-sdk/client-cognito-identity-provider";
import { GetSecretValueCommand, PutSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, it } from "vitest";
import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import { toRole } from "../../core/domain/people/member.ts";
import { type ApiKeyInput } from "../../core/domain/workspace/api-key.ts";
import { hashApiKey, parseApiKey } from "../../core/domain/workspace/api-key-text.ts";
import { createApiKey, readSenderOfKey } from "../../core/store/people/api-keys.ts";
import { readControl } from "../../core/store/events/control.ts";
import { listDevices } from "../../core/store/people/devices.ts";
import { trailPk } from "../../core/store/keys.ts";
import { listMembers, readOwners } from "../../core/store/people/read-members.ts";
import { readWorkspace } from "../../core/store/people/read-workspace.ts";
import { createWorkspace } from "../../core/store/people/workspaces.ts";
import { startIntake } from "../../operator/writing-functions.ts";
import { createAnsweringClient, createStackDescription } from "./clients.ts";
import { SUB, USER, alice, aStage, bob } from "./fake-stage.ts";

const { stand, clock, advance, deps, cloudFormation, cognito, secrets, run } = await aStage();
let workspace: WorkspaceId = "ws_";
beforeEach(async () => {
  workspace = (await createWorkspace(deps, { name: "Acme", creator: bob })).id;
});

describe("a person whom an operator adds", () => {
  beforeEach(() => {
    cognito.on(AdminCreateUserCommand).resolves({ User: { Attributes: [{ Name: "sub", Value: SUB }] } });
  });
  const readRole = async () => {
    const owners = await readOwners(stand, workspace);
    const member = (await listMembers(stand, workspace)).find(({ userId }) => userId === USER);
    return member === undefined ? undefined : toRole(member, owners);
  };

  it("gets the given role, or keeps the current role if none is given", async () => {
    expect(await run("add-user", { workspace, ...alice, role: "viewer" })).toEqual({
      workspaceId: workspace,
      userId: USER,
      invited: true,
    });
    expect(await readRole()).toBe("viewer");

    await run("add-user", { workspace, ...alice });
    expect(await readRole()).toBe("viewer");
  });

  it("is not added if the role is invalid", async () => {
    await expect(run("add-user", { workspace, ...alice, role: "boss" })).rejects.toThrow(
      "--role must be one of viewer, responder, manager, owner.",
    );
    expect(cognito.commandCalls(AdminCreateUserCommand)).toEqual([]);
  });

  it("may create as many workspaces as the operator allows", async () => {
    cognito.on(AdminGetUserCommand).resolves({ UserAttributes: [{ Name: "sub", Value: SUB }] });

    expect(await run("allow-workspaces", { email: alice.email, most: "25" })).toEqual({ userId: USER, most: 25 });
    expect((await stand.listItems()).filter(({ most }) => most === 25)).toHaveLength(1);
    await expect(run("allow-workspaces", { email: alice.email, most: "0" })).rejects.toThrow("--most must be");
    await expect(run("allow-workspaces", { most: "1" })).rejects.toThrow("--email is missing.");
  });
});

describe("the operator's check of the audit trail", () => {
  it("reports a complete trail, and fails for a changed one", async () => {
    const [entry] = (await stand.listItems()).filter(({ pk }) => pk === trailPk(workspace));
    expect(await run("audit", { workspace })).toMatchObject({
      workspaceId: workspace,
      entries: expect.any(Number) as number,
    });
    expect(await run("audit", { workspace })).not.toHaveProperty("faults");

    await deps.table.client.send(new PutCommand({ TableName: stand.table.name, Item: { ...entry, at: 0 } }));

    await expect(run("audit", { workspace })).rejects.toThrow(`The audit trail of ${workspace} is broken: `);
  });
});

describe("replacing an API key by an operator", () => {
  it.each<[string, ApiKeyInput]>([
    ["some events", { name: "billing", eventKeys: ["billing.*"], mayResolve: "own" }],
    ["all events", { name: "any", mayResolve: "any" }],
    ["a tool that signs its messages", { name: "sentry", source: "sentry", signingSecret: "s".repeat(16) }],
    [
      "a tool with its own mapping",
      { name: "dog", source: "mapped", mapping: { resource: "datadog", title: ["title"] } },
    ],
    ["a limited time", { name: "guest", expiresAt: "2027-11-21T12:00:00.000Z" }],
  ])("creates a key with the same settings: a key for %s", async (_, input) => {
    const old = await createApiKey(deps, workspace, input);

    const made = (await run("replace-api-key", { workspace, key: old.id })) as { id: string; key: string };

    const { id: _id, key, createdAt: _at, ...same } = old;
    expect(made).toMatchObject({ ...same, replaces: old.id });
    const [one, other] = [parseApiKey(key), parseApiKey(made.key)];
    expect([other?.workspaceId, other?.source, other?.until]).toEqual([one?.workspaceId, one?.source, one?.until]);
    const found = await readSenderOfKey(deps, workspace, await hashApiKey(made.key));
    expect(found).toMatchObject({ sender: { id: made.id, name: input.name } });
    expect(found?.signingSecret).toBe(input.signingSecret);
  });

  it("fails if the key does not exist", async () => {
    await expect(run("replace-api-key", { workspace, key: "key_none" })).rejects.toThrow(
      `The workspace ${workspace} has no API key key_none.`,
    );
  });
});

describe("a new key for signing receipts", () => {
  const key = "k".repeat(64);
  const setStoredSecret = (secret: object | string) =>
    secrets
      .on(GetSecretValueCommand, { SecretId: "arn:receipts" })
      .resolves({ SecretString: typeof secret === "string" ? secret : JSON.stringify(secret) });
  const readNewSecret = () =>
    JSON.parse(secrets.commandCalls(PutSecretValueCommand).at(-1)?.args[0].input.SecretString ?? "") as object;
  beforeEach(() => {
    secrets.on(PutSecretValueCommand).resolves({});
  });
  const toTimeAfter = (ms: number) => new Date(clock.now() + ms).toISOString();

  it("is used after ten minutes, and the previous key is accepted as long as its pushes are valid", async () => {
    setStoredSecret({ key, since: 0 });

    expect(await run("receipt-key", {})).toEqual({
      usedFrom: toTimeAfter(600_000),
      beforeUntil: toTimeAfter(91_200_000),
    });
    expect(readNewSecret()).toMatchObject({ before: { key } });
  });

  it("is used at once if there was no key before, or if the earlier keys are to be revoked", async () => {
    for (const secret of ["", "placeholder", { key, since: 0, before: { key, until: clock.now() + 1 } }]) {
      setStoredSecret(secret);
      expect(await run("receipt-key", typeof secret === "string" ? {} : { "at-once": "yes" })).toEqual({
        usedFrom: toTimeAfter(0),
        beforeUntil: null,
      });
      expect(readNewSecret()).toEqual({ key: expect.stringMatching(/^[\w-]{64}$/) as string, since: 0 });
    }
  });

  it("is not created while pushes of the key before the current key are valid", async () => {
    setStoredSecret({ key, since: 0, before: { key, until: clock.now() + 1 } });
    await expect(run("receipt-key", {})).rejects.toThrow(
      `Tokens of the previous key are valid until ${toTimeAfter(1)}. Wait until then, or invalidate them with --at-once yes.`,
    );

    setStoredSecret({ key, since: 0, before: { key, until: clock.now() } });
    expect(await run("receipt-key", {})).toMatchObject({ usedFrom: toTimeAfter(600_000) });
  });
});

describe("a usage plan that an operator changes", () => {
  it("is shown, changed in the given fields, and not written if nothing changes", async () => {
    const before = { monthlyEvents: 100_000, eventsPerMinute: 300, burst: 100, retentionDays: 400 };
    expect(await run("plan", { workspace })).toMatchObject({ plan: before });
    expect(await run("plan", { workspace, "events-per-minute": "60" })).toMatchObject({
      plan: { ...before, eventsPerMinute: 60 },
    });
    const plan = { monthlyEvents: 5000, eventsPerMinute: 70, burst: 8, retentionDays: 60 };
    const options = { "monthly-events": "5000", "events-per-minute": "70", burst: "8", "retention-days": "60" };

    expect(await run("plan", { workspace, ...options })).toMatchObject({ workspaceId: workspace, plan, used: 0 });
    expect((await readControl(deps, workspace))?.plan).toEqual(plan);
    stand.usedActions();
    expect(await run("plan", { workspace, ...options })).toMatchObject({ plan });
    expect([...stand.usedActions()]).toEqual(["GetItem"]);
  });

  it.each(["30", "3654"])("must keep events for 31 to 3653 days: %s is refused", async (days) => {
    await expect(run("plan", { workspace, "retention-days": days })).rejects.toThrow(
      "--retention-days must be a whole number from 31 to 3653.",
    );
  });
});

describe("the setup of the synthetic test", () => {
  const addSecretToStack = () =>
    cloudFormation
      .on(DescribeStacksCommand)
      .resolves(createStackDescription({ TableName: stand.table.name, SyntheticSecretArn: "arn:synthetic" }));

  it("has its own workspace, a key that is stored only in its secret, and a device on the given platform", async () => {
    addSecretToStack();
    secrets.on(PutSecretValueCommand).resolves({});

    const made = (await run("synthetic", { "device-token": "token-1", platform: "ios" })) as {
      workspaceId: WorkspaceId;
    };

    const { workspaceId } = made;
    expect(made).toEqual({ workspaceId });
    const stored = secrets.commandCalls(PutSecretValueCommand)[0]?.args[0].input;
    expect([stored?.SecretId, parseApiKey(stored?.SecretString ?? "")?.workspaceId]).toEqual([
      "arn:synthetic",
      workspaceId,
    ]);
    expect((await readWorkspace(deps, workspaceId))?.name).toBe("Synthetic");
    expect(await listMembers(stand, workspaceId)).toMatchObject([
      { userId: `usr_${"0".repeat(32)}`, name: "Synthetic recipient", email: "" },
    ]);
    expect(await run("api-keys", { workspace: workspaceId, table: stand.table.name })).toMatchObject([
      { name: "synthetic" },
    ]);
    const [device] = await listDevices(deps, workspaceId, `usr_${"0".repeat(32)}`);
    expect(device).toMatchObject({ token: "token-1", platform: "ios" });
  });

  it("is refused for a device on an unknown platform", async () => {
    addSecretToStack();

    await expect(run("synthetic", { "device-token": "t", platform: "windows" })).rejects.toThrow(
      "--platform must be ios, android or web.",
    );
  });
});

describe("the reserved concurrency of ingest", () => {
  it("is removed when ingest starts again, if the stage reserves none", async () => {
    const { asked, client } = createAnsweringClient();

    const started = await startIntake({ lambda: client }, "dev", 0);

    expect(started.at(-1)).toBe("post-event");
    expect(asked).toEqual(
      started.map((name) => ["DeleteFunctionConcurrency", { FunctionName: `event-alerting-dev-${name}` }]),
    );
  });
});

it("the list of what a restore would lose is empty for a restore to the present time", async () => {
  advance(1000);

  expect(await run("events-since", { since: new Date(clock.now()).toISOString() })).toEqual([]);
});
