import { describe, expect, it } from "vitest";
import type { DeviceId } from "../../../../core/domain/basics/ids.ts";
import {
  startPackAttempts,
  createNextAttempts,
  listCallsToSend,
  hasRateLimitedChannel,
  hasVoiceChannel,
  isFinalFailure,
  listRecipientOutcomes,
  expireUnsentAttempts,
  revertClaim,
  computeNextPackRetry,
  type Call,
} from "../../../../core/domain/delivery/attempts.ts";
import type { DeviceAttempt, DeviceOutcome } from "../../../../core/domain/delivery/notification.ts";
import type { PushOutcome } from "../../../../core/domain/delivery/push/outcome.ts";
import type { Device } from "../../../../core/domain/device/device.ts";
import { aPack, aRecipient, NOON } from "../support.ts";

const aDevice = (id: string): Device => ({
  id: id as DeviceId,
  token: `token of ${id}`,
  platform: "ios",
  name: null,
  createdAt: "2026-11-01T00:00:00.000Z",
  registeredAt: "2026-11-01T00:00:00.000Z",
});
const devicesOf = (...ids: string[]) => new Map([["usr_ann", ids.map(aDevice)]]);
const mailAndText: Device = { ...aDevice("n"), token: undefined, email: "ann@acme.example", phone: "+4930123456" };
const attempt = (outcome: DeviceOutcome, tries = 1, unknowns = 0): DeviceAttempt => ({ outcome, tries, unknowns });
const packOf = (attempts: Record<string, DeviceAttempt> | undefined, fields: Parameters<typeof aRecipient>[0] = {}) =>
  aPack({ recipients: [aRecipient({ status: "QUEUED", attempts, ...fields })] });
const callsWith = (answers: Record<string, PushOutcome | undefined>): Call[] =>
  Object.entries(answers).map(([id, answer]) => ({
    position: 0,
    key: id,
    way: undefined,
    device: aDevice(id),
    before: attempt("sending"),
    answer,
  }));

/** The time of the next attempt, in milliseconds. */
const NOW = 1_000;

const accepted: PushOutcome = { kind: "accepted", messageId: "m" };
const retry: PushOutcome = { kind: "retry", code: "UNAVAILABLE" };

describe("the push attempts that a worker makes next", () => {
  it("begin with one attempt for each device of each recipient", () => {
    const first = startPackAttempts(["usr_ann", "usr_bob"], devicesOf("a", "b"));

    expect([...first]).toStrictEqual([
      [0, { a: attempt("sending"), b: attempt("sending") }],
      [1, {}],
    ]);
  });

  it("leave out devices that have answered, and recipients who need no further attempt", () => {
    const before = { a: attempt("accepted"), b: attempt("retry"), c: attempt("sending") };

    expect(createNextAttempts(packOf(before), devicesOf("a", "b", "c"), NOW).get(0)).toEqual({
      a: attempt("accepted"),
      b: attempt("sending", 2),
      c: attempt("sending", 2, 1),
    });
    expect(createNextAttempts(packOf(before, { status: "ACKNOWLEDGED" }), devicesOf("a", "b", "c"), NOW).size).toBe(0);
  });

  it("count as first attempts if no worker has leased the pack before", () => {
    expect(createNextAttempts(packOf(undefined), devicesOf("a"), NOW).get(0)).toEqual({ a: attempt("sending") });
  });

  it("say whether a push may already have reached a device that has been removed", () => {
    expect(createNextAttempts(packOf({ a: attempt("retry"), b: attempt("sending") }), devicesOf(), NOW).get(0)).toEqual(
      {
        a: attempt("unregistered"),
        b: attempt("unclear", 1, 1),
      },
    );
  });

  it("include a phone call if a key press can acknowledge the event, or if the person has no other channel", () => {
    const both: Device = { ...aDevice("n"), token: undefined, phone: "+4930123456", ways: ["sms", "voice"] };
    const voice: Device = { ...both, ways: ["voice"] };
    const firstAttempts = (device: Device, pack: Parameters<typeof aPack>[0], quiet?: "too_many") =>
      Object.values(
        createNextAttempts(
          aPack({ recipients: [aRecipient({ status: "QUEUED", quiet })], ...pack }),
          new Map([["usr_ann", [device]]]),
          NOW,
        ).get(0) ?? {},
      ).map(({ way }) => way);

    expect(firstAttempts(both, { requiresAck: true })).toEqual(["sms", "voice"]);
    expect(firstAttempts(both, { requiresAck: false })).toEqual(["sms"]);
    expect(firstAttempts(both, { requiresAck: true }, "too_many")).toEqual(["sms"]);
    expect(firstAttempts(voice, { requiresAck: false })).toEqual(["voice"]);
    expect(hasVoiceChannel(new Map([["usr_ann", [aDevice("a"), voice]]]))).toBe(true);
    expect(hasVoiceChannel(devicesOf("a", "b"))).toBe(false);
    expect(hasVoiceChannel(new Map())).toBe(false);
  });

  it.each<[string, Device[][], boolean, string]>([
    ["one device has it beside another channel", [[], [aDevice("a"), mailAndText]], true, "can use"],
    ["all devices have other channels", [[aDevice("a"), { ...mailAndText, email: undefined }]], false, "cannot use"],
    ["there are no devices", [], false, "cannot use"],
  ])("$3 a channel with a rate limit if %s", (_, devices, expected) => {
    const byUser = new Map(devices.map((own, index) => [`usr_${index}`, own]));

    expect(hasRateLimitedChannel(byUser, { email: 14 })).toBe(expected);
  });

  it("leave out people whose devices could not be read", () => {
    expect(createNextAttempts(packOf(undefined), new Map(), NOW).get(0)).toEqual({});
    expect(listCallsToSend(packOf({ a: attempt("sending") }), new Map())).toEqual([]);
  });

  it("include retries for devices that still exist, and none for removed devices", () => {
    expect(
      createNextAttempts(packOf({ a: attempt("retry"), b: attempt("retry") }), devicesOf("b"), NOW).get(0),
    ).toEqual({
      a: attempt("unregistered"),
      b: attempt("sending", 2),
    });
  });

  it("go only to devices that were stored when the pack was leased", () => {
    const claimed = packOf({ a: attempt("sending"), b: attempt("accepted") });

    expect(listCallsToSend(claimed, devicesOf("a", "b", "new")).map(({ device }) => device.id)).toEqual(["a"]);
    expect(listCallsToSend(packOf({ a: attempt("sending") }, { status: "OPENED" }), devicesOf("a"))).toEqual([]);
    expect(listCallsToSend(packOf(undefined), devicesOf("a"))).toEqual([]);
  });
});

describe("the state of a notification after push services have answered", () => {
  const claimed = packOf({ a: attempt("sending"), b: attempt("sending") });
  const outcomesOf = (answers: Record<string, PushOutcome | undefined>, isSettled: boolean) =>
    listRecipientOutcomes(claimed, callsWith(answers), { settled: isSettled, now: NOON, random: 0 });

  it("changes when the first device accepts the push, and when all devices have answered", () => {
    expect(outcomesOf({ a: accepted, b: undefined }, false)).toMatchObject([{ result: { kind: "sent", at: NOON } }]);
    expect(outcomesOf({ a: retry, b: undefined }, false)).toEqual([]);
    expect(outcomesOf({ a: retry, b: retry }, false)).toMatchObject([{ result: undefined }]);
  });

  it("has the reason of the failure once no device is left to try", () => {
    expect(outcomesOf({ a: { kind: "unregistered" }, b: { kind: "invalid", code: "INVALID_ARGUMENT" } }, true)).toEqual(
      [
        {
          position: 0,
          attempts: { a: attempt("unregistered"), b: attempt("invalid") },
          result: { kind: "failed", reason: "FCM: all 2 device(s) failed" },
        },
      ],
    );
  });

  it("changes only for people who still need attempts, and only by answers of their own devices", () => {
    const pack = aPack({
      recipients: [
        aRecipient({ status: "QUEUED" }),
        aRecipient({ status: "ACKNOWLEDGED", attempts: { a: attempt("sending") } }),
        aRecipient({ status: "QUEUED", attempts: { a: attempt("sending"), old: attempt("invalid") } }),
        aRecipient({ status: "QUEUED", attempts: { a: attempt("sending") } }),
      ],
    });
    const [call] = callsWith({ a: accepted });
    const calls = [
      { ...call!, position: 2, answer: retry },
      { ...call!, position: 3 },
    ];

    expect(listRecipientOutcomes(pack, calls, { settled: true, now: NOON, random: 0 })).toEqual([
      {
        position: 2,
        attempts: { a: { ...attempt("retry"), at: NOON + 1000 }, old: attempt("invalid") },
        result: undefined,
      },
      { position: 3, attempts: { a: attempt("accepted") }, result: { kind: "sent", at: NOON } },
    ]);
  });

  it("does not change if it is already SENT, or if the answers are already stored", () => {
    const sent = packOf({ a: attempt("sending"), b: attempt("sending") }, { status: "SENT" });
    const stored = packOf({ a: attempt("retry"), b: attempt("retry") });
    const one = packOf({ a: attempt("retry"), b: attempt("sending") });
    const countOutcomes = (pack: typeof sent, answers: Record<string, PushOutcome | undefined>) =>
      listRecipientOutcomes(pack, callsWith(answers), { settled: false, now: NOON, random: 0 }).length;

    expect(countOutcomes(sent, { a: accepted, b: undefined })).toBe(0);
    expect(countOutcomes(stored, { a: retry, b: retry })).toBe(0);
    expect(countOutcomes(one, { a: retry, b: retry })).toBe(1);
    expect(countOutcomes(stored, { c: retry })).toBe(0);
  });

  it("keeps a retry's reserved sending time on a channel with a rate limit", () => {
    const calls = callsWith({ a: retry }).map((call) => ({ ...call, turn: NOON + 7000 }));

    expect(
      listRecipientOutcomes(packOf({ a: attempt("sending") }), calls, { settled: true, now: NOON, random: 0 }),
    ).toEqual([{ position: 0, attempts: { a: { ...attempt("retry"), at: NOON + 7000 } }, result: undefined }]);
  });

  it.each<[string, PushOutcome, number, boolean, string]>([
    ["accepted the push", accepted, 0, false, "no"],
    ["asked for a retry", retry, 0, false, "no"],
    ["no longer knows the device", { kind: "unregistered" }, 0, true, "a"],
    ["did not answer one attempt", { kind: "unknown", code: "DEADLINE" }, 0, false, "no"],
    ["did not answer two attempts", { kind: "unknown", code: "DEADLINE" }, 1, true, "a"],
  ])("shows $4 final failure for a device whose push service %s", (_, answer, unknowns, expected) => {
    expect(isFinalFailure(attempt("sending", 1, unknowns), answer)).toBe(expected);
  });

  it("counts consecutive refusals of the service's credentials; any other answer resets the count", () => {
    const countRefusalsAfter = (answer: PushOutcome) => {
      const before = { ...attempt("sending"), refusals: 3, at: NOON };
      const calls = callsWith({ a: answer }).map((call) => ({ ...call, before }));
      const [outcome] = listRecipientOutcomes(claimed, calls, { settled: true, now: NOON, random: 0 });
      return outcome?.attempts["a"]?.refusals;
    };

    expect(countRefusalsAfter({ kind: "auth", code: "HTTP_403" })).toBe(4);
    expect(countRefusalsAfter(retry)).toBeUndefined();
    expect(countRefusalsAfter(accepted)).toBeUndefined();
  });

  it("counts the attempts that got no answer", () => {
    const [outcome] = outcomesOf({ a: { kind: "unknown", code: "DEADLINE" }, b: retry }, true);

    expect(outcome?.attempts).toEqual({
      a: { ...attempt("unknown", 1, 1), at: NOON + 1000 },
      b: { ...attempt("retry"), at: NOON + 1000 },
    });
  });
});

describe("a worker that gives back a leased pack", () => {
  it("leaves every device unchanged if nothing was sent", () => {
    const claimed = packOf({ a: attempt("sending"), b: attempt("sending", 2, 1), c: attempt("accepted") });

    expect(revertClaim(claimed)).toEqual([
      {
        position: 0,
        attempts: { a: attempt("retry", 0), b: attempt("unknown", 1, 1), c: attempt("accepted") },
        result: undefined,
      },
    ]);
  });
});

describe("giving back a pack, or giving up on it", () => {
  it("leaves a finished notification unchanged; giving up makes an untried notification fail", () => {
    const untried = packOf(undefined);
    const done = packOf({ a: attempt("sending") }, { status: "ACKNOWLEDGED" });

    for (const pack of [untried, done]) expect(revertClaim(pack)).toEqual([]);
    expect(expireUnsentAttempts(done, () => "too late", NOON)).toEqual([]);
    expect(expireUnsentAttempts(untried, () => "too late", NOON)).toMatchObject([
      { attempts: {}, result: { kind: "failed", reason: "too late" } },
    ]);
  });
});

describe("giving up on a notification", () => {
  it("ends its open attempts, and is a failure only if no device accepted a push", () => {
    const open = packOf({ a: attempt("retry"), b: attempt("unregistered") });
    const half = packOf({ a: attempt("accepted"), b: attempt("retry") });

    expect(expireUnsentAttempts(open, () => "too late", NOON)).toEqual([
      {
        position: 0,
        attempts: { a: attempt("expired"), b: attempt("unregistered") },
        result: { kind: "failed", reason: "too late" },
      },
    ]);
    expect(expireUnsentAttempts(half, () => "too late", NOON)).toMatchObject([{ result: { kind: "sent", at: NOON } }]);
  });
});

describe("the next attempt to push a notification", () => {
  type Asked = Record<string, [attempt: DeviceAttempt, answer: PushOutcome | undefined]>;
  const recordAnswers = (
    asked: Asked,
    { random = 0, now = NOON, retryAt: putOff = undefined as number | undefined } = {},
  ) => {
    const pack = {
      ...packOf(Object.fromEntries(Object.entries(asked).map(([key, [before]]) => [key, before]))),
      retryAt: putOff,
    };
    const calls = Object.entries(asked).map(([key, [before, answer]]) => ({
      position: 0,
      key,
      way: before.way,
      device: aDevice(key),
      before,
      answer,
    }));
    return { pack, outcomes: listRecipientOutcomes(pack, calls, { settled: true, now, random }) };
  };
  const computeNextRetryAt = (asked: Asked, options: { random?: number; now?: number } = {}) => {
    const { pack, outcomes } = recordAnswers(asked, options);
    return computeNextPackRetry(pack, outcomes, { now: options.now ?? NOON });
  };
  const retryAfter = (retryAfterMs: number): PushOutcome => ({ kind: "retry", code: "QUOTA_EXCEEDED", retryAfterMs });

  it("comes after a pause that doubles up to thirty seconds, and half of the pause is random", () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7].map((tries) => [
      (computeNextRetryAt({ a: [attempt("sending", tries), retry] })! - NOON) / 1000,
      (computeNextRetryAt({ a: [attempt("sending", tries), retry] }, { random: 0.999 })! - NOON) / 1000,
    ]);

    expect(pauses).toEqual([
      [1, 1],
      [1, 2],
      [2, 4],
      [4, 8],
      [8, 16],
      [15, 30],
      [15, 30],
    ]);
  });

  it("waits for Retry-After, and for up to 25 % longer, at random", () => {
    expect(computeNextRetryAt({ a: [attempt("sending"), retryAfter(599_001)] })).toBe(NOON + 600_000);
    expect(computeNextRetryAt({ a: [attempt("sending"), retryAfter(60_000)] }, { random: 0.999 })).toBe(NOON + 75_000);
  });

  it("is at the earliest of the devices' times; a device waits longer if its push service asked for a longer pause", () => {
    const { pack, outcomes } = recordAnswers({
      a: [attempt("sending"), retryAfter(60_000)],
      b: [attempt("sending"), retryAfter(1000)],
    });

    expect(computeNextPackRetry(pack, outcomes, { now: NOON })).toBe(NOON + 1000);
    expect(outcomes[0]?.attempts).toMatchObject({ a: { at: NOON + 60_000 }, b: { at: NOON + 1000 } });
  });

  it("comes at the latest when the push has expired, so that the notification can end", () => {
    // A push of a HIGH notification is valid for four hours.
    expect(computeNextRetryAt({ a: [attempt("sending"), retryAfter(100_000_000)] })).toBe(NOON + 4 * 3_600_000 + 1000);
  });

  it("is planned if one device needs a retry, and is not postponed by the answers of other devices", () => {
    const paced = { kind: "invalid", code: "X", retryAfterMs: 599_001 } as PushOutcome;

    expect(computeNextRetryAt({ a: [attempt("sending"), paced], b: [attempt("sending"), retry] })).toBe(NOON + 1000);
  });

  it("is at the pack's retry time if an earlier version stored no retry time for the device", () => {
    const { pack, outcomes } = recordAnswers({ a: [attempt("retry"), undefined] }, { retryAt: NOON + 9000 });

    expect(computeNextPackRetry(pack, outcomes, { now: NOON })).toBe(NOON + 9000);
  });

  it("is two seconds before the time that is reserved for the push on a channel with a rate limit", () => {
    const mail = { ...attempt("retry", 0), way: "email", at: NOON + 30_000 } as const;
    const { pack, outcomes } = recordAnswers({ a: [mail, undefined] });

    expect(computeNextPackRetry(pack, outcomes, { now: NOON, pace: { email: 14 } })).toBe(NOON + 28_000);
  });

  it("is not planned once every device has answered", () => {
    expect(
      computeNextRetryAt({
        a: [attempt("sending"), accepted],
        b: [attempt("sending"), { kind: "invalid", code: "X" }],
      }),
    ).toBeUndefined();
  });
});
