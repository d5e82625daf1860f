import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { metrics, metricsNamespace } from "../../core/wiring.ts";

const root = join(import.meta.dirname, "../..");

const meanings: Readonly<Record<string, string>> = {
  "batch.dropped": "A message was dropped because its workspace is deleted.",
  "batch.not_rescheduled":
    "A failed message could not be scheduled for an early retry; it returns after the queue's visibility timeout.",
  "batch.record_failed":
    "A message could not be processed; it returns to the queue and, after six failures, moves to the dead-letter queue.",
  "pack.not_checked":
    "The sender could not check whether a delayed message is still needed; the message returns to the queue.",
  "channel.behind": "A message is delayed by `seconds`, because a channel (`way`) has reached its rate limit.",
  "channel.not_booked":
    "AWS was too slow, so the time at which a message may be sent could not be stored; the message is retried normally.",
  "channel.refused": "AWS refused `count` messages on a channel (`way`); `limit` says why: rate, busy or quota.",
  "device.foreign":
    "A push service refuses a device that was registered with other keys; its owner must register it again.",
  "device.not_notified":
    "The notice that a device must be registered again could not be created; the next refused push creates it.",
  "shift.confirmed": "A person has confirmed before their shift that they can be reached.",
  "shift.unconfirmed":
    "No device of the next person on call confirmed a message; the previous person on call and the managers are notified.",
  "contact.event":
    "AWS reported the outcome (`code`) of an email, text message or call; `known` says whether a member has verified the contact.",
  "sms.reply":
    "A text message arrived (a digit, STOP or other text); `people` is the number of members with this phone number.",
  "sms.reply_late":
    "A reply from the dead-letter queue was sent (`sentAt`) before the alert, so it acknowledged nothing.",
  "budget.not_settled":
    "`count` text messages or calls (`way`) were not sent, but still count towards the month's budget.",
  "budget.used_up": "A workspace's text messages or calls (`way`) of the month are used up; its owners are notified.",
  "budget.not_notified":
    "The notice of a used-up budget could not be created; the next message that is not sent creates the notice.",
  "voice.press": "A person pressed a key in a call; `known` says whether the called number and the call's token match.",
  "device.code": "A verification code was sent to an email address or phone number; `outcome` is the answer of AWS.",
  "device.tested": "A person tested one of their devices; `outcome` is the answer of the push service or of AWS.",
  "escalation.step": "A step of an escalation fired.",
  "event.accepted": "An event was stored and answered 201.",
  "event.match_over_budget": "Matching an event took too long; the rules not yet evaluated count as matching.",
  "event.in_parts": "The notifications of an event with very many recipients are created in parts.",
  "event.matched": "An event was matched and its notifications were created; `part` is set if that was done in parts.",
  "event.not_stored":
    "A request crashed before it stored its event; the sender got no answer, so no accepted event is lost.",
  "event.not_reconciled":
    "The stored recipients of an event differ from the recipients that its rules require; `reason` names the difference.",
  "event.not_enqueued": "The queue did not accept an event in time; the sweeper sends it.",
  "event.expired": "An event was open for 30 days and has ended.",
  "quota.reached": "A workspace has used 80 or 100 percent of its month's events; its owners are notified.",
  "key.use_not_stored":
    "The time at which an API key was last used (`lastUsedAt`) could not be stored; the key's next event stores it.",
  "quota.not_notified":
    "The notice of a used-up quota could not be created; the workspace's next hourly audit creates the notice.",
  "event.notified_afterwards":
    "The silence or the flapping that held an event has ended, and people are notified of it.",
  "silence.ended": "A silence ended or changed; `events` is the number of its events that are checked again.",
  "heartbeat.missed": "A job did not call its heartbeat in time; an event was created.",
  "heartbeat.resolved": "A job called its heartbeat again; an event was created that resolves the earlier one.",
  "http.failed": "A request was answered 500 or 503.",
  "invitation.mailed": "An email about an invitation was sent; `outcome` is the answer of SES.",
  "marker.stuck": "The work for an event was tried fifteen times and is not finished.",
  "event.acknowledged": "A member acknowledged an event as a whole.",
  "event.handed_off": "The shift of the person who acknowledged ended; the next people on call are notified.",
  "cover.not_notified": "A cover changed, but its notices could not be created at once; the sweeper creates them.",
  "oncall.not_notified":
    "A schedule or override changed, but the notice to the people it affects could not be created.",
  "event.unnotified_not_reported":
    "An event notified nobody, and the notice of this could not be created; the next unnoticed event creates the notice.",
  "event.note_added": "A member wrote a note on an event.",
  "event.escalated": "A member escalated an event at once.",
  "event.reopened":
    "An acknowledgement ended before the event was resolved; the event is open again, and its escalations continue.",
  "step.not_enqueued":
    "A person requested an escalation step, but its message was not queued; the sweeper sends it within a minute.",
  "event.priority_raised": "A repeat of an alert had a higher priority; its recipients are notified again.",
  "event.resolved": "An event was resolved, by a member or by a later event.",
  "notification.reported": "An app reported that a notification arrived, was opened or was acknowledged.",
  "pack.not_reconciled": "The stored notifications and the event's recipients differ; `reason` says how.",
  "pack.end_sent": "A push about the end of the event was sent to the devices of up to 16 notifications.",
  "event.end_not_sent": "An acknowledgement or resolve is stored, but other devices still show the old push.",
  "pack.not_ready": "The credentials for pushes cannot be read; nothing was sent, and the notifications are retried.",
  "pack.sent": "The pushes of up to 16 notifications were sent, or have failed.",
  "pack.not_stored": "The outcome of pushes could not be written yet; the write is retried until the lease ends.",
  "receipt.no_key":
    "The key that signs receipts cannot be read: pushes have no token, and no button on the lock screen.",
  "sweeper.resumed":
    "The sweeper runs again after a gap of three minutes, or on a restored table; heartbeats get a new deadline.",
  "sweeper.item_failed":
    "The sweeper could not process an item and tries again later. A sweep logs at most 20 of these lines.",
  "sweeper.ran": "The sweeper finished a sweep; its audits may still run.",
  "profile.not_read": "The user pool did not return the caller's profile; no workspace was created.",
  "sns.not_reached": "Amazon SNS did not answer about a certificate or a confirmation; SNS sends the message again.",
  "sns.subscribed": "The subscription of an SNS topic to this workspace was confirmed.",
  "synthetic.arrived": "The synthetic event reached FCM.",
  "webhook.not_enqueued": "A change of an event could not be queued for webhooks; the sweeper queues it.",
  "webhook.replayed": "A member queued a webhook's messages again.",
  "connection.tested": "A member tested a connection to a chat channel.",
  "receiver.sent": "A message was sent to a webhook or a chat channel (`receiverId`); `code` is the outcome.",
  "receiver.suspended":
    "A webhook or chat channel failed for three days, or is gone; the owners are notified, and messages wait.",
  "slack.not_answered": "A button in Slack had its effect, but the answer could not be shown to the person.",
  "slack.pressed": "A person pressed a button in Slack; `outcome` is the result.",
  "webhook.tested": "A member tested a webhook.",
  "switch.called": "The URL of a workspace's dead man's switch was called; `code` is the outcome.",
  "oncall.changed": "Other people came on call in a group; the change was queued for webhooks.",
  "webhook.enqueued": "A change of an event was queued for webhooks and chat channels.",
  "workspace.deleted": "An owner has deleted a workspace.",
  "workspace.gone": "All data of a deleted workspace is deleted.",
};

const metricMeanings: Readonly<Record<keyof typeof metrics, string>> = {
  pushSent: "Pushes that FCM accepted.",
  pushFailed:
    "Pushes that failed for good: refused, expired, or twice without an answer. Pushes that are retried do not count.",
  channelBehindSeconds:
    "Seconds until the rate limit of a channel (email, SMS, call) lets the last waiting message be sent; reported from 60 seconds on.",
  channelRefused: "Emails, text messages and calls that AWS refused because of a limit. These messages are sent again.",
  pushAuthFailed:
    "Pushes refused because of the stage's credentials. A single device registered with other keys does not count.",
  oldestMarkerAgeSeconds: "Age of the oldest event with overdue work, in seconds; 0 if there is none. Once a minute.",
  stuckMarkers: "Events whose work was tried fifteen times and is not finished. Once a minute.",
  sweeperRan: "1 for each finished sweep.",
  sweeperFailed: "Items that the sweeper could not process and has postponed.",
  ledgerFaults:
    "Recipients that are not in exactly one of the states notified, failed and silenced, which is a defect.",
  quotaPercent: "80 or 100 when a workspace has used this percentage of its month's events; each once a month.",
  stageCeiling: "1 for each code or invitation email that was not sent because of the stage's daily ceiling.",
  matchOverBudget: "Rules that were not evaluated because matching an event took too long.",
  syntheticArrived: "1 for each synthetic event that reached FCM.",
};

export type LogCode = { level: string; code: string; fields: string[]; file: string };

const CALL = /\blog\s*\.\s*(info|warn|error)\(\s*"([^"]+)"([^]*?)\);/g;
const FIELD = /(?:^|[{,]\s*)(\w+)(?=\s*[:,}])/g;

/** Lists the log codes in the calls of a file's source text, with the names of their fields. */
const listCodesInFile = (file: string): LogCode[] =>
  [...readFileSync(join(root, file), "utf8").matchAll(CALL)].map(([, level = "", code = "", rest = ""]) => {
    const fields = /\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}/.exec(rest)?.[0] ?? "";
    const names = new Set([...fields.matchAll(FIELD)].map(([, name = ""]) => name));
    return { level, code, fields: [...names], file };
  });

export const listLogCodes = (): LogCode[] =>
  ["core", "functions"]
    .flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: "utf8" }).map((file) => join(room, file)),
    )
    .filter((file) => file.endsWith(".ts"))
    .flatMap(listCodesInFile)
    .sort((a, b) => a.code.localeCompare(b.code));

const describeLogCode = ({ level, code, fields }: LogCode): string => {
  const meaning = meanings[code];
  if (meaning === undefined) throw new Error(`scripts/docs/logs-page.ts does not say what ${code} means`);
  const shown = [level.toUpperCase(), ...fields.map((name) => `\`${name}\``)].join(", ");
  return `- \`${code}\` (${shown}): ${meaning}`;
};

export const renderLogsPage = (): string =>
  [
    "# Logs and metrics",
    "",
    "For operators who read logs: what each code and each metric means. `npm run docs:logs` writes this page.",
    "",
    "Every function writes one JSON object per line with `time`, `level`, a fixed `code`, `trace` and the fields below. Errors also have `error`",
    "(their name), `reason` (their message) and `stack`. Bodies, headers, tokens and keys are never logged. Search for the `eventId` to follow an",
    "event, or use X-Ray if the stage has `tracing`. The log groups are:",
    "",
    "- `/event-alerting/<stage>/<function>`: post-event, and each worker",
    "- `/event-alerting/<stage>/endpoints`: all other endpoints",
    "- `/aws/vendedlogs/event-alerting/<stage>/http-access`: API Gateway, one line per request",
    "",
    "## Codes",
    "",
    ...new Map(listLogCodes().map((logged) => [logged.code, describeLogCode(logged)])).values(),
    "",
    "## Metrics",
    "",
    `Namespace \`${metricsNamespace}\`, dimension \`Stage\`, in CloudWatch's embedded metric format.`,
    "",
    ...Object.entries(metrics).map(([name, metric]) => {
      const meaning = Object.entries(metricMeanings).find(([key]) => key === name)?.[1] ?? "";
      return `- \`${metric}\`: ${meaning}`;
    }),
    "",
  ].join("\n");
