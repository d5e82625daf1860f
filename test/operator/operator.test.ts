import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import {
  AdminCreateUserCommand,
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  AdminGetUserCommand,
  AdminInitiateAuthCommand,
  AdminSetUserPasswordCommand,
  AdminUserGlobalSignOutCommand,
  CognitoIdentityProviderClient,
  ListUsersCommand,
  UserNotFoundException,
  UsernameExistsException,
} from "@aws-sdk/client-cognito-identity-provider";
import { DeleteFunctionConcurrencyCommand, LambdaClient, PutFunctionConcurrencyCommand } from "@aws-sdk/client-lambda";
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SQSClient, StartMessageMoveTaskCommand } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import * as v from "valibot";
import { EventInput } from "../../core/domain/event/event.ts";
import { hashApiKey, parseApiKey } from "../../core/domain/workspace/api-key.ts";
import { createIngest } from "../../core/flow/ingest-event.ts";
import { parseReceiptKeys } from "../../core/domain/delivery/receipt.ts";
import { parseVapidKeys } from "../../core/push/web/vapid.ts";
import { readControl } from "../../core/store/control.ts";
import { createApiKey } from "../../core/store/api-keys.ts";
import { listMembers, saveMember } from "../../core/store/members.ts";
import { putMarker } from "../../core/store/markers.ts";
import { createEvent } from "../../core/store/events.ts";
import { createWorkspace } from "../../core/store/workspaces.ts";
import { commands } from "../../operator/commands.ts";
import type { Options } from "../../operator/options.ts";
import { testClock } from "../world/clock.ts";
import { createTestQueues } from "../world/queues.ts";
import { useTable } from "../world/use-table.ts";
import { testClients } from "./clients.ts";

const stand = await useTable();

const { deps: clock, advance } = testClock();
const cloudFormation = mockClient(CloudFormationClient);
const cognito = mockClient(CognitoIdentityProviderClient);
const lambda = mockClient(LambdaClient);
const secrets = mockClient(SecretsManagerClient);
const sqs = mockClient(SQSClient);

const outputs = {
  UserPoolId: "eu-central-1_pool",
  UserPoolClientId: "client",
  FcmSecretArn: "arn:fcm",
  VapidSecretArn: "arn:vapid",
  ReceiptSecretArn: "arn:receipts",
  PushesDeadLetterQueueArn: "arn:pushes-dead",
};

const mocks = [cloudFormation, cognito, lambda, secrets, sqs];
afterAll(() => mocks.forEach((mock) => mock.restore()));

beforeEach(() => {
  for (const mock of mocks) mock.reset();
  cognito.on(ListUsersCommand).resolves({});
  cloudFormation.on(DescribeStacksCommand, { StackName: "EventAlerting-prod" }).resolves({
    Stacks: [
      {
        StackName: "EventAlerting-prod",
        CreationTime: new Date(0),
        StackStatus: "CREATE_COMPLETE",
        Outputs: Object.entries({ ...outputs, TableName: stand.table.name }).map(([OutputKey, OutputValue]) => ({
          OutputKey,
          OutputValue,
        })),
      },
    ],
  });
});

const run = (command: string, options: Options): Promise<unknown> =>
  commands[command]!.run(testClients(stand, clock), { stage: "prod", ...options });

const SUB = "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9";
const USER = "usr_0a1b2c3d4e5f60718293a4b5c6d7e8f9";
const alice = { email: "alice@acme.example", name: "Alice" };

test("the first workspace has the member who was invited to the pool", async () => {
  cognito.on(AdminCreateUserCommand).resolves({ User: { Attributes: [{ Name: "sub", Value: SUB }] } });

  const made = (await run("first-workspace", { workspace: "Acme", ...alice })) as { workspaceId: string };

  expect(made).toMatchObject({ userId: USER, invited: true });
  expect(await listMembers(stand, made.workspaceId)).toMatchObject([{ userId: USER, ...alice }]);
  expect(cognito.commandCalls(AdminCreateUserCommand)[0]?.args[0].input).toMatchObject({
    UserPoolId: "eu-central-1_pool",
    Username: "alice@acme.example",
  });
});

test("somebody who is in the pool already is not invited again", async () => {
  cognito.on(AdminCreateUserCommand).rejects(new UsernameExistsException({ message: "known", $metadata: {} }));
  cognito.on(AdminGetUserCommand).resolves({ UserAttributes: [{ Name: "sub", Value: SUB }] });

  expect(await run("first-workspace", { workspace: "Acme", ...alice })).toMatchObject({
    userId: USER,
    invited: false,
  });
});

test("a user can be added to a workspace that exists, and to no other", async () => {
  cognito.on(AdminCreateUserCommand).resolves({ User: { Attributes: [{ Name: "sub", Value: SUB }] } });
  const creator = { userId: "usr_b", name: "Bob", email: "bob@acme.example" };
  const { id } = await createWorkspace({ ...clock, table: stand.table }, { name: "Acme", creator });

  await run("add-user", { workspace: id, ...alice });

  expect((await listMembers(stand, id)).map(({ userId }) => userId).sort()).toEqual([USER, "usr_b"].sort());
  await expect(run("add-user", { workspace: "ws_none", ...alice })).rejects.toThrow("There is no workspace ws_none.");
});

describe("who and what there is", () => {
  const deps = () => ({ ...clock, table: stand.table });
  const bob = { userId: "usr_b", name: "Bob", email: "bob@acme.example" };

  test("all workspaces are listed, each once, the oldest first, without reading anything else", async () => {
    const { id: first } = await createWorkspace(deps(), { name: "First", creator: bob });
    const { id: second } = await createWorkspace(deps(), { name: "Second", creator: bob });
    stand.usedActions();

    const listed = (await run("workspaces", {})) as { workspaceId: string; name: string }[];

    expect(stand.usedActions()).toEqual(new Set(["Query", "BatchGetItem"]));
    const ids = listed.map(({ workspaceId }) => workspaceId);
    expect(ids.filter((id) => id === first || id === second)).toEqual([first, second]);
    expect(listed.find(({ workspaceId }) => workspaceId === first)?.name).toBe("First");
  });

  test("a person's workspaces are found by the address", async () => {
    const { id } = await createWorkspace(deps(), { name: "Alice's", creator: { userId: USER, ...alice } });
    cognito.on(AdminGetUserCommand).resolves({ UserAttributes: [{ Name: "sub", Value: SUB }] });

    expect(await run("workspaces", { email: alice.email })).toContainEqual(
      expect.objectContaining({ workspaceId: id, name: "Alice's" }),
    );
  });

  test("the people of the pool are listed to the last page, those of a workspace with whether a push would arrive", async () => {
    const user = (sub: string, email: string, Enabled: boolean) => ({
      Attributes: [
        { Name: "sub", Value: sub },
        { Name: "email", Value: email },
      ],
      Enabled,
      UserStatus: "CONFIRMED" as const,
    });
    cognito
      .on(ListUsersCommand, { UserPoolId: "eu-central-1_pool" })
      .resolves({ Users: [user("a-1", "a@acme.example", true)], PaginationToken: "more" })
      .on(ListUsersCommand, { PaginationToken: "more" })
      .resolves({ Users: [user("b-2", "b@acme.example", false)] });
    const { id } = await createWorkspace(deps(), { name: "Acme", creator: bob });

    expect(await run("people", {})).toEqual([
      { userId: "usr_a1", email: "a@acme.example", name: null, status: "CONFIRMED", enabled: true },
      { userId: "usr_b2", email: "b@acme.example", name: null, status: "CONFIRMED", enabled: false },
    ]);
    expect(await run("people", { workspace: id })).toMatchObject([{ ...bob, reachable: "no" }]);
  });
});

describe("somebody who is disabled", () => {
  const deps = () => ({ ...clock, table: stand.table });
  const user = { UserPoolId: "eu-central-1_pool", Username: "alice@acme.example" };
  const sub = "1".repeat(32);
  const userId = `usr_${sub}`;
  beforeEach(() => {
    cognito.on(AdminGetUserCommand).resolves({ UserAttributes: [{ Name: "sub", Value: sub }] });
    cognito.on(AdminDisableUserCommand).resolves({});
    cognito.on(AdminUserGlobalSignOutCommand).resolves({});
    cognito.on(AdminEnableUserCommand).resolves({});
  });

  test("cannot sign in, then is signed out, and stays a member until they are to leave", async () => {
    const { id: shared } = await createWorkspace(deps(), { name: "Shared", creator: { userId, ...alice } });
    await saveMember(deps(), shared, { userId: "usr_b", name: "Bob", email: "bob@acme.example", role: "owner" });
    const { id: alone } = await createWorkspace(deps(), { name: "Alone", creator: { userId, ...alice } });

    expect(await run("disable-person", { email: alice.email })).toEqual({
      userId,
      enabled: false,
      left: [],
      memberOf: [shared, alone],
    });
    expect(cognito.calls().map(({ args: [command] }) => [command.constructor.name, command.input])).toEqual([
      ["AdminGetUserCommand", user],
      ["ListUsersCommand", { UserPoolId: user.UserPoolId, Filter: 'email = "alice@acme.example"' }],
      ["AdminDisableUserCommand", user],
      ["AdminUserGlobalSignOutCommand", user],
    ]);
    // The last owner of a workspace cannot leave it.
    expect(await run("disable-person", { email: alice.email, leave: "yes" })).toEqual({
      userId,
      enabled: false,
      left: [shared],
      memberOf: [alone],
    });
    expect((await listMembers(stand, shared)).map((member) => member.userId)).toEqual(["usr_b"]);

    await run("enable-person", { email: alice.email });
    expect(cognito.commandCalls(AdminEnableUserCommand)[0]?.args[0].input).toEqual(user);
  });

  test("is so with every account that has the address, also one of a sign-in elsewhere", async () => {
    const elsewhere = { Username: "SingleSignOn_alice", Attributes: [{ Name: "sub", Value: "2".repeat(32) }] };
    cognito
      .on(ListUsersCommand, { Filter: 'email = "alice@acme.example"' })
      .resolves({ Users: [{ Username: "alice", Attributes: [{ Name: "sub", Value: sub }] }, elsewhere] });
    const creator = { userId: `usr_${"2".repeat(32)}`, ...alice };
    const { id } = await createWorkspace(deps(), { name: "By the other", creator });

    expect(await run("disable-person", { email: alice.email })).toMatchObject({
      userId,
      memberOf: expect.arrayContaining([id]) as string[],
    });
    expect(cognito.commandCalls(AdminDisableUserCommand).map(({ args: [command] }) => command.input.Username)).toEqual([
      alice.email,
      "SingleSignOn_alice",
    ]);

    cognito.on(AdminGetUserCommand).rejects(new UserNotFoundException({ message: "unknown", $metadata: {} }));
    cognito.on(ListUsersCommand).resolves({ Users: [elsewhere] });
    expect(await run("workspaces", { email: alice.email })).toMatchObject([{ workspaceId: id }]);
  });

  test("must be somebody, and leaves or does not", async () => {
    await expect(run("disable-person", { email: alice.email, leave: "no" })).rejects.toThrow(
      "--leave is either left out or yes.",
    );
    cognito.on(AdminGetUserCommand).rejects(new UserNotFoundException({ message: "unknown", $metadata: {} }));
    await expect(run("disable-person", { email: alice.email })).rejects.toThrow(
      "The user pool has nobody with the address alice@acme.example.",
    );
    expect(cognito.commandCalls(AdminDisableUserCommand)).toEqual([]);
  });
});

test("an API key is replaced without a gap: the old one is good until it is deleted", async () => {
  const deps = { ...clock, table: stand.table };
  const creator = { userId: "usr_b", name: "Bob", email: "bob@acme.example" };
  const { id: workspace } = await createWorkspace(deps, { name: "Acme", creator });
  const old = await createApiKey(deps, workspace, { name: "billing" });

  const made = (await run("replace-api-key", { workspace, key: old.id })) as { id: string; key: string };

  expect(made).toMatchObject({ name: "billing", replaces: old.id });
  expect(parseApiKey(made.key)?.workspaceId).toBe(workspace);
  const listed = await run("api-keys", { workspace });
  expect(listed).toMatchObject([
    { id: old.id, name: "billing" },
    { id: made.id, name: "billing" },
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

test("a temporary password becomes the user's own at the first session", async () => {
  cognito
    .on(AdminInitiateAuthCommand)
    .resolvesOnce({ ChallengeName: "NEW_PASSWORD_REQUIRED" })
    .resolves({ AuthenticationResult: { AccessToken: "header.claims.signature" } });
  cognito.on(AdminSetUserPasswordCommand).resolves({});

  expect(await run("session", { email: "alice@acme.example", password: "correct horse" })).toEqual({
    token: "header.claims.signature",
  });
  expect(cognito.commandCalls(AdminSetUserPasswordCommand)[0]?.args[0].input).toMatchObject({ Permanent: true });
});

test("without a password there is no session", async () => {
  await expect(run("session", { email: "alice@acme.example" })).rejects.toThrow("Set OPERATOR_PASSWORD");
});

test("a dead-letter queue is given back at the rate that was asked for", async () => {
  sqs.on(StartMessageMoveTaskCommand).resolves({ TaskHandle: "task" });

  expect(await run("redrive", { queue: "pushes", rate: "10" })).toEqual({ taskHandle: "task" });
  expect(sqs.commandCalls(StartMessageMoveTaskCommand)[0]?.args[0].input).toEqual({
    SourceArn: "arn:pushes-dead",
    MaxNumberOfMessagesPerSecond: 10,
  });
});

test.each([
  [{ queue: "letters", rate: "10" }, "--queue must be events, pushes, escalations or webhooks."],
  [{ queue: "pushes", rate: "0" }, "--rate must be a whole number from 1."],
  [{ queue: "pushes", rate: "501" }, "--rate must be at most 500."],
  [{ queue: "pushes" }, "--rate is missing."],
])("redrive %o is refused", async (options, sentence) => {
  await expect(run("redrive", options)).rejects.toThrow(sentence);
});

const keyFile = (text: string): string => {
  const file = join(mkdtempSync(join(tmpdir(), "operator-")), "key.json");
  writeFileSync(file, text);
  return file;
};

test("a key file goes into the secret as it is", async () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const text = JSON.stringify({
    project_id: "acme",
    client_email: "push@acme.example",
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
  });
  secrets.on(PutSecretValueCommand).resolves({});

  expect(await run("fcm-secret", { file: keyFile(text) })).toEqual({
    projectId: "acme",
    clientEmail: "push@acme.example",
  });
  expect(secrets.commandCalls(PutSecretValueCommand)[0]?.args[0].input).toEqual({
    SecretId: "arn:fcm",
    SecretString: text,
  });
});

test("what is no key file stays where it is", async () => {
  await expect(run("fcm-secret", { file: keyFile('{"project_id":"acme"}') })).rejects.toThrow(
    "is no key file of a service account.",
  );
  expect(secrets.commandCalls(PutSecretValueCommand)).toEqual([]);
});

describe("the keys for Web Push", () => {
  const subject = "mailto:ops@acme.example";
  const put = () => secrets.commandCalls(PutSecretValueCommand).map(({ args }) => args[0].input);

  test("are made once, and replaced when that is asked for", async () => {
    secrets.on(PutSecretValueCommand).resolves({});
    secrets.on(GetSecretValueCommand, { SecretId: "arn:vapid" }).resolves({ SecretString: "placeholder" });

    const made = await run("web-push-keys", { subject });

    const [stored] = put();
    expect(stored?.SecretId).toBe("arn:vapid");
    expect(parseVapidKeys(stored?.SecretString ?? "")).toMatchObject({ ...(made as object), subject });

    secrets.on(GetSecretValueCommand).resolves({ SecretString: stored?.SecretString ?? "" });
    await expect(run("web-push-keys", { subject })).rejects.toThrow("--rotate yes");
    expect(await run("web-push-keys", { subject, rotate: "yes" })).not.toEqual(made);
    expect(put()).toHaveLength(2);
  });

  test("need somebody whom push services can write to", async () => {
    for (const bad of ["ops@acme.example", "mailto:me@localhost", "https://localhost", "http://acme.example"])
      await expect(run("web-push-keys", { subject: bad })).rejects.toThrow("--subject must be");
    expect(put()).toEqual([]);
  });
});

describe("the intake", () => {
  beforeEach(() => {
    lambda.on(PutFunctionConcurrencyCommand).resolves({});
    lambda.on(DeleteFunctionConcurrencyCommand).resolves({});
  });
  const concurrencyOf = () =>
    new Map(
      lambda
        .commandCalls(PutFunctionConcurrencyCommand)
        .map(({ args: [{ input }] }) => [input.FunctionName, input.ReservedConcurrentExecutions]),
    );

  test("stops for every call that would change something, ingest first, and for no other", async () => {
    await run("stop-intake", {});

    const stopped = concurrencyOf();
    expect([...stopped.keys()][0]).toBe("event-alerting-prod-post-event");
    for (const name of ["post-from-source", "take-call", "take-receipt", "update-routing-rule", "register-device"])
      expect(stopped.get(`event-alerting-prod-${name}`)).toBe(0);
    for (const name of ["get-event", "list-events", "matcher", "sender", "escalator", "sweeper", "serve-console"])
      expect(stopped.has(`event-alerting-prod-${name}`)).toBe(false);
  });

  test("starts again with what the stage's settings reserve for ingest", async () => {
    const { stopped } = (await run("stop-intake", { stage: "dev" })) as { stopped: string[] };
    lambda.resetHistory();

    expect(await run("start-intake", { stage: "dev" })).toEqual({ started: stopped.toReversed() });
    expect([...concurrencyOf()]).toEqual([["event-alerting-dev-post-event", 100]]);
    expect(lambda.commandCalls(DeleteFunctionConcurrencyCommand)).toHaveLength(stopped.length - 1);
  });
});

test("what a restore would leave behind is listed by workspace", async () => {
  const deps = { ...clock, table: stand.table, queues: { events: createTestQueues(clock.now).queues.events.queue } };
  const creator = { userId: "usr_b", name: "Bob", email: "bob@acme.example" };
  const plan = { monthlyEvents: 1000, eventsPerMinute: 600_000, burst: 1000, retentionDays: 400 };
  const { id: ws } = await createWorkspace(deps, { name: "Behind", creator, plan });
  const { key } = await createApiKey(deps, ws, { name: "test" });
  const ingest = createIngest(deps);
  const apiKey = { workspaceId: ws, hash: await hashApiKey(key) };
  const post = (title: string) =>
    ingest({
      apiKey,
      input: { event: v.parse(EventInput, { event: "a.b", title, body: "x" }), idempotency: undefined },
    });
  await post("before");
  const since = clock.now() + 1;
  advance(1000);
  for (let count = 0; count < 120; count += 1) await post(`after ${count}`);

  const found = (await run("events-since", { since: new Date(since).toISOString() })) as {
    workspaceId: string;
    events: { title: string }[];
  }[];

  const mine = found.find(({ workspaceId }) => workspaceId === ws);
  expect(mine?.events.map(({ title }) => title)).toEqual(
    Array.from({ length: 120 }, (_, index) => `after ${119 - index}`),
  );
  await expect(run("events-since", { since: "yesterday" })).rejects.toThrow("--since must be a moment");
});

describe("the key of receipts", () => {
  const secret = (SecretString: string) =>
    secrets.on(GetSecretValueCommand, { SecretId: "arn:receipts" }).resolves({ SecretString });
  const stored = () => {
    const puts = secrets.commandCalls(PutSecretValueCommand);
    return parseReceiptKeys(puts.at(-1)?.args[0].input.SecretString ?? "");
  };
  const made = { key: "k".repeat(64), since: 0 };

  test("is replaced, and the one before is taken until its pushes are over", async () => {
    secret(JSON.stringify(made));
    secrets.on(PutSecretValueCommand).resolves({});

    await run("receipt-key", {});

    const keys = stored();
    expect(keys).toMatchObject({ since: clock.now() + 600_000, before: { key: made.key } });
    secret(JSON.stringify(keys));
    await expect(run("receipt-key", {})).rejects.toThrow("--at-once yes");
    await run("receipt-key", { "at-once": "yes" });
    expect(stored()?.key).not.toBe(keys?.key);
    expect(stored()?.before).toBeUndefined();
  });
});

test("the synthetic event needs a stack that was deployed with it", async () => {
  await expect(run("synthetic", { "device-token": "token" })).rejects.toThrow(
    "The stack EventAlerting-prod has no output SyntheticSecretArn.",
  );
});

test("the synthetic event's key goes into its secret and nowhere else", async () => {
  cloudFormation.on(DescribeStacksCommand).resolves({
    Stacks: [
      {
        StackName: "EventAlerting-prod",
        CreationTime: new Date(0),
        StackStatus: "CREATE_COMPLETE",
        Outputs: [
          { OutputKey: "TableName", OutputValue: stand.table.name },
          { OutputKey: "SyntheticSecretArn", OutputValue: "arn:synthetic" },
        ],
      },
    ],
  });
  secrets.on(PutSecretValueCommand).resolves({});

  const made = (await run("synthetic", { "device-token": "token-1" })) as { workspaceId: string };

  const stored = secrets.commandCalls(PutSecretValueCommand)[0]?.args[0].input;
  expect(stored?.SecretId).toBe("arn:synthetic");
  expect(parseApiKey(stored?.SecretString ?? "")?.workspaceId).toBe(made.workspaceId);
  expect(JSON.stringify(made)).not.toContain("eak_");
});

test("a workspace's plan is shown, and changed in what is given", async () => {
  const creator = { userId: "usr_b", name: "Bob", email: "bob@acme.example" };
  const deps = { ...clock, table: stand.table };
  const { id } = await createWorkspace(deps, { name: "Acme", creator });

  expect(await run("plan", { workspace: id })).toMatchObject({
    plan: { monthlyEvents: 100_000, eventsPerMinute: 300, burst: 100, retentionDays: 400 },
    used: 0,
  });
  await run("plan", { workspace: id, "events-per-minute": "60" });

  expect((await readControl(deps, id))?.plan).toEqual({
    monthlyEvents: 100_000,
    eventsPerMinute: 60,
    burst: 100,
    retentionDays: 400,
  });
});

test("an event's ledger shows what is still to do, from any table", async () => {
  const deps = { ...clock, table: stand.table };
  const eventId = "evt_00000000100000000000";
  const content = { eventKey: "order.failed", title: "Order failed", body: "No stock", priority: "NORMAL" } as const;
  await createEvent(
    deps,
    { workspaceId: "ws_1", eventId, receivedAt: 0, rulesVersion: 3, peopleVersion: 4, content },
    "req_1",
  );
  await putMarker(deps, { ws: "ws_1", eventId, due: 45_000, since: 0, tries: 2 });

  expect(await run("ledger", { workspace: "ws_1", event: eventId, table: stand.table.name })).toMatchObject({
    event: { id: eventId, number: 1, receivedAt: "1970-01-01T00:00:00.000Z", rulesVersion: 3, peopleVersion: 4 },
    plannedAt: null,
    rules: [],
    packs: [],
    recipients: { recipients: 0, told: 0, failed: 0, silenced: 0, pending: 0, faults: [] },
    unfinished: [{ work: "event", tries: 2, nextTry: "1970-01-01T00:00:45.000Z" }],
  });
  await expect(run("ledger", { workspace: "ws_2", event: eventId })).rejects.toThrow(
    `The workspace ws_2 has no event ${eventId}.`,
  );
});
