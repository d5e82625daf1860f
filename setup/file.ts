import * as v from "valibot";
import { CONNECTION_TIES_MAX, NAME_MAX_CODE_POINTS, TARGETS_MAX } from "../core/domain/basics/limits.ts";
import { nameSchema } from "../core/domain/basics/text.ts";
import { EscalationPolicyInput, stepsSchema } from "../core/domain/escalation/escalation-policy.ts";
import { EventInput, SenderName } from "../core/domain/event/event.ts";
import { ApiKeyInput } from "../core/domain/workspace/api-key.ts";
import { GroupInput } from "../core/domain/people/group.ts";
import { RoleInput } from "../core/domain/people/member.ts";
import { UrgentFloor } from "../core/domain/people/notification-rules.ts";
import {
  checkEndAfterStart,
  checkTimeOrder,
  OVERRIDES_MAX,
  overrideTimes,
  listScheduleUsers,
  scheduleFields,
} from "../core/domain/on-call/index.ts";
import { CENTS_MAX, paidFor } from "../core/domain/shifts/pay.ts";
import { wholeNumberSchema } from "../core/domain/basics/number.ts";
import { timestampSchema } from "../core/domain/basics/clock/timestamp.ts";
import { getProbeSetting } from "../core/domain/rules/routing-rule.ts";
import { RuleInput } from "../core/domain/rules/rule-input.ts";
import { SilenceInput } from "../core/domain/rules/silence-input.ts";
import { UserGroupId } from "../core/domain/on-call/user-group.ts";
import { ChannelId, CONNECTION_KINDS, KIND_MESSAGE } from "../core/domain/connection/connection.ts";
import { WebhookInput } from "../core/domain/webhook/webhook.ts";

/* A workspace's setup as a file. The fields and schemas are the API's, but the file has names instead of ids. */

const nameSchemaFor = (field: string) => nameSchema(field, NAME_MAX_CODE_POINTS);

const PERSON_MESSAGE = "A person is named by email address, such as alice@acme.example (or by user id).";
/** An email address in upper or lower case, or a user id for people without their own address. */
const Person = v.pipe(
  v.string(PERSON_MESSAGE),
  v.regex(/^(?:[^\s@]+@[^\s@]+|usr_[0-9A-Za-z]{1,64})$/, PERSON_MESSAGE),
  v.transform((person) => (person.includes("@") ? person.toLowerCase() : person)),
);

/** People who are not in the file keep their role. */
export const FilePerson = v.strictObject(
  {
    person: Person,
    ...RoleInput.entries,
    invite: v.pipe(
      v.exactOptional(v.boolean("invite must be true or false.")),
      v.description("Whether to invite this email address if no member has it."),
    ),
  },
  "A person must be an object: {person, role, invite}.",
);
export type FilePerson = v.InferOutput<typeof FilePerson>;

export const FileGroup = v.strictObject(
  {
    name: GroupInput.entries.name,
    members: v.pipe(v.array(Person, "members must be a list of people."), v.description("All members of the group.")),
  },
  "A group must be an object: {name, members}.",
);
export type FileGroup = v.InferOutput<typeof FileGroup>;

const FileOverride = v.pipe(
  v.strictObject({ person: Person, ...overrideTimes }, "An override must be an object: {person, start, end}."),
  checkTimeOrder(),
);
export type FileOverride = v.InferOutput<typeof FileOverride>;

export const FileSchedule = v.pipe(
  v.strictObject(
    {
      group: v.pipe(nameSchemaFor("group"), v.description("The group that is on call by this schedule.")),
      ...scheduleFields(Person),
      overrides: v.pipe(
        v.exactOptional(
          v.pipe(
            v.array(FileOverride, "overrides must be a list."),
            v.maxLength(OVERRIDES_MAX, `overrides must have at most ${OVERRIDES_MAX} entries.`),
          ),
        ),
        v.description(
          "All overrides that have not ended, including the overrides of covers. If left out, the overrides do not change.",
        ),
      ),
    },
    "A schedule must be an object: {group, timeZone, layers}.",
  ),
  checkEndAfterStart(),
);
export type FileSchedule = v.InferOutput<typeof FileSchedule>;

const TARGET_MESSAGE = "A target must be {group, onCallOnly?} or {user}.";
const FileTarget = v.union(
  [
    v.strictObject({
      group: nameSchemaFor("group"),
      onCallOnly: v.optional(v.boolean("onCallOnly must be true or false."), false),
    }),
    v.strictObject({ user: Person }),
  ],
  TARGET_MESSAGE,
);
export type FileTarget = v.InferOutput<typeof FileTarget>;

export const FilePolicy = v.strictObject(
  {
    name: EscalationPolicyInput.entries.name,
    repeat: EscalationPolicyInput.entries.repeat,
    confirmWithinSeconds: v.optional(EscalationPolicyInput.entries.confirmWithinSeconds, null),
    ackMinutes: v.optional(EscalationPolicyInput.entries.ackMinutes, null),
    steps: stepsSchema(FileTarget),
  },
  "An escalation policy must be an object: {name, repeat, steps}.",
);
export type FilePolicy = v.InferOutput<typeof FilePolicy>;

/** The channels that must notify people of URGENT events, and by when, whatever a person's own rules say. */
export const FileFloor = v.strictObject(
  {
    priority: v.picklist(["URGENT"], "priority must be URGENT: only this priority has minimum channels (a floor)."),
    ...UrgentFloor.wrapped.entries,
  },
  "A floor must be an object: {priority, ways, withinMinutes}.",
);
export type FileFloor = v.InferOutput<typeof FileFloor>;

export const FilePay = v.strictObject(
  {
    class: v.pipe(
      v.picklist(paidFor, `class must be one of ${paidFor.join(", ")}.`),
      v.description("What is paid: an hour on call of this class, or a page at night."),
    ),
    cents: v.pipe(wholeNumberSchema("cents", 1, CENTS_MAX), v.description("Cents for an hour, or for a page.")),
  },
  "A rate of pay must be an object: {class, cents}.",
);
export type FilePay = v.InferOutput<typeof FilePay>;

const { targets: _targets, escalationPolicyId: _policy, name, eventKey, ...ruleEntries } = RuleInput.entries;

const WrittenRule = v.strictObject(
  {
    name,
    eventKey,
    groups: v.pipe(
      v.array(nameSchemaFor("A group"), "groups must be a list of names of groups."),
      v.minLength(1, "groups must name at least one group."),
      v.maxLength(TARGETS_MAX, `groups must name at most ${TARGETS_MAX} groups.`),
      v.description("The groups that are notified."),
    ),
    ...ruleEntries,
    policy: v.pipe(
      v.optional(v.nullable(nameSchemaFor("policy")), null),
      v.description("The escalation policy that applies if nobody acknowledges."),
    ),
  },
  "A rule must be an object: {name, eventKey, groups, ...}.",
);

/** A routing rule. Fills in the default of `probe`, so that a rule without `probe` equals a rule with the default. */
export const FileRule = v.pipe(
  WrittenRule,
  v.transform((rule): v.InferOutput<typeof WrittenRule> => ({ ...rule, probe: getProbeSetting(rule) })),
);
export type FileRule = v.InferOutput<typeof FileRule>;

const { name: keyName, source, mapping, eventKeys, mayResolve } = ApiKeyInput.entries;

/** An API key. Rules use the key's name as `sender`. The file never contains the secret. */
export const FileKey = v.strictObject(
  { name: keyName, source, mapping, eventKeys, mayResolve },
  "A key must be an object: {name, source, mapping, eventKeys, mayResolve}.",
);
export type FileKey = v.InferOutput<typeof FileKey>;

/** A silence. Without `startsAt`, a new silence starts when the file is applied; an existing silence keeps its start. */
export const FileSilence = v.strictObject(SilenceInput.entries, "A silence must be an object: {name, eventKey, ...}.");
export type FileSilence = v.InferOutput<typeof FileSilence>;

/** A webhook, without its secret. */
export const FileWebhook = v.strictObject(WebhookInput.entries, "A webhook must be an object: {name, url, ...}.");
export type FileWebhook = v.InferOutput<typeof FileWebhook>;

const nameListSchema = (field: string, singular: string, description: string) =>
  v.pipe(
    v.optional(
      v.nullable(
        v.pipe(
          v.array(nameSchemaFor(`A ${singular}`), `${field} must be a list of names of ${field}.`),
          v.minLength(1, `${field} must name at least one ${singular}, or be left out.`),
          v.maxLength(CONNECTION_TIES_MAX, `${field} must name at most ${CONNECTION_TIES_MAX} ${field}.`),
          v.check((names) => new Set(names).size === names.length, `${field} must name each ${singular} once.`),
        ),
      ),
      null,
    ),
    v.description(description),
  );
const FROM_MESSAGE = "urlFrom must be the name of an environment variable, such as TEAMS_DESK_URL.";

/** A connection. A Teams URL is a secret, so the file names an environment variable that contains the URL. */
export const FileConnection = v.strictObject(
  {
    name: nameSchemaFor("name"),
    kind: v.picklist(CONNECTION_KINDS, KIND_MESSAGE),
    channel: v.pipe(v.exactOptional(ChannelId), v.description("For slack: the id of the channel.")),
    urlFrom: v.pipe(
      v.exactOptional(v.pipe(v.string(FROM_MESSAGE), v.regex(/^[A-Z_][A-Z0-9_]*$/, FROM_MESSAGE))),
      v.description("For teams: the environment variable that contains the URL when apply creates the connection."),
    ),
    userGroup: v.pipe(
      v.exactOptional(UserGroupId),
      v.description(
        "For slack_user_group: the id of the user group. Its members are the people on call in the groups.",
      ),
    ),
    rules: nameListSchema(
      "rules",
      "rule",
      "Events that match these rules are posted in the channel. Without rules and groups, every event that notifies somebody is posted.",
    ),
    groups: nameListSchema(
      "groups",
      "group",
      "Events that notify these groups are posted in the channel. For slack_user_group: the people on call in these groups are the members of the user group.",
    ),
    paused: v.optional(v.boolean("paused must be true or false."), false),
  },
  "A connection must be an object: {name, kind, ...}.",
);
export type FileConnection = v.InferOutput<typeof FileConnection>;

const NOTIFIED_MESSAGE = "must be a list of people (by email address) and groups (by name).";
const targetsSchema = (field: string) => v.array(nameSchemaFor(`An entry of ${field}`), `${field} ${NOTIFIED_MESSAGE}`);
const WITHIN_MESSAGE = "within must be a number of minutes, 0 or more.";

/** A contract states whom an event notifies if nobody acknowledges and all pushes arrive. */
export const Contract = v.strictObject(
  {
    name: nameSchemaFor("name"),
    at: v.pipe(timestampSchema("at"), v.description("The time of the event, with Z or an offset.")),
    event: EventInput,
    sender: v.pipe(
      v.exactOptional(SenderName),
      v.description("The name of the API key with which the event is sent, for rules on `sender`."),
    ),
    told: v.pipe(
      v.optional(v.union([v.literal("nobody"), targetsSchema("told")], `told ${NOTIFIED_MESSAGE} Or "nobody".`), []),
      v.description(
        "Who must be notified: people, or groups of which at least one person must be notified, or `nobody`.",
      ),
    ),
    notTold: v.pipe(
      v.optional(targetsSchema("notTold"), []),
      v.description(
        "Who must not be notified: people, or groups of which no person may be notified. This applies for `within` minutes, or for good if `within` is missing.",
      ),
    ),
    within: v.pipe(
      v.exactOptional(v.pipe(v.number(WITHIN_MESSAGE), v.minValue(0, WITHIN_MESSAGE))),
      v.description(
        "Minutes within which the people in `told` must be notified, including by escalation. If left out: at once.",
      ),
    ),
  },
  "A contract must be an object: {name, at, event, told, notTold, within}.",
);
export type Contract = v.InferOutput<typeof Contract>;

/** Returns the schema of a section of the file, which may be empty. */
const sectionSchema = <Item>(field: string, item: v.GenericSchema<unknown, Item>, description: string) =>
  v.pipe(
    v.nullish(v.array(item, `${field} must be a list.`), []),
    v.description(description),
    v.transform((items) => items ?? []),
  );

export const AlertsFile = v.strictObject(
  {
    people: sectionSchema("people", FilePerson, "The roles of members. Members who are not named keep their role."),
    groups: sectionSchema("groups", FileGroup, "Groups with their members."),
    schedules: sectionSchema("schedules", FileSchedule, "Who is on call in a group, and when."),
    policies: sectionSchema("policies", FilePolicy, "Escalation policies."),
    floors: sectionSchema(
      "floors",
      FileFloor,
      "The channels by which an alert must reach each person, and how soon, whatever the person's notification rules say.",
    ),
    pay: sectionSchema(
      "pay",
      FilePay,
      "Cents for an hour on call and for a page at night. Only owners see and change them.",
    ),
    rules: sectionSchema("rules", FileRule, "Routing rules: which event notifies which groups."),
    keys: sectionSchema(
      "keys",
      FileKey,
      "API keys. Apply creates each key with a name that the workspace does not have yet.",
    ),
    silences: sectionSchema("silences", FileSilence, "Events that notify nobody for a while."),
    webhooks: sectionSchema("webhooks", FileWebhook, "URLs that receive changes of events and of other items."),
    connections: sectionSchema("connections", FileConnection, "Slack and Microsoft Teams channels that follow events."),
    contracts: sectionSchema("contracts", Contract, "Expected outcomes, which `npm run alerts -- test` checks."),
  },
  "The file must be an object: {people, groups, schedules, policies, floors, pay, rules, keys, silences, webhooks, connections, contracts}.",
);
export type AlertsFile = v.InferOutput<typeof AlertsFile>;

/** The sections in order: entries refer only to entries of earlier sections. */
export const SECTIONS = [
  "people",
  "groups",
  "schedules",
  "policies",
  "floors",
  "pay",
  "rules",
  "keys",
  "silences",
  "webhooks",
  "connections",
  "contracts",
] as const;

export const nameFields = {
  people: "person",
  groups: "name",
  schedules: "group",
  policies: "name",
  floors: "priority",
  pay: "class",
  rules: "name",
  keys: "name",
  silences: "name",
  webhooks: "name",
  connections: "name",
  contracts: "name",
} as const satisfies Record<(typeof SECTIONS)[number], string>;

/** Returns the people in a setup without duplicates. */
export const listPeople = ({
  people = [],
  groups,
  schedules,
  policies,
}: {
  people?: readonly Pick<FilePerson, "person">[];
  groups: readonly Pick<FileGroup, "members">[];
  schedules: readonly Pick<FileSchedule, "layers" | "overrides">[];
  policies: readonly Pick<FilePolicy, "steps">[];
}): string[] => [
  ...new Set([
    ...people.map(({ person }) => person),
    ...groups.flatMap(({ members }) => members),
    ...schedules.flatMap((schedule) => [
      ...listScheduleUsers(schedule),
      ...(schedule.overrides ?? []).map(({ person }) => person),
    ]),
    ...policies.flatMap(({ steps }) =>
      steps.flatMap(({ targets }) => targets.flatMap((target) => ("user" in target ? [target.user] : []))),
    ),
  ]),
];
