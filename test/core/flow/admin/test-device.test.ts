import { expect, it } from "vitest";
import type { PushOutcome } from "../../../../core/domain/delivery/push/outcome.ts";
import { getTestText } from "../../../../core/domain/device/test-text.ts";
import { registerDevice } from "../../../../core/flow/admin/register-device.ts";
import { testDevice } from "../../../../core/flow/admin/test-device.ts";
import { listDevices } from "../../../../core/store/people/devices.ts";
import { createTestClock } from "../../../world/clock.ts";
import { useTable } from "../../../world/use-table.ts";
import { toPush } from "../../../support/push.ts";

const stand = await useTable();

it("a device test reports the time at which the device showed the test, even if the device's clock is fast", async () => {
  const { deps: clock, advance } = createTestClock();
  const deps = {
    ...clock,
    table: stand.table,
    now: () => advance(1),
    push: toPush(async () => ({ kind: "accepted", messageId: "m" })),
    baseUrl: "https://alerts.example",
  };
  const { device } = await registerDevice(deps, "ws_1", "usr_1", { token: "phone", platform: "ios" });

  const { sentAt } = await testDevice(deps, "ws_1", "usr_1", device.id);

  expect(await listDevices(deps, "ws_1", "usr_1")).toMatchObject([{ lastTest: { sentAt } }]);
});

it.each(["invalid", "retry", "unknown"] as const)(
  "a device test fails if the push service's answer is %s",
  async (kind) => {
    const { deps: clock } = createTestClock();
    const titles: unknown[] = [];
    const push = toPush(async ({ notification }) => {
      titles.push(notification?.title);
      return { kind, code: "E1" };
    });
    const deps = { ...clock, table: stand.table, push, baseUrl: "https://alerts.example" };
    const { device } = await registerDevice(deps, "ws_2", `usr_${kind}`, { token: kind, platform: "ios" });
    await registerDevice(deps, "ws_2", `usr_${kind}`, { token: `de ${kind}`, platform: "ios", language: "de" });

    expect(await testDevice(deps, "ws_2", `usr_${kind}`, device.id)).toMatchObject({ outcome: kind, code: "E1" });
    expect(await listDevices(deps, "ws_2", `usr_${kind}`)).toMatchObject([{ lastFailure: { code: "E1" } }, {}]);
    // German is the language of the person's other device.
    expect(titles).toEqual([getTestText("de").title]);
  },
);

it("a refused test with valid credentials marks its device as needing registration, until a test is accepted", async () => {
  const { deps: clock, advance } = createTestClock();
  const answers: PushOutcome[] = [
    { kind: "foreign", code: "E1", proven: false },
    { kind: "foreign", code: "E1", proven: true },
    { kind: "accepted", messageId: "m" },
  ];
  const push = toPush(async () => answers.shift()!);
  const deps = { ...clock, table: stand.table, push, baseUrl: "https://alerts.example" };
  const { device } = await registerDevice(deps, "ws_3", "usr_1", { token: "foreign", platform: "ios" });
  const testAndRead = async () => {
    advance(60_000);
    const { outcome } = await testDevice(deps, "ws_3", "usr_1", device.id);
    return `${outcome} ${(await listDevices(deps, "ws_3", "usr_1"))[0]?.foreignSince !== undefined}`;
  };

  const seen = [await testAndRead(), await testAndRead(), await testAndRead()];
  expect(seen).toEqual(["auth false", "foreign true", "accepted false"]);
});
