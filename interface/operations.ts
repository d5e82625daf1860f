import { CLOUD_EVENT_TYPE } from "../core/domain/sources/cloud-event.ts";
import { auditActions, targetKinds } from "../core/domain/workspace/audit.ts";
import type { ProblemCode } from "./problems.ts";
import type { AnswerName, InputName } from "./shapes.ts";

export type QueryParameter = { name: string; description: string; schema: object; required?: boolean };

/** The documentation of an endpoint beyond its route. A name in brackets is an array of that. */
export type Operation = {
  summary: string;
  description?: string;
  query?: readonly QueryParameter[];
  body?: InputName;
  /** By their content types. */
  otherBodies?: Readonly<Record<string, InputName>>;
  /** A success other than the first has its own description. */
  answers: Readonly<
    Record<
      number,
      {
        shape: AnswerName | readonly [AnswerName] | undefined;
        /** The content type of an answer that is not JSON. */
        textType?: string;
        description: string;
      }
    >
  >;
  /** Refusals besides those that follow from authentication, a body, a path id or a query. */
  refuses?: readonly ProblemCode[];
};

const created = (shape: AnswerName, description = "Created.") => ({ 201: { shape, description } });
const ok = (shape: AnswerName, description = "As it is.") => ({ 200: { shape, description } });
const list = (shape: AnswerName, description: string) => ({ 200: { shape: [shape] as const, description } });
const gone = { 204: { shape: undefined, description: "Deleted." } };

/** An empty answer has no place for warnings. */
const nobodyLeft =
  "The header `X-Warning` names groups that nobody is left in (`group_empty; groups=...`), or where nobody is on call any " +
  "more at this moment (`nobody_on_duty; groups=...`).";

const order: QueryParameter = {
  name: "order",
  description:
    "`urgency`, with `state=open`: the most urgent event first, then the newest, without a next page by cursor.",
  schema: { type: "string", enum: ["urgency"] },
};

const filters: readonly QueryParameter[] = [
  {
    name: "title",
    description: "Only events whose title has this text in it, whatever its case.",
    schema: { type: "string", maxLength: 100 },
  },
  {
    name: "state",
    description: "Only events in this state.",
    schema: { type: "string", enum: ["none", "open", "acknowledged", "resolved", "expired"] },
  },
  { name: "outcome", description: "Only events with this outcome.", schema: { type: "string" } },
  { name: "eventKey", description: "Only events that this pattern matches, as a rule's.", schema: { type: "string" } },
  { name: "priority", description: "Only events of this priority.", schema: { type: "string" } },
  { name: "from", description: "Only events received then or later.", schema: { type: "string", format: "date-time" } },
  { name: "to", description: "Only events received then or before.", schema: { type: "string", format: "date-time" } },
  order,
];

const page: readonly QueryParameter[] = [
  {
    name: "page",
    description: "Which page, from 1 on. A page past the end is empty.",
    schema: { type: "integer", minimum: 1, default: 1 },
  },
  {
    name: "limit",
    description: "Events on a page. More than 100 is lowered to 100, and the answer's `limit` says so.",
    schema: { type: "integer", minimum: 1, default: 50 },
  },
  {
    name: "site",
    description: "Only the events that are registered to this site, at most 10,000 back.",
    schema: { type: "string", format: "uri" },
  },
];

/** For lists that may be too long for one answer: the header `Link` (rel=next) leads to the rest. */
const after = [
  {
    name: "after",
    description: "The entry after which the list goes on, as a `Link` header named it.",
    schema: { type: "string" },
  },
] as const;

const momentAsked: QueryParameter = {
  name: "at",
  description: "At which time instead of now.",
  schema: { type: "string", format: "date-time" },
};

/** For lists that grow for as long as a workspace lives. */
const cursor: QueryParameter = {
  name: "cursor",
  description: "Where the list goes on, as a `Link` header (rel=next) of it said; with the same filters.",
  schema: { type: "string" },
};

/** By the function's file, as named in the route table. */
export const operations: Readonly<Record<string, Operation>> = {
  "events/post-event": {
    summary: "Send an event",
    description:
      "Takes an event in. Rules are matched and people told after the answer: both counts are always 0. " +
      "`link` is taken for `url` where that is missing; other unknown fields are not kept, and `warnings` names them. " +
      "A CloudEvent becomes an event, too.",
    body: "EventInput",
    otherBodies: { [CLOUD_EVENT_TYPE]: "CloudEvent" },
    answers: {
      201: { shape: "EventAccepted", description: "The event is stored, and what its rules call for will be sent." },
      200: { shape: "EventDeduplicated", description: "An event with this dedupeKey came within the last 10 minutes." },
    },
    refuses: ["key_scope", "quota_exceeded", "rate_limited", "request_in_progress", "idempotency_key_reused", "busy"],
  },
  "events/post-from-source": {
    summary: "Send what a tool sends",
    description:
      "Takes the messages of a tool with a source as they are, whatever their Content-Type, and those of any other tool by the " +
      "mapping of its key: an event an alert. The API key may also come as Bearer, GenieKey, " +
      "Basic password, PagerDuty's routing_key or, made with a `source`, as the end of the path. Tools that repeat only on server errors get 503 where others get 429.",
    body: "SourcePayload",
    answers: {
      201: { shape: "EventsTaken", description: "At least one event is new." },
      200: { shape: "EventsTaken", description: "Nothing in it is a new event." },
      202: { shape: "EventsTaken", description: "As opsgenie and pagerduty answer." },
    },
    refuses: ["unauthenticated", "key_scope", "quota_exceeded", "rate_limited", "busy", "not_found"],
  },
  "events/ping": {
    summary: "Check an API key",
    description: "Says which workspace the key belongs to.",
    answers: ok("Ping", "The key is good."),
  },
  "api-keys/create-api-key": {
    summary: "Create an API key",
    description:
      "The key's text is in this answer only. A key with a `source` is valid for that tool's messages alone, and comes with a `url` that contains it, for tools that can send no header.",
    body: "ApiKeyInput",
    answers: created("ApiKeyWithText"),
    refuses: ["limit_reached"],
  },
  "api-keys/list-api-keys": {
    summary: "List API keys",
    answers: list("ApiKey", "The oldest first, without their texts."),
  },
  "api-keys/get-api-key": { summary: "Get an API key", answers: ok("ApiKey", "Without its text.") },
  "api-keys/delete-api-key": {
    summary: "Delete an API key",
    description: "The next request with the key is answered 401.",
    answers: gone,
  },
  "routing-rules/create-routing-rule": {
    summary: "Create a routing rule",
    description: "Unknown fields are refused. `warnings` says whom it does not reach.",
    body: "RoutingRuleInput",
    answers: created("RoutingRule"),
  },
  "routing-rules/list-routing-rules": {
    summary: "List routing rules",
    query: after,
    answers: list("RoutingRule", "The oldest first, each with what keeps it from telling people."),
  },
  "routing-rules/update-routing-rule": {
    summary: "Change a routing rule",
    description:
      "Only the given fields change. Unknown fields are refused, and those that cannot change where they are given otherwise " +
      "than they are: what was read may be sent back.",
    body: "RoutingRulePatch",
    answers: ok("RoutingRule", "The rule as it is afterwards."),
  },
  "routing-rules/get-routing-rule": { summary: "Get a routing rule", answers: ok("RoutingRule") },
  "routing-rules/delete-routing-rule": { summary: "Delete a routing rule", answers: gone },
  "routing-rules/test-routing-rules": {
    summary: "Try rules on an event",
    description:
      "Says of every rule, and of a draft where one is given (its `id` is null), whether it matches and whom it would " +
      "tell. Nothing is stored or sent. In a workspace of more than 500 rules those of other event keys are left out.",
    body: "DryRunInput",
    answers: ok("DryRun", "What would happen."),
  },
  "simulate/simulate-event": {
    summary: "Simulate an event",
    description:
      "Says what would happen: rules with their trace, who would be told and how each is reached, the silence that would keep it " +
      "still, and every step of each escalation with its time and its people if nobody acknowledges, on call asked at the step's own " +
      "time. Draft rules and policies take the place of those with their `id`, or stand beside all others. `at` is now " +
      "where it is missing, or the time of the event that `eventId` names. Nothing is stored or sent.",
    body: "SimulationInput",
    answers: ok("Simulation", "What would happen."),
  },
  "simulate/simulate-history": {
    summary: "Simulate rules over past events",
    description:
      "Runs draft rules over the stored events of the last `days`, at most the last 10,000, and answers the difference to the " +
      "saved rules in events and people, with examples. Both are asked at each event's own time, with the people, schedules and silences of " +
      "today. A call stops after 2,000 read units or 5 seconds; `next` is then the `before` of the call that goes on.",
    body: "HistoryInput",
    answers: ok("History", "The difference."),
  },
  "groups/create-group": { summary: "Create a group", body: "GroupInput", answers: created("Group") },
  "groups/list-groups": { summary: "List groups", query: after, answers: list("Group", "The oldest first.") },
  "groups/get-group": { summary: "Get a group", answers: ok("Group") },
  "groups/update-group": {
    summary: "Rename a group",
    body: "GroupPatch",
    answers: ok("Group", "The group as it is afterwards."),
  },
  "groups/delete-group": {
    summary: "Delete a group",
    description: "With its members, on-call schedule and overrides. Rules that name it stay, and tell nobody of it.",
    answers: gone,
  },
  "groups/list-group-members": {
    summary: "List the members of a group",
    query: after,
    answers: list("GroupMemberWithName", "Those who were added first in front."),
  },
  "groups/add-group-member": {
    summary: "Add a member to a group",
    body: "GroupMemberInput",
    answers: {
      201: { shape: "GroupMember", description: "Added." },
      200: { shape: "GroupMember", description: "The user was in the group already." },
    },
  },
  "groups/remove-group-member": {
    summary: "Remove a member from a group",
    description: `Also from its on-call schedule; the turns of the others stay as they are. ${nobodyLeft}`,
    answers: gone,
  },
  "events/list-events": {
    summary: "List events",
    query: [...page, ...filters, cursor],
    answers: ok(
      "EventPage",
      "One page, the newest event first, with a header `Link` (rel=next) where there may be more.",
    ),
  },
  "events/get-event": {
    summary: "Get an event",
    answers: ok("Event", "The event with its notifications and their status."),
  },
  "events/list-event-notifications": {
    summary: "List the notifications of an event",
    description: "In the order of the event's own list, which holds as many of them as one answer can carry.",
    query: after,
    answers: list("Notification", "With a header `Link` (rel=next) where there are more."),
  },
  "events/acknowledge-events": {
    summary: "Acknowledge events",
    description:
      "For the caller: the caller's own notifications, and each event as a whole, whoever was told. What nobody has to " +
      "acknowledge, and what is resolved, stays as it is. It ends the escalations of all of an event's rules.",
    body: "AcknowledgeInput",
    answers: list("EventLife", "The events in the order in which they were named, as they are afterwards."),
  },
  "events/resolve-event": {
    summary: "Resolve an event",
    description:
      "For good; the first time holds. Nothing escalates after it, and what was not sent yet of an event that had to be " +
      "acknowledged is not sent. A machine resolves what an API key of its own making has sent, and what a person has acknowledged.",
    body: "ResolveInput",
    refuses: ["people_only"],
    answers: ok("EventLife", "The event's life as it is afterwards."),
  },
  "events/snooze-event": {
    summary: "Snooze an event",
    description:
      "Acknowledges it for the caller until an end of one's own, whatever the policies say: `minutes` from now, or `until`. " +
      "Then it is open again, and its escalations go on with their next steps.",
    body: "SnoozeInput",
    answers: ok("EventLife", "The event's life as it is afterwards."),
    refuses: ["event_over", "nothing_to_do"],
  },
  "events/escalate-event": {
    summary: "Escalate an event now",
    description:
      "The next step of each of its escalations fires now, the steps after it keep their delays. If the event is acknowledged, " +
      "the people of that step are told, and the acknowledgement holds.",
    body: "EscalateInput",
    answers: ok("EventLife", "The event's life as it is afterwards."),
    refuses: ["event_over", "nothing_to_do", "limit_reached"],
  },
  "events/tell-event": {
    summary: "Tell more people of an event",
    description:
      "They get notifications that say who added them, and the note. Asked again, it tells again, at most 100 times an event.",
    body: "TellInput",
    answers: ok("EventLife", "The event's life as it is afterwards."),
    refuses: ["event_over", "nothing_to_do", "limit_reached"],
  },
  "events/note-event": {
    summary: "Note something on an event",
    description:
      "It stands on the event's timeline, also of one that is over. Nobody is told. An event takes 100 notes.",
    body: "NoteInput",
    answers: created("EventNote", "The note."),
    refuses: ["limit_reached"],
  },
  "events/explain-event": {
    summary: "Explain an event to a person",
    description:
      "Why a user was told of an event or was not, rule by rule, the most telling first. `basis` says whether it was " +
      "read from records or from the configuration of today.",
    query: [
      { name: "userId", description: "The user who is asked about.", schema: { type: "string" }, required: true },
    ],
    answers: ok("EventExplanation", "Rule by rule."),
  },
  "notifications/list-notifications": {
    summary: "List notifications",
    query: [
      {
        name: "limit",
        description: "How many. More than 200 is lowered to 200.",
        schema: { type: "integer", minimum: 1, default: 50 },
      },
      {
        name: "user",
        description: "`me`: only those that told the caller.",
        schema: { type: "string", enum: ["me"] },
      },
      {
        name: "state",
        description: "`open`: only those that ask for an acknowledgement, of events that are open.",
        schema: { type: "string", enum: ["open"] },
      },
      order,
      cursor,
    ],
    answers: list(
      "Notification",
      "Those of the whole workspace, the newest first, with a header `Link` (rel=next) where there may be more.",
    ),
  },
  "notifications/get-notification": {
    summary: "Get a notification and why it was sent",
    answers: ok("NotificationWhy"),
  },
  "notifications/update-notification": {
    summary: "Acknowledge a notification",
    description:
      "The app of whoever was told may also report DELIVERED and OPENED. A status only moves forward: a late lower report, or " +
      "one of a push that failed, changes nothing, and a second acknowledgement keeps the first time. An acknowledgement ends " +
      "the escalation of its event and rule.",
    body: "NotificationReport",
    answers: ok("Notification", "The notification as it is afterwards."),
    refuses: ["not_the_recipient"],
  },
  "workspaces/create-workspace": {
    summary: "Create a workspace",
    description: "The caller becomes its first member, with the name and the address that the sign-in pool has.",
    body: "WorkspaceInput",
    answers: created("WorkspaceView"),
    refuses: ["workspace_limit", "busy"],
  },
  "workspaces/list-workspaces": {
    summary: "List my workspaces",
    query: after,
    answers: list("ListedWorkspace", "The oldest first."),
  },
  "workspaces/get-workspace": { summary: "Get a workspace", answers: ok("WorkspaceView") },
  "workspaces/update-workspace": {
    summary: "Change a workspace",
    body: "WorkspacePatch",
    answers: ok("WorkspaceView", "The workspace as it is afterwards."),
  },
  "workspaces/delete-workspace": {
    summary: "Delete a workspace",
    description:
      "For good, with everything in it. Once it is answered, the workspace is in nobody's list, nobody is a member, its API keys are refused " +
      "(401). What it had is taken away in the minutes or hours after, by its size; until then an event that was accepted before may still tell somebody.",
    query: [
      {
        name: "name",
        required: true,
        description: "The workspace's name, so that no other one is deleted by mistake. Another name is answered 422.",
        schema: { type: "string" },
      },
    ],
    answers: gone,
  },
  "members/list-members": {
    summary: "List members",
    query: after,
    answers: list("ListedMember", "Those who joined first in front, each with whether a push would arrive."),
  },
  "members/get-member": {
    summary: "Get a member, with what they have made and what names them",
    description:
      "What there is to take away or to hand over when somebody leaves: keys, calendars of groups, heartbeats and webhooks that they " +
      "have made and that work on, and schedules and policies that name them. Contacts are counted, not shown.",
    answers: ok("MemberDetail"),
  },
  "invitations/create-invitation": {
    summary: "Invite somebody by e-mail address",
    description:
      "Whoever signs in with this address is asked, and joins with one press. Invited again, they are offered what is asked now, for 30 " +
      "more days. `mailed` says whether a mail has gone: only where the stage sends mail, and at most three a day to an address and 300 " +
      "for a workspace. Accounts are the operator's, or those of the single sign-on: an invitation makes none.",
    body: "InvitationInput",
    answers: {
      201: { shape: "SentInvitation", description: "Invited." },
      200: { shape: "SentInvitation", description: "The address was invited already; the invitation is as asked now." },
    },
    refuses: ["already_member", "limit_reached"],
  },
  "invitations/list-invitations": {
    summary: "List open invitations",
    query: after,
    answers: list("Invitation", "The oldest first. Those that are over are not shown."),
  },
  "invitations/delete-invitation": {
    summary: "Take an invitation back",
    answers: gone,
  },
  "invitations/list-my-invitations": {
    summary: "List what one is invited to",
    description: "The invitations to the address that the user pool has verified of the caller.",
    query: after,
    answers: list("OwnInvitation", "In no particular order."),
  },
  "invitations/accept-invitation": {
    summary: "Accept an invitation",
    description:
      "Makes the caller a member with the role and in the groups that the invitation names. Who is a member already keeps their " +
      "role. Anybody whom it is not for is answered 404.",
    answers: ok("Joined", "The workspace that the caller is a member of from now on."),
    refuses: ["not_found", "limit_reached"],
  },
  "members/add-member": {
    summary: "Add a member",
    description:
      "Somebody who is a member already gets the given name and email, and the role where one is given. Whoever is added " +
      "without a role is a manager; in a workspace from before there were roles, an owner as everybody there, until somebody's role is set.",
    body: "MemberInput",
    answers: {
      201: { shape: "Member", description: "Added." },
      200: { shape: "Member", description: "The user was a member already; name and email are as given." },
    },
    refuses: ["limit_reached", "last_owner"],
  },
  "members/update-member": {
    summary: "Give a member a role",
    description:
      "A viewer reads everything and acknowledges. A responder also resolves, snoozes, escalates, tells more people, and gives away and takes over " +
      "shifts of their own. A manager also changes rules, groups, schedules, policies, silences, heartbeats and keys. An owner " +
      "also changes members, roles and the workspace's settings. A role never decides whom events tell.",
    body: "RoleInput",
    answers: ok("Member", "The member as they are afterwards."),
    refuses: ["last_owner"],
  },
  "members/remove-member": {
    summary: "Remove a member",
    description: `Also from groups and on-call schedules, and with the devices here. Members of any role may remove themselves. ${nobodyLeft} So it does of API keys that they have made and that go on (\`keys_left; keys=...\`), and of groups whose calendar has an address that they have made, and may know for ever (\`feeds_left; groups=...\`).`,
    query: [
      {
        name: "revoke",
        description:
          "`keys` deletes the API keys that they have made, too; `feeds` closes the calendars of groups whose addresses they " +
          "have made. Both are joined by a comma. Only managers and owners may.",
        schema: { type: "string", enum: ["keys", "feeds", "keys,feeds"] },
      },
    ],
    answers: gone,
    refuses: ["last_member", "last_owner"],
  },
  "devices/register-device": {
    summary: "Register my device",
    description:
      "Done by the app whenever it starts, with exactly one address: `subscription` (what a browser's " +
      "`pushManager.subscribe` gives; endpoints of the known push services only), `fid` or `token` (of FCM). The " +
      "address is taken from any other user who has it. With `email`, or with `phone` and `ways`, a code is sent there, and " +
      "nothing else before it is verified with the code; done again, another code, at most three a day. 422 " +
      "`way_not_configured` where the stage does not send that way.",
    body: "DeviceInput",
    answers: {
      201: { shape: "Device", description: "Registered." },
      200: { shape: "Device", description: "The address was known here; the registration is renewed." },
    },
    refuses: ["limit_reached"],
  },
  "devices/verify-device": {
    summary: "Verify an e-mail address or a phone number of mine",
    description:
      "With the code that was sent to it, within an hour, and with five tries; the 422 says what is left. Done again, it is " +
      "answered the same.",
    body: "VerificationInput",
    answers: ok("Device", "The address is verified: alerts come to it from now on."),
  },
  "devices/list-devices": {
    summary: "List my devices",
    answers: list("Device", "The caller's own, the oldest first."),
  },
  "devices/get-web-push-key": {
    summary: "Get the key that browsers subscribe with",
    description:
      "The `applicationServerKey` for `pushManager.subscribe`. When a subscription has another, the browser subscribes " +
      "again: the operator has replaced the key. 404 as long as the operator has made none.",
    answers: ok("WebPushKey", "The public key, in base64url."),
    refuses: ["not_found"],
  },
  "devices/test-device": {
    summary: "Send a test to my device",
    description:
      "A push at once, by the way that alerts take. The answer says what the push service said; `lastTest.shownAt` of the " +
      "device says when the device confirmed that it was shown. Once in ten seconds for each device.",
    query: [
      {
        name: "way",
        description: "By which way a phone number is tested that has two; otherwise by its first.",
        schema: { type: "string", enum: ["sms", "voice"] },
      },
    ],
    answers: ok("DeviceTestAnswer", "The push service has answered, or not in time."),
    refuses: ["rate_limited"],
  },
  "receipts/take-receipt": {
    summary: "Confirm or acknowledge a push without a session",
    description:
      "`token` is the `receipt` of the push's data; `signature` is ECDSA (P-256, SHA-256, r and s as 64 bytes in base64url) " +
      "by the device's `receiptKey` over `token`, `status` and `at`, joined by line feeds. The token of an e-mail, which is " +
      "in the fragment of its link, needs none. Done again, it is answered the same. Everything that is not taken gets the same answer.",
    body: "ReceiptInput",
    answers: ok("ReceiptAnswer", "How the notification stands."),
  },
  "devices/delete-device": { summary: "Delete my device", answers: gone },
  "notification-rules/get-notification-rules": {
    summary: "Get my notification rules",
    description:
      "By which ways one is rung, and when. An empty list of rungs: every device at once. Nothing was put while `version` is 0. " +
      "A manager may read those of others.",
    query: [{ name: "userId", description: "Whose rules, instead of the caller's.", schema: { type: "string" } }],
    answers: ok(
      "NotificationRules",
      "The rules, the workspace's floor, and the ways on which this service tells people.",
    ),
    refuses: ["role_required", "not_found"],
  },
  "notification-rules/put-notification-rules": {
    summary: "Set my notification rules",
    description:
      "Replaces them. Each rung rings the devices of its ways so many minutes after the notification is made, the later ones only " +
      "while an acknowledgement is called for and has not come.",
    body: "NotificationRulesInput",
    answers: ok("NotificationRules", "The rules as they are afterwards, with what they will hardly do."),
  },
  "on-call/get-on-call": {
    summary: "Get the on-call schedule of a group",
    description: "404 also for a group that has none.",
    answers: ok("OnCallSchedule", "The schedule with its overrides."),
  },
  "on-call/put-on-call": {
    summary: "Set the on-call schedule of a group",
    description:
      "Where people are added to or taken from a rotation that is otherwise the same, whoever is on duty stays so: " +
      "`first` of the layer then says with whom the rotation begins.",
    body: "OnCallScheduleInput",
    answers: ok("WrittenSchedule", "The schedule as it is afterwards, with the gaps of the next weeks."),
  },
  "on-call/get-on-call-now": {
    summary: "Who is on call",
    query: [momentAsked],
    answers: ok("OnCallNow", "Those on call, and who comes next."),
  },
  "on-call/list-on-call-now": {
    summary: "Who is on call in every group",
    query: [momentAsked, ...after],
    answers: list("GroupOnCallNow", "Group by group, the oldest first."),
  },
  "on-call/list-my-shifts": {
    summary: "List my shifts",
    query: after,
    answers: list("Shift", "The caller's own of the next four weeks, the present one included, the first in front."),
  },
  "calendars/renew-my-calendar": {
    summary: "Get a new address of my calendar",
    description: "The address is in this answer only; the one before it is not found any more.",
    answers: created("CalendarAddress"),
  },
  "calendars/delete-my-calendar": { summary: "Close my calendar", answers: gone, refuses: ["not_found"] },
  "calendars/renew-group-calendar": {
    summary: "Get a new address of a group's calendar",
    description: "The address is in this answer only; the one before it is not found any more.",
    answers: created("CalendarAddress"),
  },
  "calendars/delete-group-calendar": { summary: "Close a group's calendar", answers: gone },
  "calendars/read-calendar": {
    summary: "Read a calendar",
    description: "Shifts as iCalendar (RFC 5545), for whoever knows the address.",
    answers: { 200: { shape: undefined, textType: "text/calendar", description: "The shifts." } },
    refuses: ["not_found"],
  },
  "on-call/create-override": {
    summary: "Override the on-call schedule",
    body: "OnCallOverrideInput",
    answers: created("WrittenOverride"),
    refuses: ["limit_reached"],
  },
  "on-call/delete-override": { summary: "Delete an override", description: nobodyLeft, answers: gone },
  "escalation-policies/create-escalation-policy": {
    summary: "Create an escalation policy",
    body: "EscalationPolicyInput",
    description: "`warnings` says whom its steps do not reach.",
    answers: created("WrittenEscalationPolicy"),
  },
  "escalation-policies/list-escalation-policies": {
    summary: "List escalation policies",
    query: after,
    answers: list("EscalationPolicy", "The oldest first."),
  },
  "escalation-policies/get-escalation-policy": {
    summary: "Get an escalation policy",
    answers: ok("EscalationPolicy"),
  },
  "escalation-policies/update-escalation-policy": {
    summary: "Change an escalation policy",
    description: "Escalations that are armed keep the policy as it was.",
    body: "EscalationPolicyPatch",
    answers: ok("WrittenEscalationPolicy", "The policy as it is afterwards."),
  },
  "escalation-policies/delete-escalation-policy": {
    summary: "Delete an escalation policy",
    description: "Refused while rules escalate by it, unless `force=true`: then they escalate no more.",
    query: [
      { name: "force", description: "Deletes it although rules use it.", schema: { type: "boolean", default: false } },
    ],
    answers: gone,
    refuses: ["policy_in_use"],
  },
  "silences/create-silence": {
    summary: "Create a silence",
    description:
      "Keeps still what an event that it covers would lead to. It begins now where `startsAt` is missing; `endsAt` may be " +
      "missing only where `weekly` is given. Hours of the week are read by the wall clock of their zone. With `afterwards: " +
      '"tell"`, the default, people are told when it ends of those events that call for an acknowledgement, came in the last ' +
      "24 hours and are not over. One over every event (`eventKey` `*` without conditions) needs `everything: true`. The answer " +
      "says how many of the last seven days' events it would have covered.",
    body: "SilenceInput",
    answers: created("SavedSilence"),
    refuses: ["limit_reached"],
  },
  "silences/list-silences": {
    summary: "List silences",
    query: [
      ...after,
      {
        name: "active",
        description: "`true` for those that are in force now, `false` for the others.",
        schema: { type: "boolean" },
      },
    ],
    answers: list("Silence", "The oldest first, those that are over included until they are deleted."),
  },
  "silences/get-silence": { summary: "Get a silence", answers: ok("Silence") },
  "silences/update-silence": {
    summary: "Change a silence",
    description:
      "Only the given fields change. Unknown fields, and those that cannot change, are refused. Events that it held back and " +
      "covers no more are told of within a minute.",
    body: "SilencePatch",
    answers: ok("SavedSilence", "The silence as it is afterwards."),
  },
  "silences/delete-silence": {
    summary: "Delete a silence",
    description: "Events that it held back are told of within a minute, as at its end.",
    answers: gone,
  },
  "heartbeats/create-heartbeat": {
    summary: "Create a heartbeat",
    description:
      "Gives an address to call. When no call comes for `everySeconds` and `graceSeconds`, counted from the creation on, the " +
      "event `heartbeat.missed` is made, within a minute; when it comes again, `heartbeat.resolved`. The address is in this " +
      "answer only.",
    body: "HeartbeatInput",
    answers: created("HeartbeatWithUrl"),
    refuses: ["limit_reached"],
  },
  "heartbeats/list-heartbeats": {
    summary: "List heartbeats",
    query: after,
    answers: list("Heartbeat", "The oldest first."),
  },
  "heartbeats/get-heartbeat": { summary: "Get a heartbeat", answers: ok("Heartbeat") },
  "heartbeats/update-heartbeat": {
    summary: "Change, pause or resume a heartbeat",
    description:
      "Only the given fields change. Resuming, or another interval, waits for the next call from now on; pausing forgets a " +
      "missed call, and leaves its event to people. `newUrl: true` puts a new address in the place of the old one.",
    body: "HeartbeatPatch",
    answers: ok("ChangedHeartbeat", "The heartbeat as it is afterwards, with `url` where that was asked for."),
  },
  "heartbeats/delete-heartbeat": {
    summary: "Delete a heartbeat",
    description: "Its address is not found any more. An event that it has made is left to people.",
    answers: gone,
  },
  "webhooks/create-webhook": {
    summary: "Create a webhook",
    description:
      "Tells an https address on port 443 what becomes of events, by the Standard Webhooks specification, one message after " +
      "the other in the order of their `sequence`. Left out, `types` are all and `eventKeys` any. The secret is in this answer only.",
    body: "WebhookInput",
    answers: created("WebhookWithSecret"),
    refuses: ["limit_reached"],
  },
  "webhooks/list-webhooks": { summary: "List webhooks", query: after, answers: list("Webhook", "The oldest first.") },
  "webhooks/get-webhook": { summary: "Get a webhook", answers: ok("Webhook") },
  "webhooks/update-webhook": {
    summary: "Change, pause or resume a webhook",
    description: "Only the given fields change. What waits is tried again at once, also if it was suspended.",
    body: "WebhookPatch",
    answers: ok("Webhook", "The webhook as it is afterwards."),
  },
  "webhooks/delete-webhook": { summary: "Delete a webhook", description: "What waits is not sent.", answers: gone },
  "webhooks/rotate-webhook-secret": {
    summary: "Give a webhook another secret",
    description: "For 24 hours both secrets sign. The new one is in this answer only.",
    answers: ok("WebhookWithSecret", "The webhook with its new secret."),
  },
  "webhooks/test-webhook": {
    summary: "Send a webhook a test",
    description: "At once, past what waits. If it is taken, what waits is sent, too, and a suspension ends.",
    answers: ok("WebhookTestAnswer", "What the receiver answered."),
    refuses: ["rate_limited"],
  },
  "webhooks/list-webhook-deliveries": {
    summary: "List what a webhook is sent",
    description: "Of the last 30 days: what waits, what was delivered, and what was set aside because it was refused.",
    query: [
      {
        name: "limit",
        description: "Deliveries on a page. More than 200 is lowered to 200.",
        schema: { type: "integer", minimum: 1, default: 50 },
      },
      cursor,
    ],
    answers: ok("WebhookDeliveries", "The newest first."),
  },
  "webhooks/replay-webhook": {
    summary: "Send a webhook again what it was sent",
    description:
      "What was put in line between two times, both included, at most 1,000, in its order and under its own ids.",
    body: "ReplayInput",
    answers: ok("ReplayAnswer", "How much was put in line again."),
  },
  "connections/create-connection": {
    summary: "Tie a room to rules or groups",
    description:
      "Posts events to a channel of Slack, one message for each that follows its state, or by a workflow to one of Teams, a card " +
      "for each thing that happens. Left out, `ruleIds` and `groupIds` are null: every event that tells somebody goes there. The room never changes.",
    body: "ConnectionInput",
    answers: created("Connection"),
    refuses: ["limit_reached"],
  },
  "connections/list-connections": {
    summary: "List connections",
    query: after,
    answers: list("Connection", "The oldest first."),
  },
  "connections/get-connection": { summary: "Get a connection", answers: ok("Connection") },
  "connections/update-connection": {
    summary: "Change, pause or resume a connection",
    description: "Only the given fields change. What waits is tried again at once, also if it was suspended.",
    body: "ConnectionPatch",
    answers: ok("Connection", "The connection as it is afterwards."),
  },
  "connections/delete-connection": {
    summary: "Delete a connection",
    description: "What waits is not sent; what was posted stays there.",
    answers: gone,
  },
  "connections/test-connection": {
    summary: "Post a test to a room",
    description: "At once, past what waits. If it is taken, what waits is sent, too, and a suspension ends.",
    answers: ok("WebhookTestAnswer", "What came of it."),
    refuses: ["rate_limited"],
  },
  "slack/tie-slack-account": {
    summary: "Say who one is in Slack",
    description:
      "Whoever presses a button in Slack without being tied to a member is shown a link, good for ten minutes, whose fragment " +
      "holds the token. From then on a press of that person there is the caller's.",
    body: "SlackAccountInput",
    answers: created("SlackAccount"),
  },
  "slack/untie-slack-account": {
    summary: "Untie one's account in Slack",
    description: "Also answered so where there is none.",
    answers: gone,
  },
  "slack/take-press": {
    summary: "Take a press from Slack",
    description:
      "The request URL of the Slack app: a form with `payload`, signed in X-Slack-Signature over X-Slack-Request-Timestamp, which may be " +
      "five minutes old, and the body. Everything that is not signed gets the same answer.",
    answers: ok("PressTaken", "It was taken; what came of it shows in Slack."),
    refuses: ["unauthenticated"],
  },
  "heartbeats/take-call": {
    summary: "Call as a heartbeat",
    description:
      "Says that the caller is well, by the address alone; a body is not looked at. GET does the same as POST.",
    answers: ok("HeartbeatCall", "The call was taken."),
    refuses: ["not_found"],
  },
  "event-types/list-event-types": {
    summary: "List the event keys that were seen",
    query: after,
    answers: list("EventType", "In the order of their keys."),
  },
  "event-types/get-event-type": {
    summary: "Get what is known of an event key's data",
    answers: ok("EventTypeWithFields", "The paths of `data` with their types and a few values."),
  },
  "audit/list-audit": {
    summary: "List who changed the configuration",
    description:
      "The audit trail of the last 400 days: an entry for each change of the configuration that took effect. `via` is what the " +
      "caller says of itself in the header `X-Via` (`console`, `setup_file`; `api` otherwise), and `operator` for the operator's " +
      "own commands, which have no `actor`. With a filter a page may hold fewer entries than asked for; `nextCursor` is null on " +
      "the last one.",
    query: [
      {
        name: "from",
        description: "Only entries made then or later.",
        schema: { type: "string", format: "date-time" },
      },
      { name: "to", description: "Only entries made then or before.", schema: { type: "string", format: "date-time" } },
      { name: "actor", description: "Only changes by this person, or by `operator`.", schema: { type: "string" } },
      {
        name: "action",
        description: "Only changes of this kind.",
        schema: { type: "string", enum: [...auditActions] },
      },
      {
        name: "target",
        description: `Only changes of the thing with this id, or of things of this kind: ${targetKinds.join(", ")}.`,
        schema: { type: "string" },
      },
      {
        name: "limit",
        description: "Entries on a page. More than 200 is lowered to 200.",
        schema: { type: "integer", minimum: 1, default: 50 },
      },
      cursor,
    ],
    answers: ok("AuditPage", "The newest first."),
  },
  "statistics/list-statistics": {
    summary: "List the numbers of a team",
    description:
      "By week (from Monday 00:00 UTC): how many events, how many to acknowledge, how fast they were acknowledged and resolved " +
      "in seconds, how many notifications, and how many of them at night. Counted about once an hour.",
    query: [
      {
        name: "from",
        description: "An instant in the first week; by default eleven weeks before `to`.",
        schema: { type: "string", format: "date-time" },
      },
      {
        name: "to",
        description: "An instant in the last week, at most 53 weeks later; now by default.",
        schema: { type: "string", format: "date-time" },
      },
      {
        name: "by",
        description: "`rule` or `group`: a row for each of them a week, instead of one for the workspace.",
        schema: { type: "string", enum: ["rule", "group"] },
      },
      ...after,
    ],
    answers: list("Statistics", "The oldest week first; a week without an event has no row."),
  },
  "sites/list-sites": {
    summary: "List the sites that events came from",
    query: after,
    answers: list("Site", "Those that were heard of last in front."),
  },
};
