import { BatchGetCommand } from "@aws-sdk/lib-dynamodb";
import { expect, it } from "vitest";
import { toIso } from "../../../core/domain/basics/time.ts";
import { processReport } from "../../../core/flow/respond/report-notification.ts";
import { listDevices } from "../../../core/store/people/devices.ts";
import { registerDevice } from "../../../core/flow/admin/register-device.ts";
import { useWorld } from "../../world/use-world.ts";

it("a retried push goes to the current owner of a device, even if a stale read returns the previous owner", async () => {
  let refusals = 1;
  const world = await useWorld({
    answer: () => {
      refusals -= 1;
      return refusals >= 0 ? { kind: "retry", code: "UNAVAILABLE" } : { kind: "accepted", messageId: "m" };
    },
  });
  await world.rule([await world.group("Ops", ["usr_ann"])]);
  await world.group("Others", ["usr_bob"]);
  const { client } = world.deps.table;
  const send = client.send.bind(client);
  let stale: unknown;
  client.send = (async (command: { input: { RequestItems?: Record<string, { ConsistentRead?: boolean }> } }) => {
    const [asked] = Object.values(command.input.RequestItems ?? {});
    const devices = command instanceof BatchGetCommand && asked?.ConsistentRead !== true;
    if (devices && stale !== undefined) return stale;
    const answer: unknown = await send(command as never);
    if (devices) stale = answer;
    return answer;
  }) as never;

  await world.post();
  await world.work();
  await registerDevice(world.deps, world.ws, "usr_bob", { token: "usr_ann-1", platform: "ios" });
  await world.runFor(60_000);

  expect(world.pushed).toHaveLength(1);
  expect(await world.notifications()).toMatchObject([{ userId: "usr_ann", status: "FAILED" }]);
});

it("if a person who is signed in opens a push, their app counts as reached, but not their email address", async () => {
  const { deps, ws, ...world } = await useWorld();
  await world.rule([await world.group("Ops", ["usr_ann"])]);
  await world.contact("usr_ann", { email: "ann@acme.example" });
  await world.post();
  await world.work();
  world.skip(1000);

  const [notification] = await world.notifications();
  await processReport(deps, ws, notification!.notificationId, "OPENED", { id: "usr_ann", name: "Ann" });

  const lastDeliveredAt = toIso(deps.now());
  const confirmed = (await listDevices(deps, ws, "usr_ann")).filter((one) => one.lastDeliveredAt === lastDeliveredAt);
  expect(confirmed).toMatchObject([{ token: "usr_ann-1" }]);
});
