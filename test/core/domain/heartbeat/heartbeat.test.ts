import * as v from "valibot";
import { describe, expect, it } from "vitest";
import {
  computeCallDeadline,
  HeartbeatInput,
  HeartbeatPatch,
  parseCallSecret,
  isMissed,
  buildMissedHeartbeatEvent,
  createCallSecret,
  buildReturnedHeartbeatEvent,
  toCallAnswer,
  toHeartbeatView,
  type Heartbeat,
} from "../../../../core/domain/heartbeat/heartbeat.ts";

const NOON = Date.parse("2026-11-21T12:00:00Z");
const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A heartbeat since noon, with a call every five minutes and a minute of grace. */
const aHeartbeat = (changes: Partial<Heartbeat> = {}): Heartbeat => ({
  id: "hb_1",
  workspaceId: "ws_1",
  name: "Backup",
  everySeconds: 300,
  graceSeconds: 60,
  priority: "URGENT",
  paused: false,
  version: 3,
  createdAt: "2026-11-01T00:00:00.000Z",
  updatedAt: "2026-11-02T00:00:00.000Z",
  waitsFrom: NOON,
  ...changes,
});
const aMissedHeartbeat = (changes: Partial<Heartbeat> = {}, missed: object = {}) => {
  const heartbeat = aHeartbeat({ ...changes, missed: { at: NOON + 6 * MINUTE, ...missed } });
  if (!isMissed(heartbeat)) throw new Error("not missed");
  return heartbeat;
};

const faultsOf = (schema: v.GenericSchema, input: object): string[] =>
  (v.safeParse(schema, input).issues ?? []).map(({ message }) => message);

describe("the API input for a heartbeat", () => {
  it("gets a minute of grace and the priority HIGH by default, and is not paused", () => {
    expect(v.parse(HeartbeatInput, { name: "Backup", everySeconds: 10 })).toStrictEqual({
      name: "Backup",
      everySeconds: 10,
      graceSeconds: 60,
      priority: "HIGH",
      paused: false,
    });
    expect(v.parse(HeartbeatPatch, { priority: "CRITICAL" })).toStrictEqual({ priority: "URGENT" });
  });

  it.each([
    ["accepted with an interval of 10 seconds", { everySeconds: 10 }, []],
    ["refused with an interval of 9 seconds", { everySeconds: 9 }, ["everySeconds must be at least 10 seconds."]],
    ["accepted with an interval of 366 days", { everySeconds: 31_622_400 }, []],
    [
      "refused with an interval of 366 days and a second",
      { everySeconds: 31_622_401 },
      ["everySeconds must be at most 31622400 seconds (366 days)."],
    ],
    [
      "refused with an interval of 10.5 seconds",
      { everySeconds: 10.5 },
      ["everySeconds must be a whole number of seconds."],
    ],
    [
      "refused with a text as the interval",
      { everySeconds: "10" },
      ["everySeconds must be a whole number of seconds."],
    ],
    ["accepted with a grace period of 0 seconds", { graceSeconds: 0 }, []],
    ["refused with a negative grace period", { graceSeconds: -1 }, ["graceSeconds must be at least 0 seconds."]],
    ["refused with a text in paused", { paused: "no" }, ["paused must be true or false."]],
    ["refused with false in newUrl", { newUrl: false }, ["newUrl must be true or left out."]],
    ["refused with an empty name", { name: "" }, ["name must not be empty."]],
  ])("is %s", (_what, patch, faults) => {
    expect(faultsOf(HeartbeatPatch, patch)).toEqual(faults);
  });
});

it("a heartbeat is missed when its grace period ends", () => {
  expect(computeCallDeadline(aHeartbeat())).toBe(NOON + 6 * MINUTE);
});

describe("a heartbeat in the API", () => {
  const called = { lastCallAt: NOON };
  const LAST = "2026-11-21T12:00:00.000Z";
  const AFTER = "2026-11-21T12:06:00.000Z";

  it.each<[string, Partial<Heartbeat>, number, object]>([
    ["before its first call", {}, NOON, { status: "new", lastCallAt: null, missedAfter: AFTER, missedSince: null }],
    ["after a call", called, NOON, { status: "up", lastCallAt: LAST, missedAfter: AFTER, missedSince: null }],
    ["just before its next call is due", called, NOON + 5 * MINUTE - 1, { status: "up" }],
    ["when its next call is due", called, NOON + 5 * MINUTE, { status: "late", missedAfter: AFTER, missedSince: null }],
    ["in its grace period", {}, NOON + 6 * MINUTE - 1, { status: "late" }],
    [
      "after a miss that the sweeper has not noticed yet",
      called,
      NOON + 6 * MINUTE,
      { status: "missed", missedAfter: null, missedSince: AFTER },
    ],
    [
      "after a miss that was noticed, even if its interval has changed since",
      { ...called, everySeconds: 3600, missed: { at: NOON + 6 * MINUTE } },
      NOON + 7 * MINUTE,
      { status: "missed", missedAfter: null, missedSince: AFTER },
    ],
    [
      "when it was called after a miss",
      { waitsFrom: NOON + 9 * MINUTE, missed: { at: NOON + 6 * MINUTE, calledAt: NOON + 9 * MINUTE } },
      NOON + 9 * MINUTE,
      { missedAfter: "2026-11-21T12:15:00.000Z", missedSince: null },
    ],
    [
      "when it was missed again after that call",
      { waitsFrom: NOON + 9 * MINUTE, missed: { at: NOON + 6 * MINUTE, calledAt: NOON + 9 * MINUTE } },
      NOON + 15 * MINUTE,
      { status: "missed", missedSince: "2026-11-21T12:15:00.000Z" },
    ],
    [
      "while it is paused",
      { paused: true },
      NOON + 60 * MINUTE,
      { status: "paused", missedAfter: null, missedSince: null },
    ],
    [
      "when it was paused while missed",
      { paused: true, missed: { at: NOON + 6 * MINUTE } },
      NOON + 60 * MINUTE,
      { status: "paused", missedAfter: null, missedSince: null },
    ],
  ])("has the status and times that fit the moment: %s", (_when, changes, now, view) => {
    expect(toHeartbeatView(aHeartbeat(changes), now)).toMatchObject(view);
  });

  it("has every stored field except the URL and the fields that only the sweeper reads", () => {
    expect(toHeartbeatView(aHeartbeat({ checkAt: NOON, createdBy: "usr_ann", updatedBy: null }), NOON)).toStrictEqual({
      id: "hb_1",
      workspaceId: "ws_1",
      name: "Backup",
      everySeconds: 300,
      graceSeconds: 60,
      priority: "URGENT",
      paused: false,
      status: "new",
      lastCallAt: null,
      missedAfter: AFTER,
      missedSince: null,
      version: 3,
      createdAt: "2026-11-01T00:00:00.000Z",
      createdBy: "usr_ann",
      updatedAt: "2026-11-02T00:00:00.000Z",
      updatedBy: null,
    });
  });
});

it("a call to a heartbeat is answered with the time by which the next call is expected", () => {
  expect(toCallAnswer(aHeartbeat())).toStrictEqual({
    ok: true,
    name: "Backup",
    nextBefore: "2026-11-21T12:06:00.000Z",
  });
  expect(toCallAnswer(aHeartbeat({ paused: true }))).toStrictEqual({ ok: true, name: "Backup", nextBefore: null });
});

describe("the call URL of a heartbeat", () => {
  const WS = "ws_0123456789abcdef";
  const HB = "hb_0123456789abcdef";
  const createIdSource = (texts: string[]) => () => texts.shift() ?? "none";
  const secretOf = async (texts: string[]) => createCallSecret(createIdSource(texts), WS, HB);

  it("names the workspace and the heartbeat, and changes if any of its random ids changes", async () => {
    const secret = await secretOf(["a", "b", "c", "d"]);

    expect(secret).toMatch(/^call_0123456789abcdef_0123456789abcdef_[\w-]{43}$/);
    for (const texts of [
      ["x", "b", "c", "d"],
      ["a", "b", "c", "x"],
      ["a", "bc", "", "d"],
    ])
      expect(await secretOf(texts)).not.toBe(secret);
    expect(await secretOf(["a", "b", "c", "d"])).toBe(secret);
    expect(parseCallSecret(secret)).toEqual({ workspaceId: WS, id: HB });
  });

  it.each([
    ["before", "x", ""],
    ["after", "", "x"],
  ])("is invalid with an additional character %s its secret", async (_where, before, after) => {
    const secret = await secretOf(["a", "b", "c", "d"]);

    expect(parseCallSecret(`${before}${secret}${after}`)).toBeUndefined();
  });

  it.each([
    ["is empty", ""],
    ["contains no ids", "call_"],
    ["contains no secret", "call_a_b"],
    ["contains an invalid workspace id", `call_!_b_${"s".repeat(43)}`],
    ["contains a workspace id of 65 characters", `call_${"a".repeat(65)}_b_${"s".repeat(43)}`],
  ])("is invalid if it %s", (_what, secret) => {
    expect(parseCallSecret(secret)).toBeUndefined();
  });
});

describe("the events that a heartbeat causes", () => {
  const data = { heartbeat: "Backup", heartbeat_id: "hb_1", every_seconds: 300, grace_seconds: 60 };

  it("report a missed heartbeat with its times, and notify the owners if no rule matches", () => {
    expect(buildMissedHeartbeatEvent(aMissedHeartbeat({ lastCallAt: NOON }))).toStrictEqual({
      eventKey: "heartbeat.missed",
      title: "Heartbeat missed: Backup",
      body:
        "No call arrived by 2026-11-21T12:06:00.000Z. The last call arrived at 2026-11-21T12:00:00.000Z. " +
        "A call is due every 5 min, with a grace period of 1 min.",
      priority: "URGENT",
      data,
      dedupeKey: "heartbeat:hb_1:2026-11-21T12:06:00.000Z",
      sender: { id: "hb_1", name: "Backup" },
      heartbeat: { id: "hb_1", name: "Backup", missedAt: "2026-11-21T12:06:00.000Z", calledAt: null },
      notice: { unlessMatched: true },
    });
  });

  it.each([
    ["if there was none", {}, "No call has ever arrived."],
    [
      "if there was a call after the miss",
      { lastCallAt: NOON + 9 * MINUTE },
      "The last call arrived at 2026-11-21T12:00:00.000Z.",
    ],
    ["if that was long ago", { lastCallAt: NOON - MINUTE }, "The last call arrived at 2026-11-21T11:59:00.000Z."],
  ])("say when the last call before the miss came, %s", (_what, changes, sentence) => {
    expect(buildMissedHeartbeatEvent(aMissedHeartbeat(changes)).body).toContain(`. ${sentence} A call is`);
  });

  it.each([
    [10, 0, "every 10 s, with a grace period of 0 s"],
    [90, 60, "every 90 s, with a grace period of 1 min"],
    [5_400, 3_600, "every 90 min, with a grace period of 1 h"],
    [7_200, 86_400, "every 2 h, with a grace period of 1 d"],
    [604_800, 90_000, "every 7 d, with a grace period of 25 h"],
  ])("describe an interval of %i s with %i s of grace as %s", (everySeconds, graceSeconds, words) => {
    expect(buildMissedHeartbeatEvent(aMissedHeartbeat({ everySeconds, graceSeconds })).body).toContain(
      `A call is due ${words}.`,
    );
  });

  it("report silently that calls are back, and resolve the event about the miss", () => {
    const heartbeat = aMissedHeartbeat({}, { calledAt: NOON + 9 * MINUTE });

    expect(
      buildReturnedHeartbeatEvent({ ...heartbeat, missed: { ...heartbeat.missed, calledAt: NOON + 9 * MINUTE } }),
    ).toStrictEqual({
      eventKey: "heartbeat.resolved",
      title: "Heartbeat is back: Backup",
      body: "A call arrived at 2026-11-21T12:09:00.000Z. Calls had been missing since 2026-11-21T12:06:00.000Z.",
      priority: "LOW",
      data,
      resolves: "heartbeat:hb_1:2026-11-21T12:06:00.000Z",
      sender: { id: "hb_1", name: "Backup" },
      heartbeat: {
        id: "hb_1",
        name: "Backup",
        missedAt: "2026-11-21T12:06:00.000Z",
        calledAt: "2026-11-21T12:09:00.000Z",
      },
    });
  });
});

it("an event is about a missed heartbeat only if it names a heartbeat", () => {
  expect(isMissed(undefined)).toBe(false);
  expect(isMissed(aHeartbeat())).toBe(false);
});
