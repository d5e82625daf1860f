import { describe, expect, it } from "vitest";
import type { DeviceInput } from "../../../core/domain/device/device.ts";
import { usePacedWorld, type PacedWorldOptions } from "./pace-world.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
type Channel = "email" | "sms" | "voice";

const contactOf = (channel: Channel, nr: number): DeviceInput =>
  channel === "email" ? { email: `p${nr}@acme.example` } : { phone: `+4930${10_000_000 + nr}`, ways: [channel] };

/** Creates a group of people who are reached on one channel only. */
const createTeam = async (
  world: Awaited<ReturnType<typeof usePacedWorld>>,
  name: string,
  channel: Channel,
  size: number,
) => {
  const people = Array.from({ length: size }, (_, nr) => `usr_${name}${nr}`);
  const group = await world.group(name, people, 0);
  for (const [nr, userId] of people.entries())
    await world.contact(userId, contactOf(channel, nr + name.length * 100_000));
  return group;
};

/** Notifies people of an event. Returns the seconds until the last person was notified, and the requests for each message. */
const notifyAndMeasure = async (channel: Channel, people: number, options: PacedWorldOptions) => {
  const world = await usePacedWorld(options);
  await world.rule([await createTeam(world, "ops", channel, people)], { requiresAck: channel === "voice" });
  const listAccepted = () => world.requests.filter(({ outcome }) => outcome === "accepted");
  const at = world.now();

  await world.post({ priority: "HIGH" });
  await world.runUntil(() => listAccepted().length >= people, HOUR);

  const seconds = ((listAccepted().at(-1)?.at ?? Infinity) - at) / SECOND;
  return {
    seconds,
    notified: new Set(listAccepted().map(({ to }) => to)).size,
    perMessage: world.requests.length / people,
  };
};

describe("on a rate-limited channel, the last recipient is notified within 1.2 times the ideal time plus 5 s:", () => {
  it.each<[Channel, number, string, number, { perSecond: number; burst?: number }]>([
    ["email", 200, "14 emails a second", 15, { perSecond: 14 }],
    ["email", 100, "1 email a second", 100, { perSecond: 1 }],
    ["sms", 100, "1 text message a second", 100, { perSecond: 1 }],
    ["voice", 40, "5 calls at once and then 2 a second", 18, { perSecond: 2, burst: 5 }],
  ])("%s to %i people at the rate of %s, ideally in %i s", async (channel, size, _, ideal, limit) => {
    const { seconds, notified, perMessage } = await notifyAndMeasure(channel, size, {
      pace: { [channel]: limit.perSecond },
      limits: { [channel]: limit },
    });

    expect(notified).toBe(size);
    expect(seconds).toBeLessThan(1.2 * ideal + 5);
    expect(perMessage).toBeLessThanOrEqual(1.3);
  });
});

describe("a channel whose rate limit is used up", () => {
  it("sends URGENT messages before all waiting messages", async () => {
    const world = await usePacedWorld({ pace: { sms: 1 }, limits: { sms: { perSecond: 1 } } });
    await world.rule([await createTeam(world, "all", "sms", 60)], { eventKey: "site.bulk" });
    await world.rule([await createTeam(world, "onduty", "sms", 5)], {
      eventKey: "site.down",
      priorityOverride: "URGENT",
    });
    const acceptedAt = (title: string) =>
      world.requests.filter((one) => one.outcome === "accepted" && one.title === title).map(({ at }) => at);

    await world.post({ event: "site.bulk", title: "Bulk" });
    await world.runUntil(() => false, 10 * SECOND);
    const at = world.now();
    await world.post({ event: "site.down", title: "Urgent" });
    await world.runUntil(() => acceptedAt("Urgent").length >= 5, 5 * MINUTE);

    expect((acceptedAt("Urgent").at(-1)! - at) / SECOND).toBeLessThan(1.2 * 5 + 5);
    await world.runUntil(() => acceptedAt("Bulk").length >= 60, 5 * MINUTE);
    expect(acceptedAt("Bulk")).toHaveLength(60);
  });

  it("does not delay pushes", async () => {
    const world = await usePacedWorld({ pace: { email: 1 }, limits: { email: { perSecond: 1 } } });
    const group = await world.group("ops", ["usr_ann", "usr_ben"], 1);
    for (const [nr, userId] of ["usr_ann", "usr_ben"].entries()) await world.contact(userId, contactOf("email", nr));
    await world.rule([group]);

    const at = world.now();
    await world.post();
    await world.runUntil(() => world.requests.length >= 4, MINUTE);

    expect(world.requests.map(({ channel, at: when }) => [channel, Math.round((when - at) / SECOND)])).toEqual([
      ["fcm", 0],
      ["fcm", 0],
      ["email", 0],
      ["email", 1],
    ]);
  });

  it("tries again a minute after the day's quota is used up, then at longer intervals, until all messages are sent", async () => {
    let until = Infinity;
    const world = await usePacedWorld({
      pace: { email: 14 },
      refuse: (message, at) => ("email" in message && at < until ? "quota" : undefined),
    });
    await world.rule([await createTeam(world, "ops", "email", 1)]);
    const posted = world.now();
    until = posted + 15 * MINUTE;

    await world.post();
    await world.runUntil(() => world.requests.some(({ outcome }) => outcome === "accepted"), HOUR);

    expect(world.requests.map(({ at }) => Math.round((at - posted) / MINUTE))).toEqual([0, 1, 3, 7, 12, 17]);
  });

  it("waits a minute after the first quota error, even if other errors came before it", async () => {
    const answers = [{ kind: "retry", code: "HTTP_500" }, "rate", { kind: "auth", code: "HTTP_403" }, "quota"] as const;
    const world = await usePacedWorld({ pace: { email: 14 }, refuse: () => answers[world.requests.length] });
    await world.rule([await createTeam(world, "ops", "email", 1)]);

    await world.post();
    await world.runUntil(() => world.requests.some(({ outcome }) => outcome === "accepted"), HOUR);

    const [, , , usedUp, next] = world.requests;
    expect(Math.round((next!.at - usedUp!.at) / MINUTE)).toBe(1);
  });

  it("waits while ten calls are in progress, and continues a few seconds after they have ended", async () => {
    const CALL = 30 * SECOND;
    const begun: number[] = [];
    const world = await usePacedWorld({
      pace: { voice: 2 },
      refuse: (_, at) => {
        if (begun.filter((one) => at - one < CALL).length >= 10) return "busy";
        begun.push(at);
        return undefined;
      },
    });
    await world.rule([await createTeam(world, "ops", "voice", 25)], { requiresAck: true });

    const at = world.now();
    await world.post({ priority: "HIGH" });
    await world.runUntil(() => begun.length >= 25, HOUR);

    expect(begun).toHaveLength(25);
    // Each call lasts half a minute and ten run at a time, so the last five begin after a minute.
    expect((begun.at(-1)! - at) / SECOND).toBeLessThan(3 * 60);
  });

  it("slows down automatically if its configured rate exceeds the rate of the account", async () => {
    const { seconds, notified, perMessage } = await notifyAndMeasure("email", 30, {
      pace: { email: 14 },
      limits: { email: { perSecond: 1 } },
    });

    expect(notified).toBe(30);
    expect(seconds).toBeLessThan(120);
    expect(perMessage).toBeLessThan(5);
  });

  it("logs metrics of its delay and of AWS's refusals, and counts no push as failed", async () => {
    const world = await usePacedWorld({ pace: { sms: 1 }, limits: { sms: { perSecond: 0.5, burst: 1 } } });
    await world.rule([await createTeam(world, "ops", "sms", 80)]);

    await world.post();
    await world.runUntil(() => false, 10 * SECOND);

    const metrics = world.deps.log.metric.mock.calls.map(([name]) => name as string);
    expect(metrics).toContain("ChannelBehindSeconds");
    expect(metrics).toContain("ChannelRefused");
    expect(metrics).not.toContain("PushFailed");
  });

  it("does not send a waiting message if its event is resolved meanwhile", async () => {
    const world = await usePacedWorld({ pace: { sms: 1 }, limits: { sms: { perSecond: 1 } } });
    await world.rule([await createTeam(world, "ops", "sms", 3)], { eventKey: "site.down", requiresAck: true });

    await world.post({ event: "site.down", dedupeKey: "shop" });
    await world.runUntil(() => world.requests.length === 1, MINUTE);
    await world.post({ event: "site.up", title: "Up again", resolves: "shop" });
    await world.runUntil(() => false, MINUTE);

    expect(world.requests).toHaveLength(1);
  });
});
