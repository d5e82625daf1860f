import { describe, expect, it } from "vitest";
import {
  isDecidedByRules,
  isNoticeRule,
  explainNotice,
  noticeRule,
  describeNotice,
} from "../../../../core/domain/event/notice.ts";
import {
  createCoverNotice,
  createDeviceRemovedNotice,
  createDutyNotice,
  createExpiredNotice,
  createFailingDeviceNotice,
  createForeignDeviceNotice,
  findNewlyReachedQuotaLevel,
  createNobodyNotifiedNotice,
  findQuotaLevel,
  createQuotaNotice,
  createBudgetNotice,
  createShadowNotice,
  createSmsStoppedNotice,
  createDeviceMovedNotice,
  createUnconfirmedShiftNotice,
  createUnreachableNotice,
} from "../../../../core/domain/event/notices.ts";

describe("the notice about events that nobody has resolved", () => {
  const event = (number: number) => ({ eventId: `evt_${number}`, content: { title: `Order ${number}` } });

  it("names the event if there is only one", () => {
    expect(createExpiredNotice("2026-11-21", [event(1)])).toStrictEqual({
      once: "expired:2026-11-21",
      content: {
        eventKey: "service.event_expired",
        title: "An event was open for 30 days",
        body: "Nobody acknowledged or resolved this event, so it has expired: Order 1.",
        priority: "NORMAL",
        data: { events: 1, first_event_id: "evt_1" },
        notice: {},
      },
    });
  });

  it("names five events, and counts the other events", () => {
    const { content } = createExpiredNotice("r", [1, 2, 3, 4, 5].map(event));

    expect(content.title).toBe("5 events were open for 30 days");
    expect(content.body).toBe(
      "Nobody acknowledged or resolved these events, so they have expired: Order 1; Order 2; Order 3; Order 4; Order 5.",
    );
    expect(createExpiredNotice("r", [1, 2, 3, 4, 5, 6, 7].map(event)).content).toMatchObject({
      body: expect.stringMatching(/Order 5; and 2 more\.$/),
      data: { events: 7, first_event_id: "evt_1" },
    });
  });
});

describe("the notice about the monthly event quota", () => {
  const quotaUsage = (used: number, monthlyEvents = 1_001) => ({
    plan: { monthlyEvents, eventsPerMinute: 60, burst: 60, retentionDays: 400 },
    month: "2026-11",
    used,
  });

  it.each([
    [800, "no level is reached", undefined, undefined],
    [801, "this event reaches the level of 80 %", 80, 80],
    [802, "an earlier event reached the level of 80 %", 80, undefined],
    [1_000, "an earlier event reached the level of 80 %", 80, undefined],
    [1_001, "this event reaches the level of 100 %", 100, 100],
    [1_002, "an earlier event reached the level of 100 %", 100, undefined],
  ])("is decided by the used events: after %i of 1,001 events, %s", (used, _what, level, crossed) => {
    expect(findQuotaLevel(quotaUsage(used))).toBe(level);
    expect(findNewlyReachedQuotaLevel(quotaUsage(used))).toBe(crossed);
  });

  it("says how many events are used, and when the next month starts", () => {
    expect(createQuotaNotice(quotaUsage(801), 80)).toStrictEqual({
      once: "quota:2026-11:80",
      content: {
        eventKey: "service.quota",
        title: "80 % of this month's events are used",
        body:
          "801 of the 1001 events of 2026-11 are used. Beyond the limit, events are refused. " +
          "The count restarts at 2026-12-01T00:00:00.000Z; a larger plan applies at once.",
        priority: "HIGH",
        data: { month: "2026-11", percent: 80, used: 801, limit: 1_001, reset_at: "2026-12-01T00:00:00.000Z" },
        notice: {},
      },
    });
    expect(createQuotaNotice(quotaUsage(1_001), 100).content).toMatchObject({
      title: "This month's events are used up",
      body:
        "All 1001 events of 2026-11 are used. Further events are refused, and nobody is notified of them. " +
        "The count restarts at 2026-12-01T00:00:00.000Z; a larger plan applies at once.",
      data: { percent: 100 },
    });
  });
});

describe("the notice to a person about an email address or phone number", () => {
  const device = { id: "dev_1" as const };

  it("says how to receive alerts there again after the person replied STOP", () => {
    expect(createSmsStoppedNotice("usr_ann", { ...device, stoppedAt: "2026-11-21T12:00:00.000Z" })).toStrictEqual({
      once: "stopped:dev_1:2026-11-21T12:00:00.000Z",
      content: {
        eventKey: "service.device",
        title: "Your phone number no longer gets text messages",
        body:
          "You answered STOP. To get text messages again, verify your number again under Devices. If no code arrives, " +
          "first send START to the number that the messages came from.",
        priority: "HIGH",
        data: { device: "dev_1", stopped_at: "2026-11-21T12:00:00.000Z" },
        notice: { to: ["usr_ann"] },
      },
    });
  });

  it("says which error the mail or phone provider returned if messages bounce", () => {
    const failing = { since: "2026-11-21T12:00:00.000Z", code: "Bounce.Permanent" };

    expect(createFailingDeviceNotice("usr_ann", device, failing)).toStrictEqual({
      once: "failing:dev_1:2026-11-21T12:00:00.000Z",
      content: {
        eventKey: "service.device",
        title: "Alerts do not reach your phone number",
        body:
          "The last message failed (Bounce.Permanent). For each alert, the service still tries once. Check the " +
          "address or number, then request a new verification code under Devices.",
        priority: "HIGH",
        data: { device: "dev_1", failing_since: "2026-11-21T12:00:00.000Z", code: "Bounce.Permanent" },
        notice: { to: ["usr_ann"] },
      },
    });
    expect(createFailingDeviceNotice("usr_ann", { ...device, email: "a@b.example" }, failing).content.title).toBe(
      "Alerts do not reach your email address",
    );
  });
});

describe("the notice about a shift whose reachability check nobody confirmed", () => {
  const shift = {
    groupId: "grp_ops",
    userId: "usr_ann",
    start: Date.UTC(2026, 10, 21, 12),
    ways: ["push", "email", "sms", "voice"] as const,
    name: "Ann",
    group: "Ops",
    before: ["Bob", "Cat"],
  };

  it("says which channels were tried, and who is on call until the shift begins", () => {
    expect(createUnconfirmedShiftNotice(shift, ["usr_bob", "usr_cat"])).toStrictEqual({
      once: `shift:grp_ops:usr_ann:${shift.start}`,
      content: {
        eventKey: "service.shift",
        title: "Ann may not be reachable: on call in Ops soon",
        body:
          "The shift begins at 2026-11-21T12:00:00.000Z. No confirmation by push, email, text message, call. " +
          "On call until then: Bob, Cat. Contact Ann in another way, or put somebody else on call with an override.",
        priority: "HIGH",
        data: { user: "usr_ann", group: "grp_ops", starts_at: "2026-11-21T12:00:00.000Z" },
        notice: { to: ["usr_bob", "usr_cat"] },
      },
    });
  });

  it("says that there was no channel to try, and that nobody is on call before the shift", () => {
    expect(createUnconfirmedShiftNotice({ ...shift, ways: [], before: [] }, []).content.body).toContain(
      "This person has no device that can confirm the reachability check. Nobody is on call until then. Contact",
    );
  });
});

describe("the notice about the monthly limit of text messages", () => {
  it("is sent once a month, and says until when no text messages are sent", () => {
    expect(createBudgetNotice("sms", "2026-12")).toMatchObject({
      once: "sms:2026-12",
      content: {
        eventKey: "service.sms",
        title: "This month's text messages are used up",
        body:
          "No further text messages are sent for this workspace until 2027-01-01T00:00:00.000Z. Other devices are " +
          "notified as before; people with only a phone number are not reached. The service's operator can raise the budget.",
        priority: "HIGH",
        data: { month: "2026-12", reset_at: "2027-01-01T00:00:00.000Z" },
        notice: {},
      },
    });
  });
});

describe("the notice to a person about a device", () => {
  const device = { id: "dev_1" as const, registeredAt: "2026-11-01T00:00:00.000Z" };
  const registration = { device: "dev_1", registered_at: "2026-11-01T00:00:00.000Z" };
  const web = { ...device, platform: "web", name: null } as const;
  const phone = { ...device, platform: "android", name: null } as const;

  it("says how to renew the device if its pushes are refused", () => {
    expect(createForeignDeviceNotice("usr_ann", web)).toStrictEqual({
      once: "device:dev_1:2026-11-01T00:00:00.000Z",
      content: {
        eventKey: "service.device",
        title: "Your browser gets no alerts: register it again",
        body:
          "Pushes are refused, because this device is registered with the keys of another service. " +
          "Open the console in that browser and press Renew.",
        priority: "HIGH",
        data: registration,
        notice: { to: ["usr_ann"] },
      },
    });
    expect(createForeignDeviceNotice("usr_ann", phone).content).toMatchObject({
      title: "Your phone gets no alerts: register it again",
      body: expect.stringMatching(
        /Sign in to the app on that phone again. If that does not help, the app belongs to another service\.$/,
      ),
    });
  });

  it("says that the device now belongs to another person who has registered it", () => {
    expect(createDeviceMovedNotice("usr_ann", web)).toStrictEqual({
      once: "taken:dev_1:2026-11-01T00:00:00.000Z",
      content: {
        eventKey: "service.device",
        title: "Your browser now belongs to somebody else",
        body:
          "Another person has registered this device, so it no longer gets your alerts. If this is wrong, register it again: " +
          "a device belongs to the person who registered it last.",
        priority: "HIGH",
        data: registration,
        notice: { to: ["usr_ann"] },
      },
    });
    expect(createDeviceMovedNotice("usr_ann", phone).content.title).toBe("Your phone now belongs to somebody else");
  });

  it("goes silently to the owners instead if the person has no other device", () => {
    expect(createUnreachableNotice({ userId: "usr_ann", name: "Ann" }, device)).toStrictEqual({
      once: "unreachable:dev_1:2026-11-01T00:00:00.000Z",
      content: {
        eventKey: "service.unreachable",
        title: "Ann can no longer be reached",
        body:
          "The push service no longer knows this person's last device. Until they open the app or register a browser in the " +
          "console, every notification to them fails.",
        priority: "LOW",
        data: { user: "usr_ann", device: "dev_1" },
        notice: {},
      },
    });
    expect(createUnreachableNotice({ userId: "usr_ann", name: "" }, device).content.title).toBe(
      "usr_ann can no longer be reached",
    );
  });
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON = Date.UTC(2026, 10, 23, 12);

it("the notice to the owner of a removed device says what kind of device it was", () => {
  expect(createDeviceRemovedNotice("usr_ann", { id: "dev_1", platform: "web" }, NOON)).toStrictEqual({
    once: `removed:dev_1:${NOON}`,
    content: {
      eventKey: "service.device",
      title: "An owner removed your browser",
      body: "The device no longer gets alerts of this workspace. If you still have it, register it again under Devices.",
      priority: "HIGH",
      data: { device: "dev_1", removed_at: "2026-11-23T12:00:00.000Z" },
      notice: { to: ["usr_ann"] },
    },
  });
});

it.each([
  ["no_match", true, "urgent", "An URGENT event notified nobody: Full", "No rule matches the event disk.full.", "HIGH"],
  ["no_match", false, "first", "No rule matches a new event: Full", "No rule matches the event disk.full.", "LOW"],
  [
    "no_recipient",
    true,
    "urgent",
    "An URGENT event notified nobody: Full",
    "Rules match the event disk.full, but the groups of these rules have no members, or nobody on call.",
    "HIGH",
  ],
] as const)(
  'an event with the outcome %s causes the notice "$3" once an hour',
  (outcome, isUrgent, kind, title, why, priority) => {
    const event = { eventId: "evt_1", content: { eventKey: "disk.full", title: "Full" } };

    expect(createNobodyNotifiedNotice(event, outcome, isUrgent, 7)).toStrictEqual({
      once: `unnoticed:${kind}:7`,
      content: {
        eventKey: "service.unnoticed",
        title,
        body: `${why} There is at most one notice of this kind in an hour. The event's page shows what each rule did.`,
        priority,
        data: { event: "evt_1", event_key: "disk.full", outcome },
        notice: {},
      },
    });
  },
);

it.each([
  ["no reminder 1 ms after a shadow ended", -1, undefined],
  ["no reminder when a shadow ends", 0, undefined],
  ["the last hour's reminder 1 ms before a shadow ends", 1, "hour"],
  ["the last hour's reminder 70 minutes before a shadow ends", 70 * MINUTE, "hour"],
  ["the last day's reminder more than 70 minutes before a shadow ends", 70 * MINUTE + 1, "day"],
  ["the last day's reminder 24 hours and 10 minutes before a shadow ends", 24 * HOUR + 10 * MINUTE, "day"],
  ["no reminder more than 24 hours and 10 minutes before a shadow ends", 24 * HOUR + 10 * MINUTE + 1, undefined],
])("the owners of a workspace get %s", (_what, ms, name) => {
  const content = {
    eventKey: "service.shadow",
    title: "The shadow ends soon",
    body: "From 2026-11-23T12:00:00.000Z on, people are notified of events. Owners can change when the shadow ends.",
    priority: "NORMAL",
    data: { until: "2026-11-23T12:00:00.000Z" },
    notice: {},
  };

  expect(createShadowNotice(NOON, NOON - ms)).toStrictEqual(name && { once: `shadow:${NOON}:${name}`, content });
});

describe("the notice about a change of who is on call", () => {
  const change = { groupId: "grp_1", group: "Ops", by: "Ann", change: "c1" };
  const span = { start: NOON, end: NOON + HOUR };
  const dutyMove = (name: string, lost?: typeof span, gained?: typeof span) => ({ name, lost, gained });

  it("says who is on call, and who is not", () => {
    expect(
      createDutyNotice(change, [dutyMove("Bob", span), dutyMove("Carol", undefined, span)], ["usr_bob"]),
    ).toStrictEqual({
      once: "duty:grp_1:c1",
      content: {
        eventKey: "service.on_call",
        title: "Ann changed who is on call in Ops",
        body:
          "Bob is not on call from 2026-11-23T12:00:00.000Z to 2026-11-23T13:00:00.000Z. " +
          "Carol is on call from 2026-11-23T12:00:00.000Z to 2026-11-23T13:00:00.000Z.",
        priority: "NORMAL",
        data: { group: "grp_1", people: 2 },
        notice: { to: ["usr_bob"] },
      },
    });
  });

  it("names five people, and counts the other people", () => {
    const bodyFor = (names: string) =>
      createDutyNotice(
        change,
        names.split("").map((name) => dutyMove(name, span)),
        [],
      ).content.body;

    expect(bodyFor("abcde")).toMatch(/ e is not on call [^ ]+ [^ ]+ to [^ ]+\.$/);
    expect(bodyFor("abcdefg")).toMatch(
      / e is not on call [^.]+[^ ]+ to [^ ]+ 2 more people are on call at other times\.$/,
    );
  });
});

describe("the notice about a cover", () => {
  const SHIFT = "the shift of Ann in Ops from 09:00 to 17:00";
  const SWAP = "In return, Ann takes the shift from Mon to Tue.";
  const cover = {
    coverId: "cov_1",
    groupId: "grp_1",
    group: "Ops",
    start: "09:00",
    end: "17:00",
    inReturn: { start: "Mon", end: "Tue" },
    note: "Dentist",
    of: "Ann",
    onCall: [],
    taker: "Bob",
    by: "Carol",
  };

  it.each([
    ["ask", "Can you cover for Ann in Ops?", `You can take ${SHIFT} under On call. ${SWAP} Note: Dentist`],
    ["made", "Carol asks for cover for you in Ops", `Colleagues are asked to take ${SHIFT}. ${SWAP} Note: Dentist`],
    [
      "remind",
      "Nobody covers Ann in Ops yet",
      `Nobody has taken ${SHIFT}. Until somebody takes it, Ann stays on call.`,
    ],
    ["expired", "Nobody took your shift in Ops", `Nobody has taken ${SHIFT}. Ann stays on call.`],
    ["taken", "Bob covers for Ann in Ops", `Bob takes ${SHIFT}. ${SWAP}`],
    [
      "withdrawn",
      "Carol withdrew the cover for Ann in Ops",
      "Ann has the shift in Ops from 09:00 to 17:00 again; Bob no longer covers it.",
    ],
  ] as const)('has the text of its kind "%s", and is silent', (kind, title, body) => {
    expect(createCoverNotice({ name: "n1", kind, to: ["usr_bob"] }, cover)).toStrictEqual({
      once: "cover:cov_1:n1",
      content: {
        eventKey: "service.cover",
        title,
        body,
        priority: "LOW",
        data: { cover: "cov_1", group: "grp_1", kind },
        notice: { to: ["usr_bob"] },
      },
    });
  });

  it("names the people who are on call after the cover was withdrawn", () => {
    const { content } = createCoverNotice(
      { name: "n1", kind: "withdrawn", to: [] },
      { ...cover, onCall: ["Dan", "Eve"] },
    );

    expect(content.body).toBe(`Bob no longer covers ${SHIFT}. On call: Dan and Eve.`);
  });

  it("names only the shift if the cover has no note and asks for nothing in return", () => {
    const { content } = createCoverNotice(
      { name: "n1", kind: "ask", to: [] },
      { ...cover, inReturn: undefined, note: undefined },
    );

    expect(content.body).toBe(`You can take ${SHIFT} under On call.`);
  });
});

describe("an event that the service sends as a notice", () => {
  const SERVICE = "the service itself sent this notice";

  it("is listed under a rule with the id service, which only notices have", () => {
    expect(noticeRule).toStrictEqual({ id: "service", version: 0, name: "The service's own notices" });
    expect([isNoticeRule({ id: "service" }), isNoticeRule({ id: "rule_1" })]).toEqual([true, false]);
  });

  it.each([
    ["without the field notice is subject to rules", {}, true],
    ["to the owners is not subject to rules", { notice: {} }, false],
    ["to given people is not subject to rules", { notice: { to: ["usr_ann"] } }, false],
    ["that is sent even if a rule matches is not subject to rules", { notice: { unlessMatched: false } }, false],
    ["that is sent only if no rule matches is subject to rules", { notice: { unlessMatched: true } }, true],
  ])("%s", (_what, noted, asks) => {
    expect(isDecidedByRules(noted)).toBe(asks);
  });

  it.each([
    ["is shown without recipients if the field notice is missing", {}, ["service"], null],
    ["is shown without recipients if its plan has no rule", { notice: {} }, [], null],
    [
      "is shown without recipients if a rule of the workspace matched",
      { notice: { unlessMatched: true } },
      ["rule_1"],
      null,
    ],
    ["is shown with the owners as recipients", { notice: {} }, ["service"], { to: "owners", because: SERVICE }],
    [
      "is shown with given people as recipients",
      { notice: { to: ["usr_ann"] } },
      ["rule_1", "service"],
      { to: "people", because: SERVICE },
    ],
    [
      "is shown with the owners as recipients if no rule matched",
      { notice: { unlessMatched: true } },
      ["service"],
      { to: "owners", because: "no rule matched the event" },
    ],
  ])("%s", (_what, noted, planned, view) => {
    expect(explainNotice(noted, planned)).toEqual(view);
  });

  it.each([
    ["owners", "The owners were notified because it is so."],
    ["people", "The people responsible were notified because it is so."],
  ] as const)("says why its recipients (%s) were notified", (to, sentence) => {
    expect(describeNotice({ to, because: "it is so" })).toBe(sentence);
  });
});
