import type { Mutants } from "../mutant.ts";

const lines = { test: "test/core/flow/delivery-queues.test.ts" } as const;
const receivers = { test: "test/core/flow/webhook-receivers.test.ts" } as const;
const ROOMS = "test/core/flow/connections.test.ts";
const USER_GROUPS = "test/core/flow/user-groups.test.ts";

/** Mutants of what webhooks and rooms are told, in which order, and of what they must not reach. */
export const webhookMutants: Mutants = {
  "line-without-a-lease": {
    takes: "the lease that lets one invocation at a time send from a webhook's line",
    at: ["core/store/delivery/delivery-queues.ts", "claimQueue"],
    cuts: `(attribute_not_exists(#until) OR #until <= :now) AND `,
    caughtBy: { test: "test/core/flow/held-queue.test.ts" },
  },
  "line-left-blindly": {
    takes: "the second look of whoever empties a line, when something was put in line meanwhile",
    at: ["core/flow/deliver/work-queue.ts", "empty"],
    from: "{ tries: 0 }, { asked }",
    to: "{ tries: 0 }, {}",
    caughtBy: { scenario: "room" },
  },
  "line-without-a-marker": {
    takes: "the marker by which the sweeper finds a line that waits",
    at: ["core/flow/deliver/work-queue.ts", "stop"],
    cuts: "await putDueQueue(deps, { ...ref, due });",
    caughtBy: receivers,
  },
  "told-before-it-is-in-line": {
    takes: "the order in which a story is in line before it says so",
    at: ["core/flow/deliver/record-changes.ts", "recordChanges"],
    from: "const followers = await putAll",
    to: "await setWritten(deps, ws, eventId, timeline.chapters.length);\n  const followers = await putAll",
    caughtBy: { scenario: "room" },
  },
  "late-message-forgotten": {
    takes: "the look at a line into which a slow write may still put a message",
    at: ["core/flow/deliver/enqueue.ts", "createEnqueue"],
    from: "isSlow ? [0, LATE_WRITE_SECONDS] : [0]",
    to: "[0]",
    caughtBy: { scenario: "room" },
  },
  "acknowledged-in-silence": {
    takes: "the word to webhooks of an acknowledgement from a phone",
    at: ["core/flow/respond/report-notification.ts", "endForRule"],
    cuts: "if (pack.requiresAck) await follow(deps, { workspaceId: ws, eventId: pack.eventId, plan: pack });",
    caughtBy: lines,
  },
  "not-asked-again": {
    takes: "the marker that is written again when the queue of webhooks takes nothing",
    at: ["core/flow/respond/follow.ts", "follow"],
    cuts: "await putMarker(deps, { ws, eventId, due: now + EVENT_MARKER_DUE_SECONDS * 1000, since: now, tries: 0 });",
    caughtBy: lines,
  },
  "suspended-in-silence": {
    takes: "the notice to the owners of a webhook that is suspended",
    at: ["core/flow/deliver/work-queue.ts", "stop"],
    cuts: `await notifyOwners(deps, held, { kind: "suspended", because, keptDays: MESSAGES_KEPT_DAYS, ...failure });`,
    caughtBy: receivers,
  },
  hastily: {
    takes: "the pace of ten messages a second",
    at: ["core/flow/deliver/work-queue.ts", "empty"],
    cuts: "if (next.called && pause > 0) await deps.sleep(pause);",
    caughtBy: lines,
  },
  "literal-called": {
    takes: "the look at a webhook's address right before it is called",
    at: ["core/post/post.ts", "createPost"],
    cuts: `if (webhookUrlFault(request.url, standIn) !== undefined) return { kind: "failed", code: REFUSED_URL };`,
    caughtBy: { test: "test/core/post/post.test.ts" },
  },
  "unguarded-post": {
    takes: "the guard over the look-up of a webhook's name",
    at: ["core/post/public-lookup.ts", "createPublicLookup"],
    from: "isInward(address)",
    to: "address === undefined",
    caughtBy: { test: "test/core/post/post.test.ts" },
  },
  "message-posted-again": {
    takes: "the note by what Slack knows the message of an event, without which each change is another message",
    at: ["core/flow/deliver/receivers.ts", "sendToSlack"],
    cuts: "if (ts !== undefined) await putChannelPost(deps, ref, { ts, shown: Math.max(chapters.length, sequence) });",
    caughtBy: { test: ROOMS },
  },
  "press-of-anybody": {
    takes: "the check of Slack's signature over a press",
    at: ["core/domain/connection/slack-request.ts", "signerOf"],
    from: "if (isSameText(await slackSignature(app.signingSecret, timestamp, body), signature)) return app;",
    to: "return app;",
    caughtBy: { test: ROOMS },
  },
  "press-of-last-year": {
    takes: "the age beyond which a press is not taken",
    at: ["core/domain/connection/slack-request.ts", "signerOf"],
    from: "Math.abs(nowMs - Number(timestamp) * SECOND_MS) > OLD_AFTER_MS",
    to: "Number(timestamp) === 0",
    caughtBy: { test: ROOMS },
  },
  "app-of-a-neighbour": {
    takes: "the bound of a Slack app to the workspaces that may use it",
    at: ["core/flow/respond/take-press.ts", "takePress"],
    cuts: "if (!mayUse(app, ws)) throw unsigned();",
    caughtBy: { test: ROOMS },
  },
  "channel-hastily": {
    takes: "the second between two edits in a channel",
    at: ["core/flow/deliver/receivers.ts", "connectionReceiver"],
    from: "paceMs: isTeams ? TEAMS_PACE_MS : SLACK_PACE_MS,",
    to: "paceMs: 0,",
    caughtBy: { test: ROOMS },
  },
  "user-group-with-one-in-line": {
    takes: "the second message of a user group, where the first may have been begun before somebody else came on call",
    at: ["core/flow/deliver/sync-user-groups.ts", "followOnCall"],
    from: "const [, waits]",
    to: "const [waits]",
    caughtBy: { test: USER_GROUPS },
  },
  "user-group-by-a-slower-clock": {
    takes: "the moment of the look by which a user group is filled, where the clock of whoever fills it is behind",
    at: ["core/flow/admin/fill-user-group.ts", "fillUserGroup"],
    from: "const at = Math.max(deps.now(), queuedAt);",
    to: "const at = deps.now();",
    caughtBy: { test: USER_GROUPS },
  },
  "user-group-noted-untaken": {
    takes: "the answer of Slack before a user group is known to be as it should be",
    at: ["core/flow/admin/fill-user-group.ts", "fillUserGroup"],
    from: 'if (outcome.kind === "taken") await save();',
    to: "await save();",
    caughtBy: { test: USER_GROUPS },
  },
  "user-group-of-events": {
    takes: "the difference between a room and a user group, which no event is posted to",
    at: ["core/domain/rules/rule-set.ts", "toRuleSet"],
    from: "isChatChannel(one) && goesTo(one, matched)",
    to: "goesTo(one, matched)",
    caughtBy: { test: USER_GROUPS },
  },
};
