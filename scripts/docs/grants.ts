/*
 * Lists what the service grants, counts or stores, with the same five answers for each. test/scripts/grants.test.ts
 * compares the list with the code: every kind of key, route without a session, secret and creator of a token must be in
 * one entry.
 */

type Answers = { by: string; checked: string; ends: string; counted: string; remains: string };
export type Grant = Answers & {
  name: string;
  section: "Grants and memberships" | "Links and tokens" | "Counters" | "Stored messages" | "Other items";
  /** Functions in core/store/keys.ts that build the keys. */
  keys?: string;
  /** Routes without a session, by the file of their handler. */
  routes?: string;
  /** Secrets of the stage, by their names in core/wiring.ts. */
  secrets?: string;
  /** The function that creates the token, by its export in core/. */
  makers?: string;
};

const DELETED = "the workspace's deletion";
const WITH_EVENT = "its time to live, after the plan's `retentionDays`";
const NOBODY = "not counted";
const ROOM = "a limit per workspace";

/** The parts of the configuration that remain. */
const CONFIGURATION = "person, role, membership: all of it, with an unused id; workspace: nothing";
const IDS = "person: the id; role, membership: all of it; workspace: nothing";
const NOTHING = "nothing after any of them";

export const grants: readonly Grant[] = [
  {
    name: "A membership and its role",
    section: "Grants and memberships",
    keys: "memberKey memberSetKey membershipKey userPk peoplePk",
    by: "an owner, an accepted invitation, or the operator",
    checked: "with each request, consistently",
    ends: `its removal, erasing the person, ${DELETED}`,
    counted: "5,000 per workspace",
    remains: "person, membership: entries of the audit trail with the id; role: the membership; workspace: nothing",
  },
  {
    name: "An invitation",
    section: "Grants and memberships",
    keys: "invitationsPk invitationKey invitedPk invitedKey",
    by: "an owner, or the operator",
    checked: "when listed and accepted: its creator is still an owner, the workspace exists",
    ends: `30 days, acceptance, an owner, its creator's lower role or removal, erasing the invited person, ${DELETED}`,
    counted: "500 open invitations per workspace; emails: see Counters",
    remains: NOTHING,
  },
  {
    name: "An API key",
    section: "Grants and memberships",
    keys: "apiKeysPk apiKeyKey controlKey",
    routes: "events/post-event events/ping events/post-from-source",
    makers: "newApiKeyText",
    by: "a manager",
    checked: "with each event: its hash, end and scope, in the write that admits the event",
    ends: `its deletion, \`expiresAt\`, \`DELETE /members/:userId?revoke=keys\`, ${DELETED}`,
    counted: "100 per workspace; the plan's events",
    remains: "person, role, membership: the key, because it belongs to the workspace; workspace: nothing",
  },
  {
    name: "A webhook, a connection and their delivery queues",
    section: "Grants and memberships",
    keys: "webhookKey connectionKey queuesPk queueKey dueQueuesPk dueQueueKey watchesPk watchKey",
    makers: "currentSecret",
    secrets: "webhookSecret slackSecret",
    by: "a manager; an owner if it carries the audit trail, or carried it within 30 days",
    checked: "before each message: the types that it names, the address, the Slack app's `workspaces`",
    ends: `its deletion, \`paused\`, three days without success, ${DELETED}`,
    counted: "50 of each per workspace, 10 messages a second",
    remains: `an erased person's name in Slack is removed; ${CONFIGURATION}`,
  },
  {
    name: "A Slack account of a member",
    section: "Grants and memberships",
    keys: "slackAccountsPk slackAccountKey",
    routes: "slack/take-press",
    makers: "createLinkToken",
    by: "the member, by a link that one member can use, within ten minutes",
    checked: "with each press: Slack's signature, the app's `workspaces`, the membership and, for Resolve, the role",
    ends: `the member, another member with a newer link, their removal, ${DELETED}`,
    counted: NOBODY,
    remains: "person, membership, workspace: entries of the audit trail with ids of members; role: all of it",
  },
  {
    name: "A machine",
    section: "Grants and memberships",
    by: "the operator",
    checked: "as a member; it resolves what its own key sent or a person has acknowledged",
    ends: "its removal, taking it out of `machines`",
    counted: NOBODY,
    remains: "what it configured; workspace: nothing",
  },
  {
    name: "A device, an email address or a phone number",
    section: "Grants and memberships",
    keys: "devicesPk devicesKey addressPk tokenOwnerKey phoneOwnersKey",
    by: "the member; an address and a number by a code",
    checked: "before each notification: membership, `verified`, `stopped`, who owns the address",
    ends: `its deletion, another owner, the push service, STOP, the member's removal, ${DELETED}`,
    counted: "10 per member",
    remains: "person, membership, workspace: nothing; role: all of it",
  },
  {
    name: "A calendar feed",
    section: "Links and tokens",
    keys: "calendarsPk calendarKey calendarSecretKey",
    routes: "calendars/read-calendar",
    makers: "newCalendarSecret",
    by: "a member for themselves, a manager for a group",
    checked: "with each request: the item of the feed's owner names the valid secret",
    ends: `a newer feed, its deletion, the member's removal, \`?revoke=feeds\`, ${DELETED}`,
    counted: "one for each member and each group",
    remains: "person, membership: feeds of groups; role: all of it; workspace: nothing",
  },
  {
    name: "A heartbeat's address",
    section: "Links and tokens",
    keys: "heartbeatsPk heartbeatKey heartbeatChecksPk heartbeatCheckKey",
    routes: "heartbeats/take-call",
    makers: "newCallSecret",
    by: "a manager",
    checked: "with each call",
    ends: `a newer address, its deletion, ${DELETED}`,
    counted: ROOM,
    remains: CONFIGURATION,
  },
  {
    name: "A receipt: the token in a push, an email and a call",
    section: "Links and tokens",
    routes: "receipts/take-receipt",
    secrets: "receiptSecret",
    makers: "mintReceipt",
    by: "the sender, for one device and one notification",
    checked: "with each use: key, device, membership, and to acknowledge the device's signature or the page's button",
    ends: "the device, its removal, the key's end",
    counted: NOBODY,
    remains: "nothing is stored of it",
  },
  {
    name: "The digit of a text message",
    section: "Links and tokens",
    makers: "replyDigit",
    by: "the sender, for one event",
    checked: "with each reply: a verified number of a member, an open event, a notification of the last day",
    ends: "the event's end, a day, STOP",
    counted: "20 replies a day for a number, paid by the alert's workspace",
    remains: "nothing is stored of it",
  },
  {
    name: "A code for an address or a number",
    section: "Links and tokens",
    makers: "deriveCode",
    by: "the member who adds it",
    checked: "when it is entered: five tries",
    ends: "an hour, a newer code, its use",
    counted: "see Counters",
    remains: NOTHING,
  },
  {
    name: "Keys of the stage to push services, and of the synthetic event",
    section: "Links and tokens",
    secrets: "fcmSecret vapidSecret syntheticKeySecret",
    by: "the operator",
    checked: "by the services that receive them",
    ends: "a newer key ([docs/operator.md](docs/operator.md#which-keys-are-there-and-how-are-they-changed))",
    counted: NOBODY,
    remains: "all of it, because the keys belong to the stage",
  },
  {
    name: "Codes, and emails about invitations",
    section: "Counters",
    keys: "codesKey personCountKey stageCountKey addressCodesKey invitedMailsKey phoneAnswersKey",
    by: "each code, email and reply",
    checked: "before the next one",
    ends: "the day (UTC); then its time to live",
    counted: "the address, the person, the workspace, the stage (alarm `stage-ceiling`)",
    remains: "counts without a name until their time to live; deleting something does not lower them",
  },
  {
    name: "Workspaces that a person has created",
    section: "Counters",
    keys: "creatorKey createdInMonthKey",
    by: "each creation",
    checked: "before the next one",
    ends: "the workspace's deletion lowers the total count, but not the month's",
    counted: "10 in all and 10 in a month, unless the operator allows more",
    remains: "person: nothing; workspace: its id until the month's count ends",
  },
  {
    name: "Paid messages and calls of a month",
    section: "Counters",
    keys: "paidCountKey",
    by: "each text message and call",
    checked: "before the next one",
    ends: "the month (UTC)",
    counted: "`smsMonthly` and `voiceMonthly` of a workspace",
    remains: "workspace: nothing; a new workspace counts in the month",
  },
  {
    name: "Claims: dedupeKeys, Idempotency-Keys, links from Slack that were used",
    section: "Counters",
    keys: "dedupeKey idempotencyKey",
    by: "a sender, or the member who uses the link",
    checked: "with each request that has the same value",
    ends: "its time to live",
    counted: "the plan's events",
    remains: "hashes until their time to live",
  },
  {
    name: "Pages of a person, groups of events, counts",
    section: "Counters",
    keys: "pagesKey groupedKey countedKey countsKey statisticsPk statisticsKey statisticsProgressKey resolvedKey",
    by: "the service",
    checked: "with each event or change",
    ends: WITH_EVENT,
    counted: "the plan's events",
    remains: "person: the id; membership, role: all of it; workspace: nothing",
  },
  {
    name: "Messages of webhooks and connections",
    section: "Stored messages",
    keys: "messagesPk timelineKey channelPostKey",
    by: "the service, for changes of an event, the schedule or the audit trail",
    checked: "before each attempt: the webhook currently names the message's type",
    ends: "30 days",
    counted: "1,000 in a replay",
    remains: "person: the id; role, membership: all of it; workspace: nothing",
  },
  {
    name: "Events, their notifications, notes and escalations",
    section: "Stored messages",
    keys:
      "firstEventsPk spreadEventsPks eventsPks eventKey progressKey notificationsPks packKey planPartKey escalationsPk escalationKey " +
      "firingsPk firingKey notesPk noteKey openEventsPk openEventKey openByKeyPk openByKeyKey openIndexKey heldEventsPk heldEventKey",
    by: "a sender; the service, for its notices",
    checked: "the membership with each read, and with each attempt to send",
    ends: WITH_EVENT,
    counted: "the plan's events",
    remains: "person: the id, and texts that others wrote; role, membership: all of it; workspace: nothing",
  },
  {
    name: "The audit trail",
    section: "Stored messages",
    keys: "trailPk trailKey trailHeadKey",
    by: "each change of the configuration, with the change",
    checked: "only owners read it; nobody changes it",
    ends: `400 days, ${DELETED}`,
    counted: NOBODY,
    remains: IDS,
  },
  {
    name: "Other configuration",
    section: "Other items",
    keys:
      "workspaceKey rulesPk ruleKey ruleVersionKey silenceKey groupKey groupMemberKey onCallKey overrideKey policyKey notificationRulesKey " +
      "urgentFloorKey onCallTimelinesPk onCallTimelineKey checksPk reachabilityCheckKey probesPk probeKey dueChecksPk dueCheckKey " +
      "closedMonthsPk closedMonthKey closedMonthPartKey",
    by: "a manager, or a member for themselves",
    checked: "the role with each change",
    ends: `its deletion, ${DELETED}; a member's own settings end with the member`,
    counted: ROOM,
    remains: CONFIGURATION,
  },
  {
    name: "A cover of a shift",
    section: "Other items",
    keys: "coversPk coverKey dueCoversPk dueCoverKey",
    by: "the person on call, or a manager",
    checked: "when it is taken: the taker's membership, role, other shifts and rest",
    ends: `its withdrawal, 28 days after its time, its person leaving the group, ${DELETED}`,
    counted: "100 of a group whose time is not over",
    remains: "person: entries of the audit trail with the id; role, membership: withdrawn; workspace: nothing",
  },
  {
    name: "Event types and sites",
    section: "Other items",
    keys: "eventTypesPk eventTypeKey sitesPks siteKey siteEventKey",
    by: "the events of senders",
    checked: "the membership with each read",
    ends: DELETED,
    counted: ROOM,
    remains: "person, role, membership: all of it; workspace: nothing",
  },
  {
    name: "Markers of work, numbers of events, and records of deletions",
    section: "Other items",
    keys:
      "pendingPk stepsPk eventMarkerKey stepMarkerKey leaseMarkerKey handoffMarkerKey pageMarkerKey auditPk auditKey silenceEndsPk silenceEndKey " +
      "lostPk lostKey dayKey auditedKey sweepsKey paceKey deletionsPk deletionKey deletedPk deletedKey",
    by: "the service",
    checked: "by the sweeper",
    ends: `the end of the work, ${DELETED}; the record that a workspace was deleted, 400 days`,
    counted: NOBODY,
    remains: "person: the id; workspace: the record of its deletion, with its name and who deleted it",
  },
];

const sections = [...new Set(grants.map(({ section }) => section))];
const columns = ["Made by", "Checked again", "Ended by", "Counted by", "What remains afterwards"];

/** Returns docs/grants.md, as `npm run docs:grants` writes it. */
export const grantsPage = (): string =>
  [
    "# Grants",
    "",
    "For security reviewers: all access that the service grants, what it counts, and what it keeps. `npm run docs:grants` writes this page.",
    "",
    "The last column says what remains after a person is erased, a role is lowered, a membership ends, or the workspace is deleted. " +
      '"Not counted" means that nobody can create it alone.',
    ...sections.flatMap((section) => [
      "",
      `## ${section}`,
      "",
      `| What | ${columns.join(" | ")} |`,
      `| --- |${columns.map(() => " --- |").join("")}`,
      ...grants
        .filter((grant) => grant.section === section)
        .map(
          ({ name, by, checked, ends, counted, remains }) =>
            `| ${[name, by, checked, ends, counted, remains].join(" | ")} |`,
        ),
    ]),
    "",
  ]
    .join("\n")
    .replaceAll("](docs/", "](");
