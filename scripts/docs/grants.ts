/* Lists everything that grants access. test/scripts/grants.test.ts compares the list with the code. */

type GrantAnswers = { by: string; checked: string; ends: string; counted: string; remains: string };
export type Grant = GrantAnswers & {
  name: string;
  section: "Grants and memberships" | "Links and tokens" | "Counters" | "Stored messages" | "Other items";
  /** The functions of core/store/keys.ts that return the keys. */
  keys?: string;
  /** The routes without a session, by their handler's file. */
  routes?: string;
  /** The names of the secrets in core/wiring.ts. */
  secrets?: string;
  /** The functions that create the token, by their exported names in core/. */
  makers?: string;
};

const DELETED = "the workspace's deletion";
const WITH_EVENT = "its time to live, after the plan's `retentionDays`";
const UNLIMITED = "none";
const ROOM = "[per workspace](docs/limits.md)";

const CONFIGURATION = "all of it, with the id of an erased person; nothing of a deleted workspace";
const IDS = "all of it, an erased person as an id only; nothing of a deleted workspace";
const NOTHING = "nothing";

export const grants: readonly Grant[] = [
  {
    name: "A membership and its role",
    section: "Grants and memberships",
    keys: "memberKey memberSetKey membershipKey userPk peoplePk",
    by: "an owner, an accepted invitation, or the operator",
    checked: "at each request, by a consistent read",
    ends: `the member's removal, erasing the person, ${DELETED}`,
    counted: "5,000 members per workspace",
    remains:
      "entries of the audit trail (an erased person's id); after a lower role, the membership; nothing of a deleted workspace",
  },
  {
    name: "An invitation",
    section: "Grants and memberships",
    keys: "invitationsPk invitationKey invitedPk invitedKey",
    by: "an owner, or the operator",
    checked: "when listed or accepted: the workspace exists, and the person who invited is still an owner",
    ends: `acceptance, 30 days, deletion, loss of the inviter's owner role, erasing the invited person, ${DELETED}`,
    counted: "500 open per workspace; emails: see Counters",
    remains: NOTHING,
  },
  {
    name: "An API key",
    section: "Grants and memberships",
    keys: "apiKeysPk apiKeyKey controlKey",
    routes: "events/post-event events/ping events/post-from-source",
    makers: "createApiKeyText",
    by: "a manager",
    checked: "at each event: its hash and expiry in the write that admits the event, and its scope",
    ends: `its deletion, \`expiresAt\`, \`DELETE /members/:userId?revoke=keys\`, ${DELETED}`,
    counted: "100 keys per workspace; the events that its plan allows",
    remains: "the key, because it belongs to the workspace; nothing of a deleted workspace",
  },
  {
    name: "A webhook, a connection and their delivery queues",
    section: "Grants and memberships",
    keys: "webhookKey connectionKey queuesPk queueKey dueQueuesPk dueQueueKey watchesPk watchKey",
    makers: "deriveCurrentSecret",
    secrets: "webhookSecret slackSecret",
    by: "a manager; only an owner if it delivers the audit trail, or did within the last 30 days",
    checked: "before each message: its `types`, the address, and whether the Slack app serves the workspace",
    ends: `its deletion, a pause, three days of failed deliveries, ${DELETED}`,
    counted: "50 webhooks and 50 connections per workspace; 10 messages a second each",
    remains: CONFIGURATION,
  },
  {
    name: "The dead man's switch for this service",
    section: "Grants and memberships",
    keys: "switchKey",
    by: "an owner",
    checked: "before each call: its settings, the device's signed receipt, the address",
    ends: `its removal, ${DELETED}; the calls stop when its device is removed`,
    counted: "one per workspace, a call every 5 minutes at most",
    remains: CONFIGURATION,
  },
  {
    name: "A Slack account of a member",
    section: "Grants and memberships",
    keys: "slackAccountsPk slackAccountKey",
    routes: "slack/take-press",
    makers: "createLinkToken",
    by: "the member, by a link that works once, within ten minutes",
    checked: "at each press: Slack's signature, the app, the membership and, to resolve, the role",
    ends: `the member disconnects it or is removed, another member connects it, ${DELETED}`,
    counted: UNLIMITED,
    remains: "entries of the audit trail; after a lower role, all of it",
  },
  {
    name: "A machine",
    section: "Grants and memberships",
    by: "the operator",
    checked: "as for a member; resolves only events that a key of the machine sent or a person acknowledged",
    ends: "its removal as a member, or from the stage's setting `machines`",
    counted: UNLIMITED,
    remains: "the configuration that it wrote; nothing of a deleted workspace",
  },
  {
    name: "A device, an email address or a phone number",
    section: "Grants and memberships",
    keys: "devicesPk devicesKey addressPk tokenOwnerKey phoneOwnersKey",
    by: "the member, who confirms an address or number by a code",
    checked: "before each notification: the membership, the owner, whether it is verified or has answered STOP",
    ends: `its deletion, registration by somebody else, the push service, STOP, the member's removal, ${DELETED}`,
    counted: "10 per member",
    remains: "nothing; after a lower role, all of it",
  },
  {
    name: "A calendar feed",
    section: "Links and tokens",
    keys: "calendarsPk calendarKey calendarSecretKey",
    routes: "calendars/read-calendar",
    makers: "createCalendarSecret",
    by: "a member for themselves, a manager for a group",
    checked: "at each request: the secret is that of the owner's latest feed",
    ends: `a newer feed, its deletion, the member's removal, \`?revoke=feeds\`, ${DELETED}`,
    counted: "one per member, one per group",
    remains: "the feeds of groups; after a lower role, all of them; nothing of a deleted workspace",
  },
  {
    name: "A heartbeat's URL",
    section: "Links and tokens",
    keys: "heartbeatsPk heartbeatKey heartbeatChecksPk heartbeatCheckKey",
    routes: "heartbeats/take-call",
    makers: "createCallSecret",
    by: "a manager",
    checked: "at each call",
    ends: `a newer URL, its deletion, ${DELETED}`,
    counted: ROOM,
    remains: CONFIGURATION,
  },
  {
    name: "A receipt token, which a push, an email or a call contains",
    section: "Links and tokens",
    routes: "receipts/take-receipt",
    secrets: "receiptSecret",
    makers: "createReceiptToken",
    by: "the function `sender`, for one device and one notification",
    checked: "at each use: signature, device and membership; to acknowledge, the device's own signature or a button",
    ends: "25 hours, removal of the device, a new signing key",
    counted: UNLIMITED,
    remains: "nothing, because it is not stored",
  },
  {
    name: "The digit that a reply to a text message contains",
    section: "Links and tokens",
    makers: "computeReplyDigit",
    by: "the function `sender`, for one event",
    checked: "at each reply: the number is a member's, the event is open and notified it within a day",
    ends: "resolving the event, a day, STOP",
    counted: "20 answers a day to a number; the workspace of the event pays them",
    remains: "nothing, because it is not stored",
  },
  {
    name: "A code for an address or a number",
    section: "Links and tokens",
    makers: "deriveCode",
    by: "the member who adds the address or number",
    checked: "when it is entered, at most five times",
    ends: "its use, a newer code, an hour",
    counted: "see Counters",
    remains: NOTHING,
  },
  {
    name: "The stage's keys for push services and for the synthetic event",
    section: "Links and tokens",
    secrets: "fcmSecret vapidSecret syntheticKeySecret",
    by: "the operator",
    checked: "at each request, by the service that receives it",
    ends: "a newer key ([operator.md](docs/operator.md#which-keys-are-there-and-how-are-they-changed))",
    counted: UNLIMITED,
    remains: "the keys, because they belong to the stage",
  },
  {
    name: "The number of codes, of invitation emails and of answered replies",
    section: "Counters",
    keys: "dailyCountKey personCountKey stageCountKey addressCodeCountKey addressInvitationCountKey phoneAnswerCountKey",
    by: "each code, email or answer",
    checked: "before each code, email or answer",
    ends: "the end of the day (UTC); deleted by its time to live",
    counted: "per address, person, workspace and stage (alarm `stage-ceiling`)",
    remains: "the numbers, without a name, until their time to live; no deletion lowers them",
  },
  {
    name: "The number of workspaces that a person has created",
    section: "Counters",
    keys: "createdInTotalKey createdInMonthKey",
    by: "each new workspace",
    checked: "before a workspace is created",
    ends: "never; deleting a workspace lowers the total, but not the month's number",
    counted: "10 in all and 10 in a month, unless the operator allows more",
    remains: "nothing of an erased person; the id of a deleted workspace until the month ends",
  },
  {
    name: "The number of text messages and calls in a month",
    section: "Counters",
    keys: "paidCountKey",
    by: "each text message or call",
    checked: "before each text message or call",
    ends: "the end of the month (UTC)",
    counted: "the workspace's `smsMonthly` and `voiceMonthly`",
    remains: "nothing of a deleted workspace; a new workspace counts towards its creator's month",
  },
  {
    name: "The `dedupeKey`s, Idempotency-Keys and Slack links that were used",
    section: "Counters",
    keys: "dedupeClaimKey idempotencyKey",
    by: "a sender, or the member who uses the link",
    checked: "at each request with the same value",
    ends: "its time to live",
    counted: "the events that the workspace's plan allows",
    remains: "their hashes, until their time to live",
  },
  {
    name: "A person's pages, groups of events, statistics",
    section: "Counters",
    keys: "pagesKey eventGroupKey countedEventsKey countsKey statisticsPk statisticsKey statisticsProgressKey countMarkKey",
    by: "the service",
    checked: "at each event or change",
    ends: WITH_EVENT,
    counted: "the events that the workspace's plan allows",
    remains: IDS,
  },
  {
    name: "Messages to webhooks and connections",
    section: "Stored messages",
    keys: "messagesPk timelineKey channelPostKey",
    by: "the service, for changes of an event, of the people on call, or of the configuration",
    checked: "before each attempt: the webhook still has the message's type",
    ends: "30 days",
    counted: "1,000 messages per replay",
    remains: IDS,
  },
  {
    name: "Events, their notifications, notes and escalations",
    section: "Stored messages",
    keys:
      "firstEventsPk spreadEventsPks eventsPks eventItemKey progressKey notificationsPks packKey planPartKey escalationsPk escalationKey " +
      "firingsPk firingKey notesPk noteKey openEventsPk openEventKey dedupeIndexPk dedupeIndexKey openIndexProgressKey heldEventsPk heldEventKey",
    by: "an API key; the service, for its notices",
    checked: "at each read and each attempt to send: the membership",
    ends: WITH_EVENT,
    counted: "the events that the workspace's plan allows",
    remains: "all of it, an erased person as an id and in texts by others; nothing of a deleted workspace",
  },
  {
    name: "The audit trail",
    section: "Stored messages",
    keys: "trailPk trailKey trailHeadKey",
    by: "each change of the configuration, in the same transaction",
    checked: "at each read: the role owner; nobody can change it",
    ends: `400 days, ${DELETED}`,
    counted: UNLIMITED,
    remains: IDS,
  },
  {
    name: "Other configuration",
    section: "Other items",
    keys:
      "workspaceKey rulesPk ruleKey ruleVersionKey silenceKey groupKey groupMemberKey scheduleKey overrideKey policyKey notificationRulesKey " +
      "urgentFloorKey onCallTimelinesPk onCallTimelineKey reachabilityChecksPk reachabilityCheckKey probesPk probeKey probePlanKey dueChecksPk dueCheckKey " +
      "closedMonthsPk closedMonthKey closedMonthPartKey",
    by: "a manager, or a member for themselves",
    checked: "at each change: the role",
    ends: `its deletion, the member's removal (for a member's own settings), ${DELETED}`,
    counted: ROOM,
    remains: CONFIGURATION,
  },
  {
    name: "A cover of a shift",
    section: "Other items",
    keys: "coversPk coverKey dueCoversPk dueCoverKey",
    by: "the person on call, or a manager",
    checked: "when it is taken: the membership, role, other shifts and rest of the person who takes it",
    ends: `its withdrawal, 28 days after the shift, the person leaving the group, ${DELETED}`,
    counted: "100 current and future ones per group",
    remains: "entries of the audit trail, with the id of an erased person; nothing of a deleted workspace",
  },
  {
    name: "Event types and sites",
    section: "Other items",
    keys: "eventTypesPk eventTypeKey sitesPks siteKey siteChunkKey",
    by: "the events that arrive",
    checked: "at each read: the membership",
    ends: DELETED,
    counted: ROOM,
    remains: "all of it; nothing of a deleted workspace",
  },
  {
    name: "Markers of unfinished work, numbers of events, records of deletions",
    section: "Other items",
    keys:
      "eventMarkersPk stepMarkersPk eventMarkerKey stepMarkerKey ackMarkerKey handoffMarkerKey pageMarkerKey dueAuditsPk dueAuditKey silenceEndsPk silenceEndKey " +
      "lostNumbersPk lostKey dayKey auditProgressKey sweepsKey paceKey deletionsPk deletionKey deletedPk deletedKey",
    by: "the service",
    checked: "by the sweeper",
    ends: `the end of the work, ${DELETED}; for the record of a deletion, 400 days`,
    counted: UNLIMITED,
    remains: "the id of an erased person; the record of a deletion, with the workspace's name and who deleted it",
  },
];

const sections = [...new Set(grants.map(({ section }) => section))];
const columns = ["Created by", "Checked", "Ends with", "Limit", "What remains"];

export const renderGrantsPage = (): string =>
  [
    "# Grants",
    "",
    "For security reviewers: every access that the service grants and every kind of item that it stores. `npm run docs:grants` writes this page.",
    "",
    "The last column says what remains after a person is erased, a role is lowered, a membership ends, or a workspace is deleted. " +
      'The limit "none" means that only the operator, or another item or change, can create the item.',
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
