import { basename } from "node:path";
import { expect, it } from "vitest";
import { formatPackId, type WorkspaceId } from "../../core/domain/basics/ids.ts";
import * as everyKey from "../../core/store/keys.ts";
import { keyPatterns } from "../../core/store/key-patterns.ts";
import { routes } from "../../interface/routes.ts";
import { createPolicies } from "../../local/aws/policies.ts";
import { idAt, listAt, resourcesOf, textAt } from "./support.ts";

/*
 * A function without a session may access only the kinds of items that it needs. If malicious code ran in the function, IAM would
 * still protect people, tokens, rules and all other items.
 */

const WS = ["ws_1", "ws_0123456789abcdef", `ws_${"x".repeat(64)}`] as const;
const COUNTED = { seq: 1, receivedAt: 1 };
const [FIRST = "", SECOND = ""] = [0, 1].map((pack) =>
  formatPackId({ at: 1, seq: 1, spread: false, rule: 0, cursor: 0, pack }),
);

const built = new Set<string>();
const keys = new Proxy(everyKey, {
  get: (all, name: keyof typeof everyKey) => {
    built.add(name);
    return all[name];
  },
});
const createSampleKeys = (ws: WorkspaceId): Record<string, string[]> => {
  const kinds: Record<string, (string | { pk: string })[]> = {
    workspace: [
      keys.controlKey(ws),
      keys.workspaceKey(ws),
      keys.switchKey(ws),
      keys.memberSetKey(ws),
      keys.countsKey(ws),
      keys.openIndexProgressKey(ws),
      keys.trailHeadKey(ws),
    ],
    apiKeys: [keys.apiKeysPk(ws), keys.apiKeyKey(ws, "key_1")],
    claims: [keys.dedupeClaimKey(ws, "h-_A"), keys.idempotencyKey(ws, "h-_A")],
    events: [
      keys.firstEventsPk(ws),
      ...keys.spreadEventsPks(ws, 0, 1000),
      ...keys.eventsPks(ws, 0, 1000),
      keys.eventItemKey(ws, 1, true),
      keys.progressKey(ws, 1),
    ],
    lostNumbers: [
      keys.lostNumbersPk(ws),
      keys.lostKey(ws, 1, 2),
      keys.auditProgressKey(ws),
      keys.dayKey(ws, "2026-11-21"),
    ],
    markers: [
      ...keys.shards.flatMap((shard) => [keys.eventMarkersPk(shard), keys.stepMarkersPk(shard)]),
      keys.eventMarkerKey(1, ws, "evt_1"),
      keys.stepMarkerKey(1, ws, "evt_1", 0, 0),
      keys.ackMarkerKey(1, ws, "evt_1", { work: "ask", until: 1 }),
      keys.handoffMarkerKey(1, ws, "evt_1", "usr_1"),
      keys.pageMarkerKey(1, ws, "evt_1", FIRST),
    ],
    packs: [...keys.notificationsPks(ws), keys.packKey(ws, FIRST), keys.packKey(ws, SECOND)],
    planParts: [keys.planPartKey(ws, 1, "p", 1)],
    escalations: [keys.escalationsPk(ws), keys.escalationKey(ws, 1, 0)],
    firings: [keys.firingsPk(ws), keys.firingKey(ws, 1, 0, 0)],
    grouped: [
      keys.eventGroupKey(ws, "h-_A"),
      ...[undefined, 1].map((of) => keys.countedEventsKey(ws, "h-_A", of, COUNTED)),
    ],
    pages: [keys.pagesKey(ws, "usr_1")],
    openEvents: [
      keys.openEventsPk(ws),
      keys.openEventKey(ws, 1),
      keys.dedupeIndexPk(ws, "h-_A"),
      keys.dedupeIndexKey(ws, "h-_A", 1),
    ],
    held: [keys.heldEventsPk(ws, "sil_1"), keys.heldEventKey(ws, "sil_1", 1, 1)],
    silenceEnds: [...keys.oneShard.map(keys.silenceEndsPk), keys.silenceEndKey(1, ws, "sil_1", "ended")],
    statistics: [
      keys.statisticsPk(ws),
      keys.statisticsKey(ws, "rule", "2026-11-16"),
      keys.statisticsProgressKey(ws),
      keys.countMarkKey(ws, 1),
    ],
    people: [
      keys.peoplePk(ws),
      keys.memberKey(ws, "usr_1"),
      keys.groupKey(ws, "grp_1"),
      keys.groupMemberKey(ws, { groupId: "grp_1", userId: "usr_1" }),
      keys.scheduleKey(ws, "grp_1"),
      keys.overrideKey(ws, "grp_1", "ovr_1"),
      keys.policyKey(ws, "pol_1"),
      keys.notificationRulesKey(ws, "usr_1"),
      keys.urgentFloorKey(ws),
    ],
    devices: [keys.devicesPk(ws), keys.devicesKey(ws, "usr_1")],
    codes: [keys.dailyCountKey(ws, ws, "2026-11-21")],
    textMessages: [keys.paidCountKey(ws, "sms", "2026-11")],
    calls: [keys.paidCountKey(ws, "voice", "2026-11")],
    heartbeats: [keys.heartbeatsPk(ws), keys.heartbeatKey(ws, "hb_1")],
    heartbeatChecks: [...keys.heartbeatShards.map(keys.heartbeatChecksPk), keys.heartbeatCheckKey(1, ws, "hb_1")],
    calendars: [keys.calendarsPk(ws), keys.calendarKey(ws, "usr_1"), keys.calendarSecretKey("h")],
    rules: [
      keys.rulesPk(ws),
      keys.ruleKey(ws, "rule_1"),
      keys.silenceKey(ws, "sil_1"),
      keys.webhookKey(ws, "wh_1"),
      keys.connectionKey(ws, "con_1"),
      keys.ruleVersionKey(ws, "rule_1", 1),
    ],
    webhookQueues: [
      keys.queuesPk(ws),
      keys.queueKey(ws, "wh_1"),
      keys.messagesPk(ws, "wh_1", "WAITS"),
      keys.messagesPk(ws, "wh_1", "SENT"),
    ],
    channelPosts: [keys.channelPostKey(ws, "con_1", "evt_1")],
    probes: [keys.probesPk(ws), keys.probeKey(ws, "rule_1"), keys.probePlanKey(ws)],
    slackAccounts: [keys.slackAccountsPk(ws), keys.slackAccountKey(ws, "T1", "U1")],
    dueQueues: [...keys.oneShard.map(keys.dueQueuesPk), keys.dueQueueKey(1, ws, "wh_1")],
    timelines: [keys.timelineKey(ws, "evt_1")],
    onCallTimelines: [keys.onCallTimelinesPk(ws), keys.onCallTimelineKey(ws, "grp_1")],
    reachabilityChecks: [
      keys.reachabilityChecksPk(ws),
      keys.reachabilityCheckKey(ws, { start: 1, groupId: "grp_1", userId: "usr_1" }),
    ],
    dueChecks: [...keys.oneShard.map(keys.dueChecksPk), keys.dueCheckKey(1, ws)],
    closedMonths: [
      keys.closedMonthsPk(ws),
      keys.closedMonthKey(ws, "2026-10"),
      keys.closedMonthPartKey(ws, "2026-10", "req_1", 0),
    ],
    covers: [keys.coversPk(ws), keys.coverKey(ws, "cov_1")],
    dueCovers: [...keys.oneShard.map(keys.dueCoversPk), keys.dueCoverKey(1, ws, "cov_1")],
    deletions: [keys.deletionsPk, keys.deletionKey(ws)],
    stage: [keys.stageCountKey("CODES", "2026-11-21")],
    deleted: [keys.deletedPk, keys.deletedKey(1, ws)],
    watches: [keys.watchesPk, keys.watchKey(ws)],
    notes: [keys.notesPk(ws), keys.noteKey(ws, "evt_1", 1)],
    trail: [keys.trailPk(ws), keys.trailKey(ws, 1, 1)],
    users: [
      keys.userPk("usr_1"),
      keys.createdInTotalKey("usr_1"),
      keys.createdInMonthKey("usr_1", "2026-11"),
      keys.personCountKey("usr_1", "CODES", "2026-11-21"),
      keys.membershipKey("usr_1", ws),
    ],
    tokens: [
      keys.addressPk("h"),
      keys.tokenOwnerKey("h"),
      keys.phoneOwnersKey("h"),
      keys.phoneAnswerCountKey("h", "2026-11-21"),
      keys.addressCodeCountKey("h", "2026-11-21"),
    ],
    invitations: [keys.invitationsPk(ws), keys.invitationKey(ws, "inv_1")],
    invited: [keys.invitedPk("h"), keys.invitedKey("h", ws), keys.addressInvitationCountKey("h", "2026-11-21")],
    audits: [keys.dueAuditsPk("00"), keys.dueAuditKey(1, ws), keys.sweepsKey],
    paces: [keys.paceKey("sms")],
    types: [keys.eventTypesPk(ws), keys.eventTypeKey(ws, "order.failed")],
    sites: [...keys.sitesPks(ws), keys.siteKey(ws, "h", true), keys.siteChunkKey(ws, "h", true, 1)],
  };
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, all]) => [kind, all.map((one) => (typeof one === "string" ? one : one.pk))]),
  );
};

type Statement = Parameters<typeof createPolicies>[0][number]["statements"][number];
const TABLE = "table";
const all = resourcesOf();

/** Lists a function's policy statements on the table, with `TABLE` in place of the table's ARN. */
const listTableStatements = (name: string): Statement[] => {
  const [, lambda] = all("AWS::Lambda::Function").find(([, one]) => textAt(one, "FunctionName").endsWith(`-${name}`))!;
  const [, role] = all("AWS::IAM::Role").find(([id]) => id === idAt(lambda, "Role"))!;
  const written = listAt<{ PolicyDocument: { Statement: Record<string, unknown>[] } }>(role, "Policies");
  return written
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .map((statement) => ({ ...statement, Action: [statement["Action"]].flat() as string[] }) as unknown as Statement)
    .filter(({ Action }) => Action.some((action) => action.startsWith("dynamodb:")))
    .map((statement) => ({ ...statement, Resource: [TABLE] }));
};

it("every table key that the service builds is of one of the tested kinds", () => {
  createSampleKeys("ws_1");
  const readsOne = /^(?:parse[A-Z]|is[A-Z]|dayOf)/;
  const builders = Object.keys(everyKey).filter((name) => /(?:Key|Pks?)$/.test(name) && !readsOne.test(name));

  expect(builders.filter((name) => !built.has(name))).toEqual([]);
});

const open = routes.filter(({ auth, access }) => auth !== "session" && access.table.length > 0);
const functions = new Map(open.map(({ entry, access }) => [basename(entry), access]));

it("a function that uses the table and needs no sign-in declares the kinds of items that it needs", () => {
  expect([...functions].filter(([, { keys: kinds }]) => kinds === undefined)).toEqual([]);
});

const cases = [...functions].flatMap(([name, { keys: kinds = [], table }]) =>
  Object.keys(createSampleKeys("ws_1")).map((kind) => {
    const may = kinds.some((one) => one === kind);
    return { name, kind, table, may, says: may ? "can" : "cannot" };
  }),
);

it.each(cases)('the function $name $says read or write items of the kind "$kind"', ({ name, kind, table, may }) => {
  const policies = createPolicies([{ name, statements: listTableStatements(name) }]);
  const known = WS.flatMap((ws) => createSampleKeys(ws)[kind]!);

  for (const action of table)
    for (const key of known) {
      const verdict = policies.authorize(name, `dynamodb:${action}`, TABLE, [key]);
      expect({ key, allowed: verdict.allowed }).toEqual({ key, allowed: may });
    }
});

const patterns = Object.entries(keyPatterns).map(([kind, like]) => ({ kind, like }));

it.each(patterns)('the key patterns of the kind "$kind" match exactly the keys of that kind', ({ kind, like }) => {
  const Condition = { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": [...like] } };
  const statement = { Effect: "Allow", Action: ["dynamodb:GetItem"], Resource: [TABLE], Condition } as const;
  const policies = createPolicies([{ name: kind, statements: [statement as unknown as Statement] }]);
  const taken = Object.entries(createSampleKeys("ws_1"))
    .filter(([, known]) => known.every((key) => policies.authorize(kind, "dynamodb:GetItem", TABLE, [key]).allowed))
    .map(([of]) => of);

  expect(taken).toEqual([kind]);
});

it("a request for several keys is allowed only if each of the keys is allowed", () => {
  const name = "post-event";
  const policies = createPolicies([{ name, statements: listTableStatements(name) }]);
  const [good, bad] = [keys.apiKeysPk("ws_1"), keys.peoplePk("ws_1")];

  expect(policies.authorize(name, "dynamodb:Query", TABLE, [good]).allowed).toBe(true);
  expect(policies.authorize(name, "dynamodb:Query", TABLE, [good, bad]).allowed).toBe(false);
});
