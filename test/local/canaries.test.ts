import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { findCanaries, type Canaries } from "../support/canaries.ts";
import { makeDirectory, newEvent, startLocalService, useWorkspace } from "../support/local-service.ts";

/*
 * Repeats test/interface/canaries.test.ts on the deployed bundles: with sessions, real logs, and the messages that the
 * SDKs log when AWS services are unavailable.
 */

const dir = makeDirectory();
const service = await startLocalService(dir);
afterAll(() => service.stop());
const acme = useWorkspace(service, "Acme");
const answers: string[] = [];

const keys = JSON.parse(readFileSync(join(dir, "keys.json"), "utf8")) as { session: string; fcm: string };
const signatureOf = (token: string) => token.split(".")[2] ?? "";
const canaries: Canaries = {
  apiKey: acme.apiKey,
  session: signatureOf(acme.members[0]!.token),
  sessionOfAnother: signatureOf(acme.members[1]!.token),
  sessionKey: keys.session,
  serviceAccount: keys.fcm,
  accessToken: "local-fcm-",
  idempotencyKey: "canary-idempotency-51c0",
  title: "canary-title-a7d2",
  value: "canary-value-0b9e",
  device: "canary-device-44f1",
};

const SOON = { timeout: 20_000, interval: 100 };
const readLog = (name: string): string => {
  try {
    return readFileSync(join(dir, "logs", `${name}.log`), "utf8");
  } catch {
    return "";
  }
};
let posts = 0;
const sendEvent = async () => {
  posts += 1;
  const answer = await service.call("POST", "/v1/events", {
    as: acme.apiKey,
    headers: { "idempotency-key": `canary-idempotency-51c0-${posts}` },
    body: newEvent("canary.sent", { title: "canary-title-a7d2", data: { value: "canary-value-0b9e" } }),
  });
  answers.push(JSON.stringify(answer));
  return answer.status;
};
const readPath = async (path: string, member = 0) => {
  const as = acme.members[member]!.token;
  const answer = await service.call("GET", `/v1/workspaces/${acme.id}${path}`, { as });
  answers.push(JSON.stringify(answer));
  return answer.status;
};
/** Moves the clock, so that waiting retries become due. */
const moveClock = async () => {
  await service.control("POST", "/clock", { advanceSeconds: 120 });
  await service.control("POST", "/tick");
};

it("no function logs a secret or event content, and no answer contains a secret", { timeout: 90_000 }, async () => {
  for (const device of [
    "canary-device-44f1",
    "stale-canary-device-44f1",
    "invalid-canary-device-44f1",
    "reset-1-canary-device-44f1",
  ])
    await acme.tell("canary.sent", [0, 1], [device]);
  expect(await sendEvent()).toBe(201);
  await expect.poll(() => readLog("sender"), SOON).toContain("pack.sent");

  await service.control("PUT", "/faults", { fcm: "down" });
  expect(await sendEvent()).toBe(201);
  await expect.poll(() => readLog("sender"), SOON).toContain("PushFailed");
  await service.control("PUT", "/faults", { sqs: "down" });
  expect(await sendEvent()).toBe(201);
  await expect.poll(() => readLog("post-event"), SOON).toContain("event.not_enqueued");
  await service.control("PUT", "/faults", { dynamodb: "down" });
  expect(await sendEvent()).toBe(500);
  expect(await readPath("/groups")).toBe(500);
  await expect.poll(() => readLog("read-groups"), SOON).toContain("http.failed");
  await service.control("PUT", "/faults", {});
  await moveClock();
  for (const path of ["", "/members", "/api-keys", "/devices", "/events", "/notifications", "/sites", "/event-types"])
    expect({ path, status: await readPath(path) }).toEqual({ path, status: 200 });
  expect(await readPath("/groups/canary-title-a7d2/members", 1)).toBe(404);
  await expect.poll(() => readLog("sweeper").match(/sweeper\.ran/g)?.length ?? 0, SOON).toBeGreaterThan(1);

  const logs = readdirSync(join(dir, "logs")).filter((file) => file !== "local.log");
  expect(logs).toEqual(expect.arrayContaining(["post-event.log", "matcher.log", "sender.log", "read-groups.log"]));
  // The stand-in's own log shows which phone got which push; a function's log must not.
  for (const file of logs)
    expect({ file, found: findCanaries(readLog(file.replace(".log", "")), canaries) }).toEqual({ file, found: [] });
  const { title: _, value: __, ...secrets } = canaries;
  expect(findCanaries(answers.join("\n"), secrets)).toEqual([]);
});
