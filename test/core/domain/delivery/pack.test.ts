import { describe, expect, it } from "vitest";
import { listEndPushes, listChannelKeysToUpdate } from "../../../../core/domain/delivery/attempts.ts";
import { listSiblingPacks } from "../../../../core/domain/delivery/delivery-plan.ts";
import { wasNotNeeded, type DeviceOutcome } from "../../../../core/domain/delivery/notification.ts";
import {
  findAcknowledger,
  isPackFinished,
  isStepDue,
  toPackHead,
  toQueuedPack,
} from "../../../../core/domain/delivery/pack.ts";
import { formatPackId, type DeviceId } from "../../../../core/domain/basics/ids.ts";
import type { Device } from "../../../../core/domain/device/device.ts";
import { createEmptyRules } from "../../../../core/domain/people/notification-rules.ts";
import { aPack, aRecipient, NOON, people } from "../support.ts";

const attempt = (outcome: DeviceOutcome, unknowns = 0) => ({ outcome, tries: 1, unknowns });

describe("a pack of notifications", () => {
  const event = {
    workspaceId: "ws_1" as const,
    eventId: "evt_1",
    content: { eventKey: "order.failed", title: "Failed" },
  };
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

  it("lists the names of its recipients who still exist", () => {
    expect(toPackHead(event, one, people)).toStrictEqual(head);
    expect(toPackHead(event, { ...one, packs: 1 }, people)).toStrictEqual(head);
    expect(toPackHead(event, { ...one, packs: 2 }, people)).toStrictEqual({ ...head, packs: 2 });
    const escalating = { ...one, planned: { ...planned, escalation: {} } as never };
    expect(toPackHead(event, escalating, people).escalates).toBe(true);
  });

  it("has no lease and no sent push when it is created", () => {
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
    const shadowed = { ...event, plan: { shadow: { asks: false, pages: [], omitted: 0 } } };
    expect(toQueuedPack(shadowed, one, people, NOON).recipients[0]?.status).toBe("SHADOW");
  });

  it("is finished when all of its recipients need no further attempt", () => {
    const queued = aRecipient({ status: "QUEUED", attempts: { a: attempt("retry") } });

    expect(isPackFinished(aPack({ recipients: [aRecipient({ status: "ACKNOWLEDGED" }), queued] }))).toBe(false);
    expect(isPackFinished(aPack({ recipients: [aRecipient({ status: "ACKNOWLEDGED" })] }))).toBe(true);
  });

  it("gets its group of events, escalation and added people from the plan, and omits what the plan lacks", () => {
    const plan = {
      followed: true as const,
      groups: [
        { rule: 1, key: "another" },
        { rule: 2, key: "held down", into: "evt_0" },
        { rule: 2, key: "db-1" },
      ],
    };
    const packId = formatPackId({ at: NOON, seq: 7, spread: false, rule: 2, cursor: 0, pack: 0 });
    const added = { because: "told" } as const;
    const full = { ...planned, added, escalation: { ackMinutes: 30 } };

    expect(toPackHead({ ...event, plan }, { ...one, packId, planned: full as never }, people)).toStrictEqual({
      ...head,
      escalates: true,
      ackMinutes: 30,
      followed: true,
      group: "db-1",
      added,
    });
    expect(toPackHead({ ...event, plan: {} }, one, people)).toStrictEqual(head);
    expect(toPackHead({ ...event, plan: { groups: [] } }, { ...one, packId }, people)).toStrictEqual(head);
  });

  it("follows its recipients' own notification steps, unless the pack asks an acknowledger to confirm", () => {
    const packId = formatPackId({ at: NOON, seq: 7, spread: false, rule: 2, cursor: 0, pack: 0 });
    const steps = [5, 10].map((afterMinutes) => ({ afterMinutes, ways: ["email" as const] }));
    const rules = { ...createEmptyRules("usr_ann"), rungs: { LOW: [], NORMAL: [], HIGH: steps, URGENT: [] } };
    const ofAnn = { ...people, notificationRules: new Map([["usr_ann", rules]]) };
    const pagesOf = (fields: object, quiet?: "too_many") =>
      toPackHead(
        event,
        {
          packId,
          planned: { ...planned, ...fields } as never,
          recipients: [{ userId: "usr_ann", reason: {}, ...(quiet === undefined ? {} : { quiet }) }],
        },
        ofAnn,
      ).recipients[0];

    const five = { at: NOON + 300_000, ways: ["email"] };

    expect(pagesOf({})).toMatchObject({ rings: [five, { at: NOON + 600_000, ways: ["email"] }] });
    expect(pagesOf({ added: { because: "told" } })).toHaveProperty("rings");
    expect(pagesOf({ added: { because: "still_on_it" } })).not.toHaveProperty("rings");
    // A silent notification is sent once, and never pages again.
    expect(pagesOf({}, "too_many")).toMatchObject({ quiet: "too_many", rings: [five] });
  });

  it("with its recipients' own notification steps is not finished before its first page, nor while a retry is due", () => {
    const rings = [{ at: NOON + 5, ways: ["push" as const] }];
    const isFinal = (fields: Parameters<typeof aRecipient>[0], rangAt?: number) =>
      isPackFinished(aPack({ recipients: [aRecipient({ rings, ...fields })], rangAt }));

    expect(isFinal({ status: "OPENED", attempts: { a: attempt("retry") } })).toBe(false);
    expect(isFinal({ status: "OPENED", attempts: { a: attempt("accepted"), b: attempt("invalid") } })).toBe(true);
    expect(isFinal({ status: "SENT", attempts: { a: attempt("accepted"), b: attempt("retry") } })).toBe(false);
    expect(isFinal({ status: "ACKNOWLEDGED", attempts: { a: attempt("retry") } })).toBe(true);
    expect(isFinal({ status: "QUEUED", attempts: undefined })).toBe(true);
    expect(isFinal({ status: "QUEUED", attempts: undefined }, NOON + 4)).toBe(true);
    expect(isFinal({ status: "QUEUED", attempts: undefined }, NOON + 5)).toBe(false);
    expect(isFinal({ status: "QUEUED", attempts: { a: attempt("accepted") } })).toBe(false);
  });

  it.each<[string, Partial<Parameters<typeof aRecipient>[0]> & { rangAt?: number }, number, boolean]>([
    ["has no page due before its time", {}, NOON + 4, false],
    ["has a page due at its time", {}, NOON + 5, true],
    ["has no page due once its sending has begun", { rangAt: NOON + 5 }, NOON + 9, false],
    ["has no page due after an acknowledgement", { status: "ACKNOWLEDGED" }, NOON + 5, false],
    ["has no page due for people without notification steps", { rings: undefined }, NOON + 5, false],
  ])("%s", (_, { rangAt, ...fields }, at, isDue) => {
    const rings = [{ at: NOON + 5, ways: ["push" as const] }];
    const recipients = [aRecipient(), aRecipient({ status: "QUEUED", rings, ...fields })];

    expect(isStepDue({ recipients, rangAt }, at)).toBe(isDue);
  });

  it.each([
    ["names the recipient as the acknowledger if none is stored", undefined, { id: "usr_ann", name: "Ann" }],
    [
      "names an acknowledger who is the recipient by the recipient's present name",
      { id: "usr_ann", name: "Ann of old" },
      { id: "usr_ann", name: "Ann" },
    ],
    [
      "names an acknowledger who is another person by the stored name",
      { id: "usr_bob", name: "Bob" },
      { id: "usr_bob", name: "Bob" },
    ],
  ])("%s", (_, acknowledgedBy, acknowledger) => {
    expect(findAcknowledger(aRecipient({ acknowledgedBy }))).toEqual(acknowledger);
  });
});

it("for a given pack, the other packs of its event are listed from the last rule's last pack to the first rule's first pack", () => {
  const packIdOf = (rule: number, pack: number) =>
    formatPackId({ at: NOON, seq: 7, spread: false, rule, cursor: 0, pack });
  const sizes = [
    [2, 2],
    [3, 2],
  ] as const;

  expect(listSiblingPacks({ packId: packIdOf(2, 1), sizes })).toEqual([packIdOf(3, 1), packIdOf(3, 0), packIdOf(2, 0)]);
  expect(listSiblingPacks({ packId: packIdOf(3, 0), sizes, first: 5 })).toEqual([
    packIdOf(3, 1),
    packIdOf(2, 6),
    packIdOf(2, 5),
  ]);
  expect(() => listSiblingPacks({ packId: "x", sizes })).toThrow("x is not a pack id");
});

describe("the silent push that reports the end of an event", () => {
  const device = (id: string): Device => ({
    id: id as DeviceId,
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

  it("is sent once to each device that accepted, or may have accepted, the event's push", () => {
    expect(listChannelKeysToUpdate(pack)).toEqual(["took", "may", "gone"]);
  });

  it("is sent only to devices that still exist", () => {
    const devices = new Map([
      ["usr_ann", ["took", "may", "not", "told", "new"].map(device)],
      ["usr_cat", [device("took")]],
    ]);

    expect(listEndPushes(pack, devices)).toEqual([
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
  ["Not sent: the event was acknowledged before this escalation step was sent", true, "counts"],
  ["Not sent: the event was resolved before this notification was sent", true, "counts"],
  ["no device", false, "does not count"],
  [null, false, "does not count"],
])("a notification with the failure reason %j $2 as no longer needed", (reason, needless, _verb) => {
  expect(wasNotNeeded(reason)).toBe(needless);
});
