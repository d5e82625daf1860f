import { describe, expect, it } from "vitest";
import { callsAboutEnd, toldOf } from "../../../../core/domain/delivery/attempts.ts";
import { siblingsOf } from "../../../../core/domain/delivery/delivery-plan.ts";
import { isNotNeeded, type DeviceOutcome } from "../../../../core/domain/delivery/notification.ts";
import { acknowledgerOf, isFinished, toPackHead, toQueuedPack } from "../../../../core/domain/delivery/pack.ts";
import { formatPackId } from "../../../../core/domain/basics/ids.ts";
import type { Device } from "../../../../core/domain/device/device.ts";
import { aPack, aRecipient, NOON, people } from "../support.ts";

const attempt = (outcome: DeviceOutcome, unknowns = 0) => ({ outcome, tries: 1, unknowns });

describe("a pack", () => {
  const event = { workspaceId: "ws_1", eventId: "evt_1", content: { eventKey: "order.failed", title: "Failed" } };
  const planned = {
    rule: { id: "rule_1", name: "Orders", version: 3 },
    priority: "HIGH" as const,
    priorityFrom: "rule" as const,
    requiresAck: true,
  };
  const recipients = [
    { userId: "usr_ann", reason: { groupId: "grp_ops" } },
    { userId: "usr_gone", reason: {} },
  ];
  const head = {
    eventId: "evt_1",
    eventKey: "order.failed",
    title: "Failed",
    priority: "HIGH",
    priorityFrom: "rule",
    requiresAck: true,
    escalates: false,
    rule: { id: "rule_1", name: "Orders", version: 3 },
    recipients: [
      { userId: "usr_ann", name: "Ann", email: "ann@acme.example", reason: { groupId: "grp_ops" } },
      { userId: "usr_gone", name: "", email: "", reason: {} },
    ],
  };
  const one = { packId: "p", planned: planned as never, recipients };

  it("has the names of its people, where they are still there", () => {
    expect(toPackHead(event, one, people)).toStrictEqual(head);
    expect(toPackHead(event, { ...one, packs: 1 }, people)).toStrictEqual(head);
    expect(toPackHead(event, { ...one, packs: 2 }, people)).toStrictEqual({ ...head, packs: 2 });
    const escalating = { ...one, planned: { ...planned, escalation: {} } as never };
    expect(toPackHead(event, escalating, people).escalates).toBe(true);
  });

  it("is written with nothing sent", () => {
    const pack = toQueuedPack(event, { ...one, packId: "00000000100000000200000000" }, people, NOON);

    expect(pack).toMatchObject({
      workspaceId: "ws_1",
      packId: "00000000100000000200000000",
      createdAt: NOON,
      lease: undefined,
      toldOver: [],
      retryAt: undefined,
    });
    expect(pack.recipients.map(({ userId, status }) => [userId, status])).toEqual([
      ["usr_ann", "QUEUED"],
      ["usr_gone", "QUEUED"],
    ]);
    expect(new Set(pack.recipients.map(({ notificationId }) => notificationId)).size).toBe(2);
  });

  it("is finished when all of its people are done", () => {
    const queued = aRecipient({ status: "QUEUED", attempts: { a: attempt("retry") } });

    expect(isFinished(aPack({ recipients: [aRecipient({ status: "ACKNOWLEDGED" }), queued] }))).toBe(false);
    expect(isFinished(aPack({ recipients: [aRecipient({ status: "ACKNOWLEDGED" })] }))).toBe(true);
  });

  it.each([
    [undefined, { id: "usr_ann", name: "Ann" }],
    [
      { id: "usr_ann", name: "Ann of old" },
      { id: "usr_ann", name: "Ann" },
    ],
    [
      { id: "usr_bob", name: "Bob" },
      { id: "usr_bob", name: "Bob" },
    ],
  ])("acknowledged by %j names %j", (acknowledgedBy, acknowledger) => {
    expect(acknowledgerOf(aRecipient({ acknowledgedBy }))).toEqual(acknowledger);
  });

  it("knows the others under its marker, the last first", () => {
    const id = (rule: number, pack: number) => formatPackId({ at: NOON, seq: 7, spread: false, rule, cursor: 0, pack });
    const sizes = [
      [2, 2],
      [3, 2],
    ] as const;

    expect(siblingsOf({ packId: id(2, 1), sizes })).toEqual([id(3, 1), id(3, 0), id(2, 0)]);
    expect(siblingsOf({ packId: id(3, 0), sizes, first: 5 })).toEqual([id(3, 1), id(2, 6), id(2, 5)]);
    expect(() => siblingsOf({ packId: "x", sizes })).toThrow("x is no pack id");
  });
});

describe("the end of an event", () => {
  const device = (id: string): Device => ({
    id,
    token: id,
    platform: "ios",
    name: null,
    createdAt: "2026-11-01T00:00:00.000Z",
    registeredAt: "2026-11-01T00:00:00.000Z",
  });
  const pack = aPack({
    toldOver: ["told"],
    recipients: [
      aRecipient({ userId: "usr_bob" }),
      aRecipient({
        notificationId: "ntf_2",
        attempts: {
          took: attempt("accepted"),
          may: attempt("unclear", 1),
          not: attempt("invalid"),
          told: attempt("accepted"),
          gone: attempt("accepted"),
        },
      }),
    ],
  });

  it("is told to the devices that took its push, or may have, once", () => {
    expect(toldOf(pack)).toEqual(["took", "may", "gone"]);
  });

  it("is told to those that are still there", () => {
    const devices = new Map([
      ["usr_ann", ["took", "may", "not", "told", "new"].map(device)],
      ["usr_cat", [device("took")]],
    ]);

    expect(callsAboutEnd(pack, devices)).toEqual([
      {
        position: 1,
        key: "took",
        way: undefined,
        device: device("took"),
        before: attempt("accepted"),
        notificationId: "ntf_2",
        answer: undefined,
      },
      {
        position: 1,
        key: "may",
        way: undefined,
        device: device("may"),
        before: attempt("unclear", 1),
        notificationId: "ntf_2",
        answer: undefined,
      },
    ]);
  });
});

it.each([
  ["Not sent: the event was acknowledged before this escalation step was sent", true],
  ["Not sent: the event was resolved before this notification was sent", true],
  ["no device", false],
  [null, false],
])("a notification that failed for %j was not needed: %s", (reason, needless) => {
  expect(isNotNeeded(reason)).toBe(needless);
});
