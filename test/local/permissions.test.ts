import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import {
  aDirectory,
  anEvent,
  type SpawnedService,
  startLocalService,
  takeGrant,
  useWorkspace,
} from "../support/local-service.ts";

let service: SpawnedService;

afterEach(() => service.stop());

it("without the grant to send to the queue, ingest says so, and the sweeper delivers the event", async () => {
  const dir = aDirectory();
  service = await startLocalService(dir, {
    change: (template) => takeGrant(template, "post-event", "sqs:SendMessage"),
  });
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

it("without the grant to write to the table, ingest fails with 500 and a clear line in its log", async () => {
  const dir = aDirectory();
  service = await startLocalService(dir, {
    change: (template) => takeGrant(template, "post-event", "dynamodb:PutItem"),
  });
  const acme = useWorkspace(service, "Acme");

  const { status } = await acme.send(anEvent("grant.missing"));

  expect(status).toBe(500);
  await expect
    .poll(() => service.output())
    .toContain("User: post-event is not authorized to perform: dynamodb:PutItem on resource: arn:aws:dynamodb:");
  const logFile = join(dir, "logs/post-event.log");
  await expect
    .poll(() => (existsSync(logFile) ? readFileSync(logFile, "utf8") : ""))
    .toMatch(/"level":"ERROR".*AccessDeniedException.*dynamodb:PutItem/);
});
