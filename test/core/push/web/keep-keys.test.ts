import { expect, it } from "vitest";
import { cacheVapidKeys, type ReadSecret } from "../../../../core/live-push.ts";
import { createVapidKeys } from "../../../../core/push/web/vapid.ts";

const clock = { now: () => 0, after: () => () => undefined };
const [now, before] = [createVapidKeys("mailto:ops@acme.example"), createVapidKeys("mailto:ops@acme.example")];
const secret = (keys: object, madeAt: number) => ({ text: JSON.stringify(keys), madeAt });

/** Returns a reader of a secret that has these values in the stages of Secrets Manager. */
const holding =
  (values: Partial<Record<"AWSCURRENT" | "AWSPREVIOUS", ReturnType<typeof secret>>>): ReadSecret =>
  async (stage = "AWSCURRENT") =>
    values[stage];

it("after a rotation of VAPID keys, the previous keys are read, too, for browsers with an old subscription", async () => {
  const read = holding({ AWSCURRENT: secret(now, 2000), AWSPREVIOUS: secret(before, 1000) });

  const { value } = await cacheVapidKeys(read, clock)();

  expect(value).toEqual({ current: now, previous: before, madeAt: 2000 });
});

it("the VAPID keys are one pair before their first rotation, and none before they are created", async () => {
  const first = await cacheVapidKeys(holding({ AWSCURRENT: secret(now, 2000) }), clock)();
  const none = await cacheVapidKeys(holding({}), clock)();

  expect(first.value).toEqual({ current: now, previous: undefined, madeAt: 2000 });
  expect(none.value).toBeUndefined();
});
