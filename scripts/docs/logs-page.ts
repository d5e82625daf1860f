import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { metrics, metricsNamespace } from "../../core/wiring.ts";

const root = join(import.meta.dirname, "../..");

/** The meaning of each code's log lines. */
const meanings: Readonly<Record<string, string>> = {
  "batch.dropped": "A message could not be processed because its workspace was deleted; it is done with.",
  "batch.not_sooner":
    "The queue did not take when a message that failed is to come again; it comes after its visibility timeout.",
  "batch.record_failed": "A message could not be processed; it comes again, and ends up in the dead-letter queue.",
  "pack.not_checked":
    "After a wait for its turn it could not be checked whether a message is still needed; it comes again.",
  "channel.behind":
    "Something waits for `seconds` for its turn on a channel (`way`), because of the pace of the stage.",
  "channel.not_booked":
    "A message that AWS was too slow for could not be given a turn; it is tried again as any other.",
  "channel.refused":
    "AWS refused messages on a channel (`way`, `count`) because a `limit` is reached: rate, busy or quota.",
  "device.foreign":
    "A push service takes no push for a device, because it was registered with another sender's keys or project; its owner must register it anew.",
  "device.not_told":
    "The notice that a device must be registered anew could not be made; the next push to it that is refused makes it.",
  "shift.proven": "Whoever comes on call has confirmed that they can be reached.",
  "shift.unproven": "Whoever comes on call has confirmed nothing; the one before and the managers are told.",
  "contact.event":
    "A service has said what became of a message that it had taken, by its own `code`; `known`: to a verified address of a member, by a token of ours.",
  "sms.reply": "A text message came from a phone: a digit, STOP or something else, of so many `people`.",
  "sms.reply_late":
    "An answer was taken late, from the dead-letter queue: it came from the phone (`sentAt`) before the alert was sent, and acknowledged nothing.",
  "budget.not_settled": "Text messages or calls (`way`, `count`) that were not sent stay counted in the month.",
  "budget.used_up": "A workspace's text messages or calls (`way`) of this month are used up; its owners are told.",
  "budget.not_told":
    "The owners could not be told that a budget is used up; the next message that is not sent tells them.",
  "voice.press": "A key was pressed in a call; `known`: by whoever was called, whose number it still is.",
  "device.code": "A code was sent to a contact; `outcome` is the service's answer.",
  "device.tested": "Somebody sent a test push to one of their devices; `outcome` is the push service's answer.",
  "escalation.step": "A step of an escalation fired.",
  "event.accepted": "An event was stored and answered 201.",
  "event.match_over_budget": "Rules took too long for an event; the undecided ones count as matching.",
  "event.in_parts": "An event was matched and tells so many people that its notifications are created in parts.",
  "event.matched": "An event was matched, and its notifications (or those of one part of its plan) were created.",
  "event.never_came": "A request died between its marker and its event; nothing was answered, nothing is lost.",
  "event.not_reconciled":
    "An event was planned, and the people whom its rules call for are not exactly those to be told and those silenced; `reason` says where.",
  "event.not_enqueued": "The queue did not take an event in time; the sweeper sends it.",
  "event.expired": "An event was open for 30 days and has ended.",
  "quota.reached": "A workspace has used 80 or all of 100 percent of its month's events; its owners are told.",
  "key.use_not_noted": "That an API key is in use could not be noted; its next event does it.",
  "quota.not_told": "That could not be told; the next audit of the workspace does it.",
  "event.told_afterwards":
    "What held the event back has ended, a silence or that its alert flapped, and people are told of the event.",
  "silence.ended":
    "A silence ended or was changed; `events` that it held back are looked at again: they are told of, or held by another silence.",
  "heartbeat.missed": "A heartbeat's call did not come; the event that says so was made.",
  "heartbeat.resolved": "The call came again; the event that resolves the first one was made.",
  "http.failed": "A request was answered 500 or 503.",
  "invitation.mailed": "A mail about an invitation was sent; `outcome` is the service's answer.",
  "marker.stuck": "An event was taken up ten times and is not finished.",
  "event.acknowledged": "A member acknowledged an event as a whole.",
  "event.handed_over": "The shift of whoever acknowledged an event ended, and the next ones on call are told.",
  "duty.not_told":
    "A schedule or an override changed, but the notice to the people whom it concerns could not be written; the change is stored.",
  "event.unnoticed_not_told":
    "An event notified nobody, and the notice of it to the owners could not be written; the next such event tries again.",
  "event.noted": "A member wrote a note on an event.",
  "event.escalated": "A member let the next step of an event's policies fire at once.",
  "event.reopened": "An acknowledgement ended unresolved; the event is open again, and its policies go on.",
  "step.not_woken": "The message for a step that was asked for was not queued; the sweeper sends it within a minute.",
  "event.raised": "A repeat of an alert had a higher priority: its recipients are notified again.",
  "event.resolved": "An event was resolved, by a member or by a later event; it no longer escalates.",
  "notification.reported": "An app reported that a notification arrived, was opened or was acknowledged.",
  "pack.not_reconciled":
    "Notifications were finished, and what is stored differs from what the event called for; `reason` says where.",
  "pack.over": "The devices that showed up to 16 notifications of an event were told that its sender has resolved it.",
  "over.not_sent":
    "An acknowledgement or a resolution was stored, but the other devices could not be told: the old push stays on them.",
  "pack.not_ready":
    "Notifications wait, because the credentials for their pushes cannot be read; nothing was sent, it is tried again.",
  "pack.sent": "The pushes of up to 16 notifications were made.",
  "pack.not_stored":
    "The outcome of pushes could not be written yet; it is tried again for as long as the lease lasts.",
  "receipt.no_key":
    "The key of receipts could not be read, or its secret is empty: pushes go out without a token and cannot be acknowledged from the lock screen.",
  "sweeper.back":
    "The sweeper runs again after more than three minutes without a round, or on a restored table: all heartbeats are waited for anew.",
  "sweeper.item_failed":
    "The sweeper could not work on an item of one of its lists; the others go on, and this one is due again later. At most 20 a round.",
  "sweeper.ran": "The sweeper finished a round; its audits may go on.",
  "profile.not_read": "The user pool could not be asked whose session it is; no workspace was made.",
  "sns.not_reached": "Amazon SNS could not be asked for a certificate or a confirmation; it sends the message again.",
  "sns.subscribed": "The subscription of an SNS topic to this workspace was confirmed.",
  "synthetic.arrived": "The synthetic event reached FCM.",
  "webhook.not_asked":
    "The queue did not take that something happened to an event that webhooks follow; the sweeper asks again.",
  "webhook.replayed": "A member put what a webhook was sent in line again.",
  "connection.tested": "A member sent a connection to a room a test.",
  "line.sent": "A message was sent to a webhook or a room (`lineId`); `code` says what came of it.",
  "line.suspended":
    "A webhook or a room has taken nothing for three days, or is gone; its owners are told, and what happens waits.",
  "slack.not_said": "A press in Slack was taken up, but the word to whoever pressed could not be sent there.",
  "slack.pressed": "Somebody pressed a button in Slack; `outcome` says what became of it.",
  "webhook.tested": "A member sent a webhook a test.",
  "oncall.changed": "Other people came on call in a group; it was put in line for the webhooks that want it.",
  "webhook.told": "What happened to an event was put in line for the webhooks and rooms that want it.",
  "workspace.deleted": "An owner has deleted a workspace.",
  "workspace.gone": "Nothing is left of a workspace that was deleted.",
};

/** What each metric counts or measures. */
const metricMeanings: Readonly<Record<keyof typeof metrics, string>> = {
  pushSent: "Pushes that FCM took.",
  pushFailed:
    "Pushes that were given up: refused for good, expired, or twice without an answer. One that is sent again does not count.",
  channelBehindSeconds:
    "How long the last message of a batch waits for its turn on its channel, in seconds. Only where it is a minute or more.",
  channelRefused: "E-mails, text messages and calls that AWS refused because a limit is reached. They are sent again.",
  pushAuthFailed:
    "Pushes that FCM or a push service refused because of our credentials. Devices of another sender do not count, unless no other device takes a push either.",
  oldestMarkerAgeSeconds: "Age of the oldest event that is overdue, in seconds; 0 when there is none. Once a minute.",
  stuckMarkers: "Pieces of work that were taken up ten times and are not finished. Once a minute.",
  sweeperRan: "1 for each round that the sweeper finished.",
  sweeperFailed: "Items that the sweeper could not work on and has put off. Only where there are any.",
  ledgerFaults:
    "Recipients that are not exactly told, failed or silenced where an event was planned or notifications finished.",
  quotaPercent: "80 or 100 when a workspace has used so much of its month's events: once a month each.",
  stageCeiling:
    "1 for each code, or mail about an invitation, that was not sent because of the ceiling of the day for the stage.",
  matchOverBudget: "Rules that were not decided because an event's rules took too long.",
  syntheticArrived: "1 for each synthetic event that reached FCM.",
};

export type LogCode = { level: string; code: string; fields: string[]; file: string };

const CALL = /\blog\s*\.\s*(info|warn|error)\(\s*"([^"]+)"([^]*?)\);/g;
const FIELD = /(?:^|[{,]\s*)(\w+)(?=\s*[:,}])/g;

const codesIn = (file: string): LogCode[] =>
  [...readFileSync(join(root, file), "utf8").matchAll(CALL)].map(([, level = "", code = "", rest = ""]) => {
    const fields = /\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}/.exec(rest)?.[0] ?? "";
    const names = new Set([...fields.matchAll(FIELD)].map(([, name = ""]) => name));
    return { level, code, fields: [...names], file };
  });

/** Every code that the functions log, read from the source. */
export const logCodes = (): LogCode[] =>
  ["core", "functions"]
    .flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: "utf8" }).map((file) => join(room, file)),
    )
    .filter((file) => file.endsWith(".ts"))
    .flatMap(codesIn)
    .sort((a, b) => a.code.localeCompare(b.code));

const lineOf = ({ level, code, fields }: LogCode): string => {
  const meaning = meanings[code];
  if (meaning === undefined) throw new Error(`scripts/docs/logs-page.ts does not say what ${code} means`);
  const shown = fields.length === 0 ? "" : ` Fields: ${fields.map((name) => `\`${name}\``).join(", ")}.`;
  return `- \`${code}\` (${level.toUpperCase()}): ${meaning}${shown}`;
};

/** The text of docs/logs.md. */
export const logsPage = (): string =>
  [
    "# Logs and metrics",
    "",
    "Written by `npm run docs:logs` from the source.",
    "",
    "Every function writes one JSON object per line: post-event and the workers behind the queues to `/event-alerting/<stage>/<function>`, the",
    "other endpoints to `/event-alerting/<stage>/endpoints`. A line has `time`, `level`, a fixed `code`, the `trace` of the invocation, and the fields below. An event can be followed from request to push by its `eventId`; where a stage has `tracing`, X-Ray",
    "links the traces of the invocations on its way. Errors also have `error` (their name), `reason` (their message) and",
    "`stack`. Bodies, headers, tokens and keys are never logged. The API's own lines, one per request, are in",
    "`/aws/vendedlogs/event-alerting/<stage>/http-access`.",
    "",
    "## Codes",
    "",
    ...logCodes().map(lineOf),
    "",
    "## Metrics",
    "",
    `In the namespace \`${metricsNamespace}\`, by the dimension \`Stage\`, written to the same logs in CloudWatch's embedded metric format.`,
    "",
    ...Object.entries(metrics).map(([name, metric]) => {
      const meaning = Object.entries(metricMeanings).find(([key]) => key === name)?.[1] ?? "";
      return `- \`${metric}\`: ${meaning}`;
    }),
    "",
  ].join("\n");
