import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  aDirectory,
  anEvent,
  type SpawnedService,
  startLocalService,
  takeGrant,
  useWorkspace,
} from "../support/local-service.ts";

const dir = aDirectory();
let service: SpawnedService;
beforeAll(async () => {
  service = await startLocalService(dir, {
    change: (template) => {
      takeGrant(template, "post-event", "sqs:SendMessage");
      takeGrant(template, "create-api-key", "dynamodb:PutItem");
    },
  });
});
afterAll(() => service.stop());

it("without the grant to send to the queue, ingest says so, and the sweeper delivers the event", async () => {
  const acme = useWorkspace(service, "Acme");
  await acme.tell("grant.missing", [0], ["phone"]);

  const accepted = await acme.send(anEvent("grant.missing"));

  expect(accepted.status).toBe(201);
  const { eventId } = accepted.body as { eventId: string };
  const statuses = async () => (await acme.readEvent(eventId)).notifications.map(({ status }) => status);
  await expect
    .poll(() => service.output())
    .toMatch(/! post-event +User: post-event is not authorized to perform: sqs:SendMessage on resource: arn:aws:sqs:/);
  expect(await statuses()).toStrictEqual([]);
  await service.control("POST", "/clock", { advanceSeconds: 120 });
  await service.control("POST", "/tick");
  await expect.poll(statuses).toStrictEqual(["SENT"]);
});

it("without the grant to write to the table, a change fails with 500 and a clear line in the log", async () => {
  const { id, members } = useWorkspace(service, "Acme");

  const path = `/v1/workspaces/${id}/api-keys`;
  const { status } = await service.call("POST", path, { as: members[0]!.token, body: { name: "never made" } });

  expect(status).toBe(500);
  await expect
    .poll(() => service.output())
    .toContain("User: create-api-key is not authorized to perform: dynamodb:PutItem on resource: arn:aws:dynamodb:");
  const logFile = join(dir, "logs/create-api-key.log");
  await expect
    .poll(() => (existsSync(logFile) ? readFileSync(logFile, "utf8") : ""))
    .toMatch(/"level":"ERROR".*AccessDeniedException.*dynamodb:PutItem/);
});
