import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { metrics, metricsNamespace } from "../../core/wiring.ts";

const root = join(import.meta.dirname, "../..");

/** The meaning of each code's log lines. */
const meanings: Readonly<Record<string, string>> = {
  "batch.record_failed": "A message could not be processed; it comes again, and ends up in the dead-letter queue.",
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
  "heartbeat.missed": "A heartbeat's call did not come; the event that says so was made.",
  "heartbeat.resolved": "The call came again; the event that resolves the first one was made.",
  "http.failed": "A request was answered 500 or 503.",
  "marker.stuck": "An event was taken up ten times and is not finished.",
  "event.acknowledged": "A member acknowledged an event as a whole.",
  "event.resolved": "An event was resolved, by a member or by a later event; it no longer escalates.",
  "notification.reported": "An app reported that a notification arrived, was opened or was acknowledged.",
  "pack.not_reconciled":
    "Notifications were finished, and what is stored differs from what the event called for; `reason` says where.",
  "pack.over": "The devices that showed up to 16 notifications of an event were told that its sender has resolved it.",
  "over.not_sent":
    "An acknowledgement or a resolution was stored, but the other devices could not be told: the old push stays on them.",
  "pack.sent": "The pushes of up to 16 notifications were made.",
  "pack.not_stored":
    "The outcome of pushes could not be written yet; it is tried again for as long as the lease lasts.",
  "receipt.no_key":
    "The key of receipts could not be read, or its secret is empty: pushes go out without a token and cannot be acknowledged from the lock screen.",
  "sweeper.ran": "The sweeper finished a round.",
  "sns.not_reached": "Amazon SNS could not be asked for a certificate or a confirmation; it sends the message again.",
  "sns.subscribed": "The subscription of an SNS topic to this workspace was confirmed.",
  "synthetic.arrived": "The synthetic event reached FCM.",
};

/** What each metric counts or measures. */
const metricMeanings: Readonly<Record<keyof typeof metrics, string>> = {
  pushSent: "Pushes that FCM took.",
  pushFailed: "Pushes that FCM did not take, for whatever reason; some of them are sent again.",
  pushAuthFailed: "Pushes that FCM refused because of our credentials.",
  oldestMarkerAgeSeconds: "Age of the oldest event that is overdue, in seconds; 0 when there is none. Once a minute.",
  stuckMarkers: "Pieces of work that were taken up ten times and are not finished. Once a minute.",
  sweeperRan: "1 for each round that the sweeper finished.",
  ledgerFaults:
    "Recipients that are not exactly told, failed or silenced where an event was planned or notifications finished.",
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
    "other endpoints to `/event-alerting/<stage>/endpoints`. A line has `time`, `level`, a fixed `code`, the `trace` of the invocation, and the fields below. An event can be followed from request to push by its `eventId`; X-Ray links the traces of",
    "the invocations on its way. Errors also have `error` (their name), `reason` (their message) and",
    "`stack`. Bodies, headers, tokens and keys are never logged. The API's own lines, one per request, are in",
    "`/event-alerting/<stage>/http-access`.",
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
