import { afterAll, beforeAll, expect, it } from "vitest";
import {
  aDirectory,
  anEvent,
  inboxOf,
  type SpawnedService,
  startLocalService,
  useWorkspace,
} from "../support/local-service.ts";

const dir = aDirectory();
let service: SpawnedService;

beforeAll(async () => {
  service = await startLocalService(dir);
});

afterAll(() => service.stop());

it("an event that nobody acknowledges goes on to the next person when its time has come", async () => {
  const acme = useWorkspace(service, "Acme");
  const { members } = acme;
  const policy = await acme.call<{ id: string }>("POST", "/escalation-policies", {
    name: "then Erin",
    repeat: 0,
    steps: [{ delayMinutes: 10, targets: [{ type: "user", userId: members[4]!.userId }] }],
  });
  await acme.call("POST", "/devices", { token: "last-resort", platform: "ios" }, 4);
  await acme.tell("disk.full", [3], ["pager"], { requiresAck: true, escalationPolicyId: policy.id });
  const tokens = async () => (await inboxOf(service)).map(({ token }) => token);

  await acme.send(anEvent("disk.full"));
  await expect.poll(tokens).toStrictEqual(["pager-Dave"]);
  await service.control("POST", "/clock", { advanceSeconds: 600 });
  await service.control("POST", "/tick");

  await expect.poll(tokens).toStrictEqual(["pager-Dave", "last-resort"]);
});
