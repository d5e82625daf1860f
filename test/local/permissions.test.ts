import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { controlKey, devicesPk, memberKey, rulesPk, trailPk, userPk } from "../../core/store/keys.ts";
import { makeDirectory, newEvent, startLocalService, removeGrant, useWorkspace } from "../support/local-service.ts";

const dir = makeDirectory();
const service = await startLocalService(dir, {
  change: (template) => {
    removeGrant(template, "post-event", "sqs:SendMessage");
    removeGrant(template, "write-api-keys", "dynamodb:PutItem");
  },
});
afterAll(() => service.stop());

it("without the permission to send to the queue, ingest logs the failure, and the sweeper delivers the event", async () => {
  const acme = useWorkspace(service, "Acme");
  await acme.tell("grant.missing", [0], ["phone"]);

  const accepted = await acme.send(newEvent("grant.missing"));

  expect(accepted.status).toBe(201);
  const { eventId } = accepted.body as { eventId: string };
  const listStatuses = async () => (await acme.readEvent(eventId)).notifications.map(({ status }) => status);
  await expect
    .poll(() => service.output())
    .toMatch(/! post-event +User: post-event is not authorized to perform: sqs:SendMessage on resource: arn:aws:sqs:/);
  expect(await listStatuses()).toStrictEqual([]);
  await service.control("POST", "/clock", { advanceSeconds: 120 });
  await service.control("POST", "/tick");
  await expect.poll(listStatuses).toStrictEqual(["SENT"]);
});

it("without the permission to write to the table, a change fails with 500 and a clear log line", async () => {
  const { id, members } = useWorkspace(service, "Acme");

  const path = `/v1/workspaces/${id}/api-keys`;
  const { status } = await service.call("POST", path, { as: members[0]!.token, body: { name: "never made" } });

  expect(status).toBe(500);
  await expect
    .poll(() => service.output())
    .toContain("User: write-api-keys is not authorized to perform: dynamodb:PutItem on resource: arn:aws:dynamodb:");
  const logFile = join(dir, "logs/write-api-keys.log");
  await expect
    .poll(() => (existsSync(logFile) ? readFileSync(logFile, "utf8") : ""))
    .toMatch(/"level":"ERROR".*AccessDeniedException.*dynamodb:PutItem/);
});

/** Calls the table with the function's credentials, as code in the function could. */
const createTableCalls = (functionName: string) => {
  const { endpoint, name: TableName } = service.session.table;
  const options = {
    region: "local",
    endpoint,
    maxAttempts: 1,
    credentials: { accessKeyId: functionName, secretAccessKey: "local" },
  };
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(options));
  const queryAll = (pk: string) =>
    new QueryCommand({ TableName, KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": pk } });
  return {
    get: (pk: string, sk: string) => client.send(new GetCommand({ TableName, Key: { pk, sk } })),
    list: async (pk: string) => (await client.send(queryAll(pk))).Items ?? [],
    /** Returns attempts to read and write a partition, by name. `own`: a key that the function may use. */
    attempts: (pk: string, own: { pk: string; sk: string }): Record<string, () => Promise<unknown>> => ({
      [`list ${pk}`]: () => client.send(queryAll(pk)),
      [`get ${pk}`]: () => client.send(new GetCommand({ TableName, Key: { pk, sk: "x" } })),
      [`get ${pk} beside its own`]: () =>
        client.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [own, { pk, sk: "x" }] } } })),
      [`put ${pk}`]: () => client.send(new PutCommand({ TableName, Item: { pk, sk: "x" } })),
      [`update ${pk}`]: () =>
        client.send(new UpdateCommand({ TableName, Key: { pk, sk: "x" }, UpdateExpression: "REMOVE a" })),
      [`delete ${pk}`]: () => client.send(new DeleteCommand({ TableName, Key: { pk, sk: "x" } })),
    }),
  };
};

it.each(["post-event", "take-call"])(
  "malicious code in %s can read no names, tokens, rules or memberships of any workspace",
  async (functionName) => {
    const [acme, globex] = [useWorkspace(service, "Acme"), useWorkspace(service, "Globex")];
    await globex.tell("of.globex", [0], ["phone"]);
    const { userId } = globex.members[0]!;
    const wanted = [acme, globex].flatMap(({ id }) => [
      memberKey(id, userId).pk,
      devicesPk(id),
      rulesPk(id),
      trailPk(id),
    ]);
    const operator = createTableCalls(service.session.table.accessKeyId);
    const code = createTableCalls(functionName);

    // These partitions must have items, so that only a missing permission can refuse an attempt.
    for (const pk of wanted.slice(4)) expect(await operator.list(pk), pk).not.toEqual([]);
    const attempts = [...wanted, userPk(userId)].flatMap((pk) =>
      Object.entries(code.attempts(pk, controlKey(acme.id))),
    );
    const refusals = await Promise.all(
      attempts.map(async ([what, attempt]) =>
        attempt().then(
          () => `${what}: taken`,
          ({ name }: Error) => (name === "AccessDeniedException" ? "refused" : `${what}: ${name}`),
        ),
      ),
    );
    expect(new Set(refusals)).toEqual(new Set(["refused"]));
  },
);

it("code in a function can read the kinds of items that the function needs", async () => {
  const { id } = useWorkspace(service, "Acme");
  const { pk, sk } = controlKey(id);

  expect((await createTableCalls("post-event").get(pk, sk)).Item).toMatchObject({ pk });
});
