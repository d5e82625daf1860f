import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import * as basics from "../../core/domain/basics/limits.ts";
import { LISTS_MAX_BYTES } from "../../core/domain/basics/fitting.ts";
import { EscalationPolicyInput } from "../../core/domain/escalation/escalation-policy.ts";
import { EventInput } from "../../core/domain/event/event.ts";
import { NotifyInput } from "../../core/domain/event/actions.ts";
import { AcknowledgeInput, ResolveInput } from "../../core/domain/event/lifecycle.ts";
import { HeartbeatInput } from "../../core/domain/heartbeat/heartbeat.ts";
import { ApiKeyInput } from "../../core/domain/workspace/api-key.ts";
import { DeviceInput } from "../../core/domain/device/device.ts";
import { GroupInput } from "../../core/domain/people/group.ts";
import { InvitationInput } from "../../core/domain/people/invitation.ts";
import { MemberInput } from "../../core/domain/people/member.ts";
import {
  NotificationRulesInput,
  NOTIFICATION_STEP_MINUTES_MAX,
  NOTIFICATION_STEPS_MAX,
} from "../../core/domain/people/notification-rules.ts";
import { OnCallOverrideInput, OnCallSchedule } from "../../core/domain/on-call/index.ts";
import { YEAR_MAX } from "../../core/domain/basics/clock/clock-text.ts";
import { TIME_ZONE_MAX_CHARACTERS } from "../../core/domain/basics/clock/zone.ts";
import * as onCall from "../../core/domain/on-call/limits.ts";
import { EVERY_MINUTES_MAX, SwitchInput } from "../../core/domain/heartbeat/switch.ts";
import { WorkspacePatch } from "../../core/domain/workspace/workspace.ts";
import {
  HISTORY_DAYS_MAX,
  HISTORY_EVENTS_MAX,
  HISTORY_READ_UNITS_MAX,
  HistoryInput,
} from "../../core/domain/planning/history.ts";
import * as matching from "../../core/domain/rules/matching/limits.ts";
import { GATES_MAX } from "../../core/domain/planning/plan-event.ts";
import { ACTIVE_HOURS_MAX } from "../../core/domain/rules/active-hours.ts";
import { CHAIN_POSITION_MAX } from "../../core/domain/rules/chain.ts";
import { AT_LEAST_COUNT_MAX, GROUP_FIELDS_MAX, GROUP_MINUTES_MAX } from "../../core/domain/rules/grouping.ts";
import { PROBE_HOURS_MAX } from "../../core/domain/rules/routing-rule.ts";
import { CENTS_MAX } from "../../core/domain/shifts/pay.ts";
import { Cover, COVER_TO_MAX, CoverInput } from "../../core/domain/shifts/cover.ts";
import { CHECK_MINUTES_MAX } from "../../core/domain/shifts/reachability-check.ts";
import { PAGE_LIMIT_MAX } from "../../core/domain/workspace/page-limit.ts";
import { CODE_TRIES_MAX } from "../../core/domain/device/verification.ts";
import { RuleInput } from "../../core/domain/rules/rule-input.ts";
import { SilenceInput } from "../../core/domain/rules/silence-input.ts";
import { SIMULATED_PEOPLE_MAX } from "../../core/domain/planning/timeline.ts";
import type { AuditDeps, RecordingTable } from "../../core/deps.ts";
import { createApiKey } from "../../core/store/people/api-keys.ts";
import { reserveCounts, createIncreaseOfGroupMembers } from "../../core/store/configuration/counts.ts";
import { createPolicy } from "../../core/store/rules/escalation-policies.ts";
import { ConnectionInput } from "../../core/domain/connection/connection.ts";
import { createConnection } from "../../core/store/delivery/connections.ts";
import { WebhookInput } from "../../core/domain/webhook/webhook.ts";
import { createGroup } from "../../core/store/people/groups.ts";
import { apiKeyKey, coverKey, invitationKey, memberSetKey, overrideKey, type Key } from "../../core/store/keys.ts";
import { Mapping } from "../../core/domain/basics/mapping.ts";
import { createHeartbeat } from "../../core/store/rules/heartbeats.ts";
import { saveInvitation } from "../../core/store/people/invitations.ts";
import { saveMember } from "../../core/store/people/members.ts";
import { addCover } from "../../core/store/schedules/covers.ts";
import { addOverride } from "../../core/store/schedules/on-call.ts";
import { createRule } from "../../core/store/rules/rules.ts";
import { createSilence } from "../../core/store/rules/silences.ts";
import { putItem, queryItems } from "../../core/store/table.ts";
import { createWebhook } from "../../core/store/delivery/webhooks.ts";
import { createWorkspace } from "../../core/store/people/workspaces.ts";
import { createTestClock } from "../world/clock.ts";
import { useTable } from "../world/use-table.ts";

/*
 * Checks every limit that a caller can reach: at the limit a request is accepted, above it is refused, and docs/limits.md
 * lists the limit. A constant named MAX must be in one of the lists of this file.
 */

const textOf = (length: number) => "x".repeat(length);
const listOf = <Item>(length: number, item: Item): Item[] => Array.from({ length }, () => item);

const event = { event: "a.b", title: "t", body: "b" };
const target = { type: "group", groupId: "grp_0000000000000000" };
const rule = { name: "n", eventKey: "*", targets: [target] };
const condition = { field: "title", operator: "equals", value: "x" };
const step = { delayMinutes: 1, targets: [] };
const policy = { name: "n", steps: [step] };
const layer = { start: "2026-03-02T09:00", every: 1, unit: "day", participants: ["usr_0000000000000000"] };
const schedule = { timeZone: "UTC", layers: [layer] };
const device = { platform: "ios" };
const keys = {
  p256dh: "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM",
  auth: "tBHItJI5svbpez7KI4CCXg",
};
const start = Date.UTC(2026, 0, 1);
const DAY_MS = 24 * 3_600_000;
const override = (days: number) => ({
  userId: "usr_0000000000000000",
  start: new Date(start).toISOString(),
  end: new Date(start + days * DAY_MS).toISOString(),
});
/** An override in the future, because past overrides do not count. */
const toCome = { ...override(1), start: "2050-01-01T00:00:00Z", end: "2050-01-02T00:00:00Z" };
/** Returns `{a: {a: ... 1}}` with this many levels. */
const nested = (levels: number): object => (levels === 1 ? { a: 1 } : { a: nested(levels - 1) });

type Entry = { label: string; max: number; schema: v.GenericSchema; input: (size: number) => unknown };
const ofInput = (label: string, max: number, schema: v.GenericSchema, input: (size: number) => unknown): Entry => ({
  label,
  max,
  schema,
  input,
});

/** Returns a function that describes a limit. `base`: the required fields; `createFields` returns a field of the given size. */
const ofShape =
  (schema: v.GenericSchema, base: object) => (label: string, max: number, createFields: (size: number) => object) =>
    ofInput(label, max, schema, (size) => ({ ...base, ...createFields(size) }));
const ofEvent = ofShape(EventInput, event);
const ofMapping = ofShape(Mapping, { resource: "r", title: ["t"] });
const ofPolicy = ofShape(EscalationPolicyInput, policy);
const ofRule = ofShape(RuleInput, rule);
const ofSchedule = ofShape(OnCallSchedule, schedule);
const ofWorkspace = ofShape(WorkspacePatch, {});
const ofCondition = (label: string, max: number, createFields: (size: number) => object) =>
  ofRule(label, max, (size) => ({ conditions: [{ ...condition, ...createFields(size) }] }));
const ofLayer = (label: string, max: number, createFields: (size: number) => object) =>
  ofSchedule(label, max, (size) => ({ layers: [{ ...layer, ...createFields(size) }] }));

const ofRequests: Record<string, Entry> = {
  TITLE_MAX_CODE_POINTS: ofEvent("`title`, characters", basics.TITLE_MAX_CODE_POINTS, (n) => ({
    title: "🙂".repeat(n),
  })),
  EVENT_BODY_MAX_CODE_POINTS: ofEvent("`body`, characters", basics.EVENT_BODY_MAX_CODE_POINTS, (n) => ({
    body: textOf(n),
  })),
  DETAIL_MAX_CODE_POINTS: ofEvent("`detail`, characters", basics.DETAIL_MAX_CODE_POINTS, (n) => ({
    detail: textOf(n),
  })),
  URL_MAX_CODE_POINTS: ofEvent("`url`, characters", basics.URL_MAX_CODE_POINTS, (n) => ({
    url: `https://a/${textOf(n - 10)}`,
  })),
  EVENT_KEY_MAX_CODE_POINTS: ofEvent("an event key, characters", basics.EVENT_KEY_MAX_CODE_POINTS, (n) => ({
    event: `a.${textOf(n - 2)}`,
  })),
  DEDUPE_KEY_MAX_CODE_POINTS: ofEvent(
    "`dedupeKey` and `resolves`, characters",
    basics.DEDUPE_KEY_MAX_CODE_POINTS,
    (n) => ({ dedupeKey: textOf(n) }),
  ),
  DATA_MAX_BYTES: ofEvent("bytes of `data` as JSON", basics.DATA_MAX_BYTES, (n) => ({ data: { a: textOf(n - 8) } })),
  DATA_MAX_DEPTH: ofEvent("levels of `data`", basics.DATA_MAX_DEPTH, (n) => ({ data: nested(n) })),
  NAME_MAX_CODE_POINTS: ofInput("a name, characters", basics.NAME_MAX_CODE_POINTS, GroupInput, (n) => ({
    name: textOf(n),
  })),
  EMAIL_MAX_CODE_POINTS: ofInput("an email address, characters", basics.EMAIL_MAX_CODE_POINTS, MemberInput, (n) => ({
    userId: "usr_0000000000000000",
    name: "n",
    email: `${textOf(n - 5)}@a.bc`,
  })),
  PUSH_TOKEN_MAX_CODE_POINTS: ofInput(
    "a device's token or id, characters",
    basics.PUSH_TOKEN_MAX_CODE_POINTS,
    DeviceInput,
    (n) => ({ ...device, token: textOf(n) }),
  ),
  ENDPOINT_MAX_CODE_POINTS: ofInput("the endpoint of a browser, characters", 2_048, DeviceInput, (n) => ({
    subscription: { endpoint: textOf(n), keys },
  })),
  MAPPED_PATH_MAX_CODE_POINTS: ofMapping(
    "a path of an API key's mapping, characters",
    basics.MAPPED_PATH_MAX_CODE_POINTS,
    (n) => ({ title: [textOf(n)] }),
  ),
  MAPPED_PATHS_MAX: ofMapping("paths for one field of a mapping", basics.MAPPED_PATHS_MAX, (n) => ({
    title: listOf(n, "t"),
  })),
  MAPPED_WORDS_MAX: ofMapping(
    "entries in a mapping's `priorities`, or values in `is` of one of its states",
    basics.MAPPED_WORDS_MAX,
    (n) => ({
      resolved: { path: "state", is: listOf(n, "ok") },
    }),
  ),
  INVITED_GROUPS_MAX: ofInput("groups of an invitation", basics.INVITED_GROUPS_MAX, InvitationInput, (n) => ({
    email: "a@b.example",
    groupIds: listOf(n, "grp_0000000000000000"),
  })),
  KEY_PATTERNS_MAX: ofInput("event key patterns of an API key", basics.KEY_PATTERNS_MAX, ApiKeyInput, (n) => ({
    name: "n",
    eventKeys: listOf(n, "a.b"),
  })),
  CONNECTION_TIES_MAX: ofInput(
    "rules, or groups, of a connection",
    basics.CONNECTION_TIES_MAX,
    ConnectionInput,
    (n) => ({
      name: "n",
      kind: "slack",
      channel: "C0123456789",
      ruleIds: Array.from({ length: n }, (_, nr) => `rule_${nr}`),
    }),
  ),
  TARGETS_MAX: ofRule("targets of a rule or a step", basics.TARGETS_MAX, (n) => ({ targets: listOf(n, target) })),
  CONDITIONS_MAX: ofInput("conditions of a rule or silence", matching.CONDITIONS_MAX, SilenceInput, (n) => ({
    name: "n",
    eventKey: "*",
    conditions: listOf(n, condition),
  })),
  FIELD_MAX_CODE_POINTS: ofCondition("the field of a condition, characters", matching.FIELD_MAX_CODE_POINTS, (n) => ({
    field: `data.${textOf(n - 5)}`,
  })),
  FIELD_MAX_DEPTH: ofCondition("levels of the path of a condition", matching.FIELD_MAX_DEPTH, (n) => ({
    field: `data${".a".repeat(n)}`,
  })),
  OPERAND_MAX_CODE_POINTS: ofCondition(
    "the value of a condition, characters",
    matching.OPERAND_MAX_CODE_POINTS,
    (n) => ({ value: textOf(n) }),
  ),
  LIST_OPERANDS_MAX: ofCondition("values in the list of a condition", matching.LIST_OPERANDS_MAX, (n) => ({
    operator: "one_of",
    value: listOf(n, "x"),
  })),
  REGEX_MAX_CODE_POINTS: ofCondition("a regular expression, characters", matching.REGEX_MAX_CODE_POINTS, (n) => ({
    operator: "matches_regex",
    value: textOf(n),
  })),
  REGEX_STEPS_MAX: ofInput(
    "steps that a regular expression compiles to",
    matching.REGEX_STEPS_MAX,
    RuleInput,
    // Each repetition compiles to one step, and the end of the pattern to two steps.
    (n) => ({ ...rule, conditions: [{ ...condition, operator: "matches_regex", value: `.{${n - 2}}` }] }),
  ),
  STEPS_MAX: ofPolicy("steps of an escalation policy", 20, (n) => ({ steps: listOf(n, step) })),
  DELAY_MINUTES_MAX: ofPolicy("`delayMinutes` of a step", 1_440, (n) => ({ steps: [{ ...step, delayMinutes: n }] })),
  REPEAT_MAX: ofPolicy("`repeat` of a policy", 5, (n) => ({ repeat: n })),
  CONFIRM_SECONDS_MAX: ofPolicy("`confirmWithinSeconds` of a policy", 600, (n) => ({ confirmWithinSeconds: n })),
  ACK_MINUTES_MAX: ofPolicy("`ackMinutes` of a policy", 1440, (n) => ({ ackMinutes: n })),
  EVERY_MAX_SECONDS: ofInput(
    "`everySeconds` and `graceSeconds` of a heartbeat",
    366 * 24 * 3600,
    HeartbeatInput,
    (n) => ({ name: "n", everySeconds: n, graceSeconds: n }),
  ),
  LAYERS_MAX: ofSchedule("layers of a schedule", onCall.LAYERS_MAX, (n) => ({ layers: listOf(n, layer) })),
  HOLIDAYS_MAX: ofSchedule("holidays of a schedule", onCall.HOLIDAYS_MAX, (n) => ({
    layers: [],
    holidays: listOf(n, "2026-12-25"),
  })),
  TURNS_MAX: ofLayer("turns of a layer", onCall.TURNS_MAX, (n) => ({
    participants: listOf(n, "usr_0000000000000000"),
  })),
  TURN_PEOPLE_MAX: ofLayer("people of a turn", onCall.TURN_PEOPLE_MAX, (n) => ({
    participants: [Array.from({ length: n }, (_, index) => `usr_${index}`)],
  })),
  SCHEDULE_PEOPLE_MAX: ofSchedule("people in all turns of a schedule", onCall.SCHEDULE_PEOPLE_MAX, (n) => ({
    layers: Array.from({ length: Math.ceil(n / 200) }, (_, index) => ({
      ...layer,
      participants: listOf(Math.min(200, n - index * 200), "").flatMap((_turn, number) =>
        number % 2 === 1 ? [] : [number + 1 < Math.min(200, n - index * 200) ? ["usr_a", "usr_b"] : "usr_a"],
      ),
    })),
  })),
  NOTIFICATION_STEPS_MAX: ofInput(
    "notification steps of a priority",
    NOTIFICATION_STEPS_MAX,
    NotificationRulesInput,
    (n) => ({
      rungs: { HIGH: Array.from({ length: n }, (_, index) => ({ afterMinutes: index, ways: ["push"] })) },
    }),
  ),
  NOTIFICATION_STEP_MINUTES_MAX: ofInput(
    "minutes until a notification step",
    NOTIFICATION_STEP_MINUTES_MAX,
    NotificationRulesInput,
    (n) => ({
      rungs: { HIGH: [{ afterMinutes: n, ways: ["push"] }] },
    }),
  ),
  RESTRICTIONS_MAX: ofLayer("restrictions of a layer", onCall.RESTRICTIONS_MAX, (n) => ({
    restrictions: listOf(n, { days: ["monday"], from: "09:00", to: "17:00" }),
  })),
  ACTIVE_HOURS_MAX: ofRule("active hours of a rule", ACTIVE_HOURS_MAX, (n) => ({
    activeHours: listOf(n, { days: ["monday"], from: "09:00", to: "17:00" }),
  })),
  GROUP_FIELDS_MAX: ofRule("`groupBy` fields of a rule", GROUP_FIELDS_MAX, (n) => ({
    groupBy: Array.from({ length: n }, (_, index) => `data.f${index}`),
    groupMinutes: 1,
  })),
  GROUP_MINUTES_MAX: ofRule("`groupMinutes`, and minutes of a threshold", GROUP_MINUTES_MAX, (n) => ({
    groupBy: [],
    groupMinutes: n,
  })),
  PROBE_HOURS_MAX: ofRule("`everyHours` of a rule's `probe`, at least 24", PROBE_HOURS_MAX, (everyHours) => ({
    probe: { everyHours },
  })),
  CHAIN_POSITION_MAX: ofRule("`position` of a rule in its chain", CHAIN_POSITION_MAX, (position) => ({
    chain: "desk",
    position,
  })),
  AT_LEAST_COUNT_MAX: ofRule("events of a threshold", AT_LEAST_COUNT_MAX, (n) => ({
    atLeast: { count: n, withinMinutes: 1 },
  })),
  REST_HOURS_MAX: ofSchedule("`restHours` of a schedule", onCall.REST_HOURS_MAX, (n) => ({ layers: [], restHours: n })),
  REMIND_HOURS_MAX: ofSchedule("`remindHours` of a schedule", onCall.REMIND_HOURS_MAX, (n) => ({
    layers: [],
    remindHours: n,
  })),
  COVER_TO_MAX: ofInput("people whom a cover names in `to`", COVER_TO_MAX, CoverInput, (n) => ({
    ...toCome,
    to: listOf(n, "usr_ann"),
  })),
  EVERY_MAX: ofLayer("`every` of a layer", onCall.EVERY_MAX, (n) => ({ every: n })),
  OVERRIDE_MAX_DAYS: ofInput("days of an override", onCall.OVERRIDE_MAX_DAYS, OnCallOverrideInput, override),
  HISTORY_DAYS_MAX: ofInput("days of a simulated history", HISTORY_DAYS_MAX, HistoryInput, (days) => ({
    rules: [rule],
    days,
  })),
  YEAR_MAX: ofLayer("the year of a date", YEAR_MAX, (n) => ({ start: `${n}-03-02T09:00` })),
  SNS_TOPICS_MAX: ofWorkspace("SNS topics of a workspace", 20, (n) => ({
    snsTopics: listOf(n, "arn:aws:sns:eu-central-1:123456789012:alarms"),
  })),
  PAGE_LIMIT_MAX: ofWorkspace("`loudPerTenMinutes` of a workspace", PAGE_LIMIT_MAX, (n) => ({
    loudPerTenMinutes: n,
  })),
  CENTS_MAX: ofWorkspace("cents of a rate of `pay`", CENTS_MAX, (n) => ({ pay: { night: n } })),
  CHECK_MINUTES_MAX: ofWorkspace(
    "minutes before a shift when its reachability check begins",
    CHECK_MINUTES_MAX,
    (n) => ({
      proveShifts: { minutesBefore: n },
    }),
  ),
  EVERY_MINUTES_MAX: ofInput("`everyMinutes` of a switch", EVERY_MINUTES_MAX, SwitchInput, (n) => ({
    url: "https://a.example",
    everyMinutes: n,
    deviceId: "dev_1",
  })),
  ACKNOWLEDGED_AT_ONCE_MAX: ofInput(
    "events that one request acknowledges",
    basics.ACKNOWLEDGED_AT_ONCE_MAX,
    AcknowledgeInput,
    (n) => ({ eventIds: listOf(n, "evt_1") }),
  ),
  ADDED_AT_ONCE_MAX: ofInput(
    "users and groups that one request adds to an event",
    basics.ADDED_AT_ONCE_MAX,
    NotifyInput,
    (n) => ({ userIds: listOf(n, "usr_1") }),
  ),
  NOTE_MAX_CODE_POINTS: ofInput("a note, characters", basics.NOTE_MAX_CODE_POINTS, ResolveInput, (n) => ({
    note: textOf(n),
  })),
};

describe("a request", () => {
  it.each(Object.entries(ofRequests))(
    "is accepted at the documented limit %s, and refused above it",
    (_, { max, schema, input }) => {
      expect(v.safeParse(schema, input(max)).issues?.map(({ message }) => message)).toBeUndefined();
      expect(v.safeParse(schema, input(max + 1)).success).toBe(false);
    },
  );
});

const { deps: clock } = createTestClock();
const stand = await useTable();

/** Returns a table that pretends that one key range has `count()` items, and answers everything else from the real table. */
const createTableWithCount = (prefix: string, count: () => number): RecordingTable => {
  const { send } = stand.table.client;
  const keys = () => Array.from({ length: count() }, (_, index) => ({ pk: "p", sk: `${prefix}${index}` }));
  const answer = async (command: { constructor: { name: string }; input: { ExpressionAttributeValues?: object } }) =>
    command.constructor.name === "QueryCommand" &&
    Object.values(command.input.ExpressionAttributeValues ?? {}).includes(prefix)
      ? { Items: keys() }
      : send(command as never);
  return { ...stand.table, client: { send: answer as typeof send } };
};

type Maker = (deps: AuditDeps<"newId">, ws: WorkspaceId) => Promise<unknown>;
/** A limit of items, which are counted by the prefix of their keys. */
const limitByPrefix = (label: string, max: number, prefix: string, make: Maker) => ({ label, max, prefix, make });
const counted = {
  RULES_MAX: limitByPrefix("routing rules", basics.RULES_MAX, "rule_", (deps, ws) =>
    createRule(deps, ws, v.parse(RuleInput, rule)),
  ),
  GROUPS_MAX: limitByPrefix("groups", basics.GROUPS_MAX, "GROUP#", (deps, ws) => createGroup(deps, ws, "n")),
  POLICIES_MAX: limitByPrefix("escalation policies", basics.POLICIES_MAX, "POLICY#", (deps, ws) =>
    createPolicy(deps, ws, v.parse(EscalationPolicyInput, policy)),
  ),
  SILENCES_MAX: limitByPrefix("silences", basics.SILENCES_MAX, "sil_", (deps, ws) =>
    createSilence(deps, ws, v.parse(SilenceInput, { name: "n", eventKey: "a.b", endsAt: "2090-01-01T00:00:00Z" })),
  ),
  HEARTBEATS_MAX: limitByPrefix("heartbeats", basics.HEARTBEATS_MAX, "hb_", (deps, ws) =>
    createHeartbeat(deps, ws, v.parse(HeartbeatInput, { name: "n", everySeconds: 60 })),
  ),
  CONNECTIONS_MAX: limitByPrefix("connections", basics.CONNECTIONS_MAX, "con_", (deps, ws) =>
    createConnection(deps, ws, v.parse(ConnectionInput, { name: "n", kind: "slack", channel: "C0123456789" })),
  ),
  WEBHOOKS_MAX: limitByPrefix("webhooks", basics.WEBHOOKS_MAX, "wh_", (deps, ws) =>
    createWebhook(deps, ws, v.parse(WebhookInput, { name: "n", url: "https://a.example.com" })),
  ),
  GROUP_MEMBERS_MAX: limitByPrefix("members of all groups together", basics.GROUP_MEMBERS_MAX, "IN#", (deps, ws) =>
    reserveCounts(deps, ws, createIncreaseOfGroupMembers(deps, ws)),
  ),
};
/** A limit of items that this test stores directly, under `key` with a number appended. */
const limitByKey = (label: string, max: number, key: (ws: WorkspaceId) => Key, make: Maker) => ({
  label,
  max,
  key,
  make,
});
const created = {
  API_KEYS_MAX: limitByKey(
    "API keys",
    basics.API_KEYS_MAX,
    (ws) => apiKeyKey(ws, "key_"),
    (deps, ws) => createApiKey(deps, ws, { name: "n" }),
  ),
  INVITATIONS_MAX: limitByKey(
    "open invitations",
    basics.INVITATIONS_MAX,
    (ws) => invitationKey(ws, "inv_"),
    (deps, ws) => saveInvitation(deps, ws, { email: `${deps.newId("req")}@b.example`, role: "viewer", groupIds: [] }),
  ),
  COVERS_MAX: limitByKey(
    "current and future covers of a group",
    onCall.COVERS_MAX,
    (ws) => coverKey(ws, "cov_"),
    (deps, ws) =>
      addCover(
        deps,
        ws,
        v.parse(Cover, {
          ...toCome,
          id: "",
          userId: deps.newId("usr"),
          groupId: target.groupId,
          state: "open",
          createdAt: toCome.start,
          createdBy: "usr_ann",
          asked: [],
        }),
      ),
  ),
  OVERRIDES_MAX: limitByKey(
    "overrides of a group",
    onCall.OVERRIDES_MAX,
    (ws) => overrideKey(ws, target.groupId, "ovr_"),
    (deps, ws) => addOverride(deps, ws, target.groupId, v.parse(OnCallOverrideInput, toCome)),
  ),
};

describe("a workspace", () => {
  let count = 0;
  const newWorkspace = async () => {
    const id = `ws_limits${(count += 1)}` as const;
    const creator = { userId: "usr_ann", name: "Ann", email: "ann@acme.example" };
    await createWorkspace({ ...clock, table: stand.table }, { id, name: "Acme", creator });
    return id;
  };
  const limitReached = (max: number) => ({
    kind: "limit_reached",
    message: expect.stringContaining(`at most ${max} `) as string,
  });

  it.each(Object.entries(counted))(
    "refuses one item above the documented limit %s",
    async (_, { max, prefix, make }) => {
      let there = max - 1;
      const deps = { ...clock, table: createTableWithCount(prefix, () => there) };
      const ws = await newWorkspace();

      await make(deps, ws);
      there = max;
      await expect(make(deps, ws)).rejects.toMatchObject(limitReached(max));
    },
  );

  it.each(Object.entries(created))(
    "refuses to create one item above the documented limit %s",
    async (_, { max, key, make }) => {
      const deps = { ...clock, table: stand.table };
      const ws = await newWorkspace();
      const { pk, sk } = key(ws);
      await make(deps, ws);
      const [one] = await queryItems(stand, { pk, prefix: sk }, v.looseObject({}));
      await stand.fill(Array.from({ length: max - 2 }, (__, index) => ({ ...one, pk, sk: `${sk}${index}` })));

      await make(deps, ws);
      await expect(make(deps, ws)).rejects.toMatchObject(limitReached(max));
    },
  );

  it("refuses one member above the documented limit MEMBERS_MAX", async () => {
    const deps = { ...clock, table: stand.table };
    const ws = await newWorkspace();
    const users = Array.from({ length: basics.MEMBERS_MAX - 1 }, (_, index) => `usr_${index}`);
    await putItem(stand, memberSetKey(ws), { users: new Set(users) });
    const addMember = (userId: string) => saveMember(deps, ws, { userId, name: "n", email: "" });

    await addMember("usr_last");
    await expect(addMember("usr_late")).rejects.toMatchObject(limitReached(basics.MEMBERS_MAX));
    await expect(addMember("usr_last")).resolves.toMatchObject({ kind: "updated" });
  });
});

/** Limits that callers can reach, and that other tests check. */
const elsewhere: Record<string, { label: string; max: number }> = {
  BODY_MAX_BYTES: { label: "bytes of a body", max: basics.BODY_MAX_BYTES },
  IDEMPOTENCY_KEY_MAX_CODE_POINTS: {
    label: "`Idempotency-Key`, characters",
    max: basics.IDEMPOTENCY_KEY_MAX_CODE_POINTS,
  },
  NUMBER_MAX_DIGITS: { label: "digits of a number", max: basics.NUMBER_MAX_DIGITS },
  TIME_ZONE_MAX_CHARACTERS: { label: "a time zone, characters", max: TIME_ZONE_MAX_CHARACTERS },
  SITE_LIST_DEPTH_MAX: { label: "newest events of a site that page numbers reach", max: basics.SITE_LIST_DEPTH_MAX },
  DEVICES_PER_USER_MAX: { label: "devices of a user", max: basics.DEVICES_PER_USER_MAX },
  PATTERNS_UNITS_MAX: {
    label: "units to compile all different regular expressions",
    max: matching.PATTERNS_UNITS_MAX,
  },
  CONDITIONS_MAX_BYTES: {
    label: "bytes of the conditions of all rules and silences",
    max: basics.CONDITIONS_MAX_BYTES,
  },
  EVENT_NOTIFICATIONS_MAX: { label: "notifications that one event can lead to", max: basics.EVENT_NOTIFICATIONS_MAX },
  WORKSPACES_MADE_MAX: { label: "workspaces that one person creates", max: basics.WORKSPACES_MADE_MAX },
  MEMBERS_MAX: { label: "members", max: basics.MEMBERS_MAX },
  LISTS_MAX_BYTES: { label: "bytes of an answer's lists", max: LISTS_MAX_BYTES },
  EVENTS_PAGE_MAX: { label: "events of a page", max: basics.EVENTS_PAGE_MAX },
  URGENT_PAGE_MAX: { label: "open events of a page by urgency", max: basics.URGENT_PAGE_MAX },
  NOTIFICATIONS_MAX: { label: "notifications of a page", max: basics.NOTIFICATIONS_MAX },
  EVENTS_SEARCHED_MAX: { label: "events that a filtered list looks through", max: basics.EVENTS_SEARCHED_MAX },
  AUDIT_SEARCHED_MAX: {
    label: "entries of the audit trail that one page looks through",
    max: basics.AUDIT_SEARCHED_MAX,
  },
  STATISTICS_WEEKS_MAX: {
    label: "weeks of statistics, or of an on-call report, in one answer",
    max: basics.STATISTICS_WEEKS_MAX,
  },
  NOTIFICATIONS_SEARCHED_MAX: {
    label: "notifications that a page with `user` looks through",
    max: basics.NOTIFICATIONS_SEARCHED_MAX,
  },
  HISTORY_EVENTS_MAX: { label: "events of a simulated history", max: HISTORY_EVENTS_MAX },
  HISTORY_READ_UNITS_MAX: { label: "read units of one call for a simulated history", max: HISTORY_READ_UNITS_MAX },
  SIMULATED_PEOPLE_MAX: { label: "people of a simulation whose devices are looked up", max: SIMULATED_PEOPLE_MAX },
  DRY_RUN_RULES_MAX: { label: "rules of a dry run", max: basics.DRY_RUN_RULES_MAX },
  EXPLAINED_RULES_MAX: { label: "rules of an explanation that did not match", max: basics.EXPLAINED_RULES_MAX },
  EXPLAINED_MATCHES_MAX: { label: "rules of an explanation that matched", max: basics.EXPLAINED_MATCHES_MAX },
  GATES_MAX: { label: "rules with groups or thresholds for one event", max: GATES_MAX },
  HELD_NOTIFIED_MAX: { label: "events that notify when a silence ends", max: basics.HELD_NOTIFIED_MAX },
  COVERED_EVENTS_MAX: {
    label: "events that a silence is compared with when it is saved",
    max: basics.COVERED_EVENTS_MAX,
  },
  INCUMBENTS_MAX: { label: "messages of the old service that an event keeps", max: basics.INCUMBENTS_MAX },
  INCUMBENT_EVENTS_SEARCHED_MAX: {
    label: "events that are searched for a message of the old service",
    max: basics.INCUMBENT_EVENTS_SEARCHED_MAX,
  },
  SHADOW_DAYS_MAX: { label: "days until the end of a shadow", max: basics.SHADOW_DAYS_MAX },
  SHADOW_PAGES_MAX: { label: "pages that an event of a shadow lists", max: basics.SHADOW_PAGES_MAX },
  REPLAYED_MAX: { label: "messages of a webhook that one request sends again", max: basics.REPLAYED_MAX },
  CODE_TRIES_MAX: { label: "attempts to enter a code", max: CODE_TRIES_MAX },
  ADDITIONS_MAX: { label: "requests that add people to an event", max: basics.ADDITIONS_MAX },
  NOTES_MAX: { label: "notes on an event", max: basics.NOTES_MAX },
  TYPE_FIELDS_MAX: { label: "fields that an event type remembers", max: basics.TYPE_FIELDS_MAX },
  FIELD_SAMPLES_MAX: { label: "sample values of a field", max: basics.FIELD_SAMPLES_MAX },
  SAMPLE_MAX_CODE_POINTS: { label: "a sample value, characters", max: basics.SAMPLE_MAX_CODE_POINTS },
};

/** Limits of internal work, which no caller can reach. */
const within = new Set([
  "PACK_RECIPIENTS_MAX",
  "UNKNOWN_FIELDS_MAX",
  "PART_PACKS_MAX",
  "PART_RULES_MAX_BYTES",
  "PUSH_RETRY_MAX_MS",
  "REGEX_POOL_MAX_BYTES",
  "REGEX_STATES_MAX_BYTES",
  "OCCURRENCES_MAX",
  "GAPS_MAX",
  // The maximum for the retention that an operator sets.
  "RETENTION_DAYS_MAX",
  // A title is cut to this length in a phone call.
  "TITLE_MAX_BYTES",
  // The hours of a preview's chart, which are four weeks.
  "HOURS_MAX",
  // A probe sends pushes to at most these numbers of people of a rule and of an escalation step.
  "RECIPIENTS_MAX",
  "STEP_PEOPLE_MAX",
  // A sweep starts this many probes, and the next sweep starts further ones.
  "STARTS_MAX",
  // A push is cut to this size.
  "PUSH_MAX_BYTES",
  "PUSH_SITE_NAME_MAX_BYTES",
  "APNS_COLLAPSE_ID_MAX_BYTES",
  "WEB_PUSH_TOPIC_MAX_CHARACTERS",
  "WEB_PUSH_MAX_BYTES",
  "NAME_MAX_CHARACTERS",
  "NUMBER_MAX",
  "UNKNOWNS_MAX",
  "WARNINGS_MAX",
  "SCAN_MAX",
  // An answer shows this many recipients, and counts all other recipients.
  "TIMELINE_RECIPIENTS_MAX",
  "EXAMPLES_MAX",
  "EXAMPLE_PEOPLE_MAX",
  "EXAMPLE_RULES_MAX",
  "KNOWN_KEYS_MAX",
  "SEARCH_MAX",
  "PERIODS_KEPT_MAX",
  "ZONES_KEPT_MAX",
  "QUOTA_PAUSE_MAX_MS",
  "EVENTS_MAX",
  "LINE_MAX_BYTES",
  // Messages of other tools are cut to these limits, with a warning.
  "DATA_KEY_MAX_CODE_POINTS",
  "DATA_TEXT_MAX_CODE_POINTS",
  "DATA_FIELDS_MAX",
  "DATA_LEVELS_MAX",
]);

describe("docs/limits.md", () => {
  const root = join(import.meta.dirname, "../..");
  const page = readFileSync(join(root, "docs/limits.md"), "utf8");
  const rows = new Map(
    [...page.matchAll(/^- (.+): ([\d,]+)(?:;.+)?$/gm)].map(([, what = "", max = ""]) => [what, max]),
  );
  const all = { ...ofRequests, ...counted, ...created, ...elsewhere };

  it("has every limit that a caller can reach, with its value, and no other limit", () => {
    const expected = Object.values(all).map(({ label, max }) => [label, max.toLocaleString("en-US")]);

    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(expected));
  });

  it("leaves out no limit of the source code", () => {
    const named = globSync("core/domain/**/*.ts", { cwd: root }).flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/const (\w*_MAX(?:_\w+)?|MAX_\w+) =/g)].map(
        ([, name]) => name ?? "",
      ),
    );

    expect([...new Set(named)].filter((name) => !(name in all) && !within.has(name))).toEqual([]);
    expect([...Object.keys(all), ...within].filter((name) => !named.includes(name))).toEqual([]);
  });
});
