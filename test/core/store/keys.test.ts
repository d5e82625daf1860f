import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as keys from "../../../core/store/keys.ts";
import type { Key } from "../../../core/store/keys.ts";
import { listFixedPartitions, siteEventsPks } from "../../../core/store/workspace-keys.ts";

/** Returns a few ids, some of which are prefixes of others, so that ambiguous keys would collide. */
const idOf = <Prefix extends string>(prefix: Prefix) =>
  fc
    .string({ unit: fc.constantFrom("0", "1", "a", "A"), minLength: 1, maxLength: 2 })
    .map((chars) => `${prefix}_${chars}` as const);
const [ws, user, group, rule, policy, event] = [
  idOf("ws"),
  idOf("usr"),
  idOf("grp"),
  idOf("rule"),
  idOf("pol"),
  idOf("evt"),
];
const hash = fc.string({ unit: fc.constantFrom("0", "1", "-", "_"), minLength: 1, maxLength: 3 });
const eventType = fc.constantFrom("a.b", "a.bb", "aa.b", "a_.b", "a.b_", "1.a");
const number = fc.constantFrom(0, 1, 10, 11, 110, 1_000_001, 1_000_010, 99_999_999_999);
const due = fc.constantFrom(0, 1, 11, 9_999_999_999_999);
const small = fc.constantFrom(0, 1, 10, 11, 110);
const packId = fc.string({ unit: fc.constantFrom("0", "1", "z", "u"), minLength: 26, maxLength: 26 });

const arbitraryKey = <Args extends unknown[]>(
  name: string,
  args: { [Index in keyof Args]: fc.Arbitrary<Args[Index]> },
  key: (...args: Args) => Key,
) => fc.tuple(...args).map((values) => ({ what: JSON.stringify([name, ...values]), key: key(...(values as Args)) }));

const kinds = [
  arbitraryKey("control", [ws], keys.controlKey),
  arbitraryKey("workspace", [ws], keys.workspaceKey),
  arbitraryKey("member set", [ws], keys.memberSetKey),
  arbitraryKey("lost", [ws, fc.constantFrom(0, 1, 2, 3), number], keys.lostKey),
  arbitraryKey("audited", [ws], keys.auditProgressKey),
  arbitraryKey("day", [ws, fc.constantFrom("2026-11-21", "2027-01-01")], keys.dayKey),
  arbitraryKey("API key", [ws, idOf("key")], keys.apiKeyKey),
  arbitraryKey("rule", [ws, rule], keys.ruleKey),
  arbitraryKey("rule version", [ws, rule, number], keys.ruleVersionKey),
  arbitraryKey("member", [ws, user], keys.memberKey),
  arbitraryKey("group", [ws, group], keys.groupKey),
  arbitraryKey("group member", [ws, fc.record({ groupId: group, userId: user })], keys.groupMemberKey),
  arbitraryKey("on call", [ws, group], keys.scheduleKey),
  arbitraryKey("override", [ws, group, idOf("ovr")], keys.overrideKey),
  arbitraryKey("cover", [ws, idOf("cov")], keys.coverKey),
  arbitraryKey("due cover", [due, ws, idOf("cov")], keys.dueCoverKey),
  arbitraryKey("policy", [ws, policy], keys.policyKey),
  arbitraryKey("membership", [user, ws], keys.membershipKey),
  arbitraryKey("devices", [ws, user], keys.devicesKey),
  arbitraryKey("token", [hash], keys.tokenOwnerKey),
  // The first of the partitions that share spread events also contains the events that are not spread.
  arbitraryKey("event", [ws, number, fc.constant(false)], keys.eventItemKey),
  arbitraryKey(
    "spread event",
    [ws, number.filter((seq) => Math.floor(seq / 64) % 4 !== 0), fc.constant(true)],
    keys.eventItemKey,
  ),
  arbitraryKey("course", [ws, number], keys.progressKey),
  arbitraryKey("pack", [ws, packId], keys.packKey),
  arbitraryKey("escalation", [ws, number, small], keys.escalationKey),
  arbitraryKey("note", [ws, event, small], keys.noteKey),
  arbitraryKey("event marker", [due, ws, event], keys.eventMarkerKey),
  arbitraryKey("step marker", [due, ws, event, small, small], keys.stepMarkerKey),
  arbitraryKey("hand marker", [due, ws, event, user], keys.handoffMarkerKey),
  arbitraryKey("audit", [due, ws], keys.dueAuditKey),
  arbitraryKey("dedupe", [ws, hash], keys.dedupeClaimKey),
  arbitraryKey("idempotency", [ws, hash], keys.idempotencyKey),
  arbitraryKey("event type", [ws, eventType], keys.eventTypeKey),
  arbitraryKey("site", [ws, hash, fc.boolean()], keys.siteKey),
  arbitraryKey("site chunk", [ws, hash, fc.boolean(), number], keys.siteChunkKey),
];

type KeyFunctions = {
  [
    Name in keyof typeof keys as (typeof keys)[Name] extends (...args: never[]) => Key ? Name : never
  ]: (typeof keys)[Name];
};
/** For each key function, the keys that earlier versions have stored, each with the arguments that result in the key. */
const stored: { [Name in keyof KeyFunctions]: Record<string, Parameters<KeyFunctions[Name]>> } = {
  controlKey: { "WS#ws_1 CONTROL": ["ws_1"] },
  workspaceKey: { "WS#ws_1 META": ["ws_1"] },
  memberSetKey: { "WS#ws_1 MEMBERS": ["ws_1"] },
  countsKey: { "WS#ws_1 COUNTS": ["ws_1"] },
  apiKeyKey: { "WS#ws_1#KEYS key_1": ["ws_1", "key_1"] },
  silenceKey: { "WS#ws_1#RULES sil_1": ["ws_1", "sil_1"] },
  ruleKey: { "WS#ws_1#RULES rule_1": ["ws_1", "rule_1"] },
  webhookKey: { "WS#ws_1#RULES wh_1": ["ws_1", "wh_1"] },
  connectionKey: { "WS#ws_1#RULES con_1": ["ws_1", "con_1"] },
  ruleVersionKey: { "WS#ws_1#RULEVERSIONS rule_1#000012": ["ws_1", "rule_1", 12] },
  channelPostKey: { "WS#ws_1#LINES#con_1#POSTS evt_1": ["ws_1", "con_1", "evt_1"] },
  slackAccountKey: { "WS#ws_1#SLACK T1#U1": ["ws_1", "T1", "U1"] },
  queueKey: { "WS#ws_1#LINES wh_1": ["ws_1", "wh_1"] },
  timelineKey: { "WS#ws_1#STORY#evt_1 STORY": ["ws_1", "evt_1"] },
  memberKey: { "WS#ws_1#PEOPLE MEMBER#usr_1": ["ws_1", "usr_1"] },
  groupKey: { "WS#ws_1#PEOPLE GROUP#grp_1": ["ws_1", "grp_1"] },
  groupMemberKey: { "WS#ws_1#PEOPLE IN#grp_1#usr_1": ["ws_1", { groupId: "grp_1", userId: "usr_1" }] },
  scheduleKey: { "WS#ws_1#PEOPLE ONCALL#grp_1": ["ws_1", "grp_1"] },
  overrideKey: { "WS#ws_1#PEOPLE OVERRIDE#grp_1#ovr_1": ["ws_1", "grp_1", "ovr_1"] },
  notificationRulesKey: { "WS#ws_1#PEOPLE NOTIFY#usr_1": ["ws_1", "usr_1"] },
  urgentFloorKey: { "WS#ws_1#PEOPLE FLOOR": ["ws_1"] },
  policyKey: { "WS#ws_1#PEOPLE POLICY#pol_1": ["ws_1", "pol_1"] },
  onCallTimelineKey: { "WS#ws_1#DUTY grp_1": ["ws_1", "grp_1"] },
  calendarKey: { "WS#ws_1#CALENDARS usr_1": ["ws_1", "usr_1"] },
  calendarSecretKey: { "CALENDAR#h1 OWNER": ["h1"] },
  createdInTotalKey: { "USER#usr_1 MADE": ["usr_1"] },
  createdInMonthKey: { "USER#usr_1 MADE#2026-11": ["usr_1", "2026-11"] },
  membershipKey: { "USER#usr_1 WS#ws_1": ["usr_1", "ws_1"] },
  invitationKey: { "WS#ws_1#INVITATIONS inv_1": ["ws_1", "inv_1"] },
  invitedKey: { "INVITED#h1 WS#ws_1": ["h1", "ws_1"] },
  devicesKey: { "WS#ws_1#DEVICES usr_1": ["ws_1", "usr_1"] },
  dailyCountKey: { "WS#ws_1#CODES 2026-11-29#workspace#invitations": ["ws_1", "invitations", "2026-11-29"] },
  personCountKey: { "USER#usr_1 CODES#2026-11-29": ["usr_1", "CODES", "2026-11-29"] },
  stageCountKey: { "STAGE INVITED#2026-11-29": ["INVITED", "2026-11-29"] },
  addressCodeCountKey: { "TOKEN#h1 CODES#2026-11-29": ["h1", "2026-11-29"] },
  addressInvitationCountKey: { "TOKEN#h1 INVITED#2026-11-29": ["h1", "2026-11-29"] },
  phoneOwnersKey: { "TOKEN#h1 PLACES": ["h1"] },
  phoneAnswerCountKey: { "TOKEN#h1 ANSWERS#2026-11-29": ["h1", "2026-11-29"] },
  paidCountKey: { "WS#ws_1#SMS 2026-11": ["ws_1", "sms", "2026-11"] },
  tokenOwnerKey: { "TOKEN#h1 OWNER": ["h1"] },
  eventItemKey: {
    "WS#ws_1#EVENTS 000000000070": ["ws_1", 70, false],
    "WS#ws_1#EVENTS#1 000000000070": ["ws_1", 70, true],
    "WS#ws_1#EVENTS 000000000256": ["ws_1", 256, true],
  },
  progressKey: { "WS#ws_1#EVENTS 000000000063#C": ["ws_1", 63] },
  lostKey: { "WS#ws_1#LOST 1#000000000009": ["ws_1", 1, 9] },
  dayKey: { "WS#ws_1#LOST DAY#2026-11-29": ["ws_1", "2026-11-29"] },
  auditProgressKey: { "WS#ws_1#LOST AUDITED": ["ws_1"] },
  packKey: {
    "WS#ws_1#NOTIFICATIONS 00000000900000002700000000": ["ws_1", "00000000900000002700000000"],
    "WS#ws_1#NOTIFICATIONS#3 000000009u0000002700000000": ["ws_1", "000000009u0000002700000000"],
    "WS#ws_1#NOTIFICATIONS#000000009u0000002700000003 000000009u0000002700000003": [
      "ws_1",
      "000000009u0000002700000003",
    ],
    "WS#ws_1#NOTIFICATIONS other": ["ws_1", "other"],
  },
  planPartKey: { "WS#ws_1#PLAN#000000000070 pln_1#00002": ["ws_1", 70, "pln_1", 2] },
  escalationKey: {
    "WS#ws_1#ESCALATIONS 000000000070#03": ["ws_1", 70, 3],
    "WS#ws_1#ESCALATIONS 000000000070#99": ["ws_1", 70, 99],
    "WS#ws_1#ESCALATIONS 000000000070#~000100": ["ws_1", 70, 100],
  },
  firingKey: { "WS#ws_1#FIRINGS 000000000070#03#002": ["ws_1", 70, 3, 2] },
  noteKey: { "WS#ws_1#NOTES evt_1#004": ["ws_1", "evt_1", 4] },
  eventMarkerKey: {
    "PENDING#02 0000000000009#ws_1#evt_1": [9.9, "ws_1", "evt_1"],
    "PENDING#03 0000000000009#ws_1#evt_1#2": [9.9, "ws_1", "evt_1", 2],
  },
  stepMarkerKey: { "STEPS#02 0000000000009#ws_1#evt_1#3#2": [9, "ws_1", "evt_1", 3, 2] },
  ackMarkerKey: {
    "STEPS#02 0000000000009#ws_1#evt_1#lapse#0000000000010": [9, "ws_1", "evt_1", { work: "lapse", until: 10 }],
  },
  handoffMarkerKey: { "STEPS#02 0000000000009#ws_1#evt_1#hand#usr_1": [9, "ws_1", "evt_1", "usr_1"] },
  pageMarkerKey: { "STEPS#02 0000000000009#ws_1#evt_1#ring#pack": [9, "ws_1", "evt_1", "pack"] },
  moveKeyToDueTime: { "P 0000000000010#x": [{ pk: "P", sk: "0000000000009#x" }, 10] },
  dueAuditKey: { "AUDIT#03 0000000000009#ws_1": [9, "ws_1"] },
  dueQueueKey: { "LINES#00 0000000000009#ws_1#wh_1": [9, "ws_1", "wh_1"] },
  watchKey: { "WATCHES ws_1": ["ws_1"] },
  paceKey: { "PACE#sms LINES": ["sms"] },
  heartbeatCheckKey: { "HEARTBEATS#03 0000000000009#ws_1#hb_1": [9, "ws_1", "hb_1"] },
  heartbeatKey: { "WS#ws_1#HEARTBEATS hb_1": ["ws_1", "hb_1"] },
  statisticsKey: {
    "WS#ws_1#STATISTICS rule#2026-W48#rule_1": ["ws_1", "rule", "2026-W48", "rule_1"],
    "WS#ws_1#STATISTICS all#2026-W48#": ["ws_1", "all", "2026-W48"],
  },
  statisticsProgressKey: { "WS#ws_1#STATISTICS PROGRESS": ["ws_1"] },
  countMarkKey: { "WS#ws_1#STATISTICS RESOLVED#000000000070": ["ws_1", 70] },
  openEventKey: { "WS#ws_1#OPEN 000000000070": ["ws_1", 70] },
  dedupeIndexKey: { "WS#ws_1#OPEN#h1 000000000070": ["ws_1", "h1", 70] },
  openIndexProgressKey: { "WS#ws_1 OPENINDEX": ["ws_1"] },
  heldEventKey: { "WS#ws_1#HELD#sil_1 0000000000009#000000000070": ["ws_1", "sil_1", 9, 70] },
  eventGroupKey: { "WS#ws_1#GROUPED#g1 GROUP": ["ws_1", "g1"] },
  pagesKey: { "WS#ws_1#RUNG#usr_1 RUNG": ["ws_1", "usr_1"] },
  countedEventsKey: {
    "WS#ws_1#GROUPED#g1#COUNT 0000000060000#000000000001": ["ws_1", "g1", undefined, { receivedAt: 119_999, seq: 127 }],
    "WS#ws_1#GROUPED#g1#000000000070 0000000120000#000000000002": ["ws_1", "g1", 70, { receivedAt: 120_000, seq: 128 }],
  },
  silenceEndKey: { "ENDS#00 0000000000009#ws_1#sil_1#ended": [9, "ws_1", "sil_1", "ended"] },
  dueCheckKey: { "PROOFS#00 0000000000009#ws_1": [9, "ws_1"] },
  reachabilityCheckKey: {
    "WS#ws_1#PROOFS 0000000000009#grp_1#usr_1": ["ws_1", { start: 9, groupId: "grp_1", userId: "usr_1" }],
  },
  probeKey: { "WS#ws_1#PROBES rule_1": ["ws_1", "rule_1"] },
  switchKey: { "WS#ws_1 SWITCH": ["ws_1"] },
  probePlanKey: { "WS#ws_1#NEXT#PROBES PLAN": ["ws_1"] },
  closedMonthKey: { "WS#ws_1#LOAD 2026-11": ["ws_1", "2026-11"] },
  closedMonthPartKey: { "WS#ws_1#LOAD 2026-11#mon_1#02": ["ws_1", "2026-11", "mon_1", 2] },
  coverKey: { "WS#ws_1#COVERS cov_1": ["ws_1", "cov_1"] },
  dueCoverKey: { "COVERS#00 0000000000009#ws_1#cov_1": [9, "ws_1", "cov_1"] },
  deletionKey: { "DELETIONS ws_1": ["ws_1"] },
  deletedKey: { "DELETED 0000000000009#ws_1": [9, "ws_1"] },
  trailKey: { "WS#ws_1#TRAIL 0000000000009#000000000070": ["ws_1", 9, 70] },
  trailHeadKey: { "WS#ws_1 TRAIL": ["ws_1"] },
  dedupeClaimKey: { "WS#ws_1#DEDUPE#h1 CLAIM": ["ws_1", "h1"] },
  idempotencyKey: { "WS#ws_1#IDEM#h1 CLAIM": ["ws_1", "h1"] },
  eventTypeKey: { "WS#ws_1#TYPES a.b": ["ws_1", "a.b"] },
  siteKey: { "WS#ws_1#SITES h1": ["ws_1", "h1", false], "WS#ws_1#SITES#02 h1": ["ws_1", "h1", true] },
  siteChunkKey: {
    "WS#ws_1#SITE#h1 000000000005": ["ws_1", "h1", false, 5],
    "WS#ws_1#SITE#h1#S 000000000005": ["ws_1", "h1", true, 5],
  },
};

describe("the keys of items", () => {
  it("are the same as in earlier versions, and no two of them are equal", () => {
    const functions = { ...keys } as unknown as Record<string, (...args: unknown[]) => Key>;
    const literals = Object.values(stored).flatMap((some) => Object.keys(some));
    const made = Object.entries(stored).flatMap(([name, some]) =>
      Object.values(some).map((args) => {
        const { pk, sk } = functions[name]!(...args);
        return `${pk} ${sk}`;
      }),
    );

    expect(made).toEqual(literals);
    expect(new Set(literals).size).toBe(literals.length);
  });

  it("are never equal for two different items", () => {
    const owners = new Map<string, string>();
    for (const kind of kinds)
      for (const { what, key } of fc.sample(kind, { numRuns: 4000, seed: 1 })) {
        const text = JSON.stringify([key.pk, key.sk]);
        expect(owners.get(text) ?? what).toBe(what);
        owners.set(text, what);
      }

    expect(owners.size).toBeGreaterThan(20_000);
  });

  it("can be read as ranges that include the first and the last key", () => {
    const WS = "ws_1";
    const countedRange = (total: number | undefined, from: number) =>
      keys.countedEventsRange(WS, "g1", total, { from, to: 120_000 });

    expect(keys.messagesPk(WS, "wh_1", "SENT")).toBe("WS#ws_1#LINES#wh_1#SENT");
    expect(keys.messageSk(9, 70, 6)).toBe("0000000000009#000000000070#0006");
    expect(keys.otherMessageSk(9, "grp_1", 6)).toBe("0000000000009#grp_1#000000000006");
    expect(keys.messageRange(-1, 9)).toEqual({ from: "0000000000000", to: "0000000000009#~" });
    expect(keys.eventRange(7, 70)).toEqual({ from: "000000000007", to: "000000000070#C" });
    expect(keys.heldRangeStart(9)).toBe("0000000000009");
    expect(keys.dueRangeEnd(9)).toBe("0000000000009~");
    expect(keys.keyDirectlyAfter("a")).toBe("a ");
    expect(countedRange(undefined, 119_999)).toEqual({
      pk: "WS#ws_1#GROUPED#g1#COUNT",
      from: "0000000060000",
      to: "0000000120000#~",
    });
    expect(countedRange(70, -1)).toMatchObject({ pk: "WS#ws_1#GROUPED#g1#000000000070", from: "0000000000000" });
    expect(keys.trailRange(-1, 9)).toEqual({ from: "0000000000000", to: "0000000000009~" });
    expect(keys.trailRange(9, 10, 71)).toEqual({ from: "0000000000009", to: "0000000000010#000000000070" });
    expect(keys.trailRangeAfter(9, 70)).toEqual({ from: "0000000000009#000000000071", to: "~" });
    expect(keys.sitesPks(WS)).toEqual(["", "#00", "#01", "#02", "#03"].map((share) => `WS#ws_1#SITES${share}`));
    expect(keys.notificationsPks(WS)).toEqual(["", "#1", "#2", "#3"].map((share) => `WS#ws_1#NOTIFICATIONS${share}`));
  });

  it.each([
    [63, 64, "no suffix and with the suffix #1", ["", "#1"]],
    [64, 127, "the suffix #1", ["#1"]],
    [192, 256, "the suffix #3 and with no suffix", ["#3", ""]],
    [0, 6400, "no suffix and with the suffixes #1, #2 and #3", ["", "#1", "#2", "#3"]],
  ])("of spread events numbered %i to %i are in the partitions with %s", (from, to, _, shares) => {
    const listed = shares.map((share) => `WS#ws_1#EVENTS${share}`);

    expect(keys.spreadEventsPks("ws_1", from, to)).toEqual(listed);
    expect(keys.eventsPks("ws_1", from, to)).toEqual([...new Set(["WS#ws_1#EVENTS", ...listed])]);
  });

  it("of members and overrides begin with the prefix of their own group, and not with that of another group", () => {
    fc.assert(
      fc.property(ws, group, group, user, (ws, one, other, user) => {
        expect(
          keys.groupMemberKey(ws, { groupId: other, userId: user }).sk.startsWith(keys.groupMemberPrefix(one)),
        ).toBe(one === other);
        expect(keys.overrideKey(ws, other, user).sk.startsWith(keys.overridePrefix(one))).toBe(one === other);
      }),
    );
  });

  it("about people have prefixes, none of which is the beginning of another", () => {
    const prefixes = [
      keys.memberPrefix,
      keys.groupPrefix,
      keys.anyGroupMemberPrefix,
      keys.schedulePrefix,
      keys.anyOverridePrefix,
      keys.policyPrefix,
    ];

    for (const one of prefixes) expect(prefixes.filter((other) => one.startsWith(other))).toEqual([one]);
  });

  it("say of which kind an item is, and when it is due", () => {
    const { isMessageKey, isEventKey, isProgressKey, parseDueTime, moveKeyToDueTime, parseHeartbeatCheckKey } = keys;
    const pk = (text: string) => ({ pk: text });
    const sk = (text: string) => ({ sk: text });

    expect(["#LINES#wh_1", "#LINES"].map((end) => isMessageKey("ws_1", pk(`WS#ws_1${end}`)))).toEqual([true, false]);
    expect(["", "#1", "S"].map((end) => isEventKey("ws_1", pk(`WS#ws_1#EVENTS${end}`)))).toEqual([true, true, false]);
    expect(["70#C", "70"].map((text) => isProgressKey(sk(text)))).toEqual([true, false]);
    expect(["CALENDAR#h", "CALENDARS"].map((text) => keys.isCalendarSecretKey(pk(text)))).toEqual([true, false]);
    expect(["TOKEN#h", "TOKENS"].map((text) => keys.isAddressKey(pk(text)))).toEqual([true, false]);
    expect(
      ["0000000000009#x", "9#x", "00000000000099#x", "#0000000000009#x", "x"].map((t) => parseDueTime(sk(t))),
    ).toEqual([9, NaN, NaN, NaN, NaN]);
    expect(moveKeyToDueTime({ pk: "P", sk: "x" }, 10)).toEqual({ pk: "P", sk: "0000000000010#x" });
    expect([keys.parseWorkspaceOfDueKey(sk("9#ws_1#x")), keys.parseWorkspaceOfDueKey(sk("x"))]).toEqual(["ws_1", ""]);
    expect(keys.parseDayOfKey(sk("DAY#2026-11-29"))).toBe("2026-11-29");
    expect(parseHeartbeatCheckKey(sk(keys.heartbeatCheckKey(9, "ws_1", "hb_1").sk))).toEqual({
      ws: "ws_1",
      id: "hb_1",
    });
    for (const text of ["ws_#hb_1", `ws_1#`, `ws_1#hb_1#x`, "hb_1#hb_1"])
      expect(parseHeartbeatCheckKey(sk(`0000000000009#${text}`))).toBeUndefined();
    expect(parseHeartbeatCheckKey(sk(`x0000000000009#ws_1#hb_1`))).toBeUndefined();
  });

  it.each([
    ["spread over", true],
    ["all in one of", false],
  ] as const)(
    "of a website's list of events are in a partition that the deletion of a workspace empties (events are %s the partitions)",
    (_, spread) => {
      expect(siteEventsPks("ws_1", "h")).toContain(keys.siteChunkKey("ws_1", "h", spread, 7).pk);
    },
  );

  it("can be parsed into the values that they were made of", () => {
    fc.assert(
      fc.property(ws, user, number, small, small, (ws, user, seq, rule, cursor) => {
        for (const key of [
          keys.eventItemKey(ws, seq, false),
          keys.eventItemKey(ws, seq, true),
          keys.packKey(ws, "0"),
          keys.memberKey(ws, user),
          keys.controlKey(ws),
        ])
          expect(keys.parseWorkspaceId(key)).toBe(ws);
        for (const key of [
          keys.eventItemKey(ws, seq, false),
          keys.eventItemKey(ws, seq, true),
          keys.progressKey(ws, seq),
        ])
          expect(keys.parseSeqOfKey(key)).toBe(seq);
        expect(keys.parseWorkspaceOfMembership(keys.membershipKey(user, ws))).toBe(ws);
        expect(keys.parseFiringKey(keys.firingKey(ws, seq, rule, cursor))).toEqual({ rule, cursor });
      }),
    );
  });
});

it("the deletion of a workspace empties every partition whose key is only the workspace's id", () => {
  const names = Object.entries(keys).flatMap(([name, pkOf]) => {
    if (!name.endsWith("Pk") || typeof pkOf !== "function" || pkOf.length !== 1) return [];
    const pk = (pkOf as (ws: string) => string)("ws_x");
    return pk.startsWith("WS#ws_x#") && !listFixedPartitions("ws_x").includes(pk) ? [name] : [];
  });

  // Other steps of the deletion empty these partitions.
  expect(names.sort()).toEqual(["calendarsPk", "devicesPk", "firstEventsPk", "invitationsPk", "peoplePk", "trailPk"]);
});
