import { keyPatterns, workspaceKeys } from "../../core/store/key-patterns.ts";
import { carriesTokens, type Access } from "../../interface/access.ts";
import { apiFunctions, routes } from "../../interface/routes.ts";
import { timers, voiceKeys, workers } from "../../lib/workers.ts";
import type { Unused } from "./permission-run.ts";

type Listed = { name: string; does?: string; access: Access; consumes?: string; delaysMessages?: boolean };

const listed: readonly Listed[] = [
  ...apiFunctions(routes).map(({ name, access }) => ({ name, access })),
  ...workers.map(({ entry, queue, access, delaysMessages, contacts }) => ({
    name: entry,
    does: `works through the queue of ${queue}${contacts === true ? ", where the stage sends email or text messages" : ""}`,
    access,
    consumes: queue,
    delaysMessages: delaysMessages ?? false,
  })),
  {
    name: voiceKeys.entry,
    does: "answers keys pressed in calls, where the stage makes some",
    access: voiceKeys.access,
  },
  ...timers.map(({ entry, everyMinutes, access, synthetic }) => ({
    name: entry,
    does: `runs every ${everyMinutes} min${synthetic === true ? ", where the stack is asked for it" : ""}`,
    access,
  })),
];

const keysOf = (kinds: NonNullable<Access["keys"]>): string => {
  const patterns = kinds.flatMap((kind) =>
    kind === "workspace" ? [`${workspaceKeys.like} but not ${workspaceKeys.unlike}`] : keyPatterns[kind],
  );
  return `items under ${patterns.join(", ")}`;
};

/** Returns the grants of a function besides those of every function, as actions and their resource. */
export const grantsOf = ({ access, consumes, delaysMessages }: Listed): string[] => [
  ...(access.table.length === 0
    ? []
    : [`dynamodb:${access.table.join(", ")} on ${access.keys === undefined ? "the table" : keysOf(access.keys)}`]),
  ...(access.sendsTo ?? []).map((queue) => `sqs:SendMessage on ${queue}`),
  ...(access.sendsWhereContacts ?? []).map(
    (queue) => `sqs:SendMessage on ${queue}, where the stage has channels besides push`,
  ),
  ...(consumes === undefined ? [] : [`sqs:ReceiveMessage, DeleteMessage, GetQueueAttributes on ${consumes}`]),
  ...(delaysMessages === true ? [`sqs:ChangeMessageVisibility on ${consumes}`] : []),
  ...(access.readsSecrets ?? []).map((secret) => `secretsmanager:GetSecretValue on ${secret}`),
  ...(access.callsSlack === true ? ["secretsmanager:GetSecretValue on slack, where a stage has it"] : []),
  ...(access.sendsToContacts === true || access.sendsMail === true
    ? [
        `ses:SendEmail on the address of mailFrom${carriesTokens(access) ? " and on the stack's configuration set" : ""}, where a stage has one`,
      ]
    : []),
  ...(access.sendsToContacts === true || access.sendsSms === true
    ? [
        `sms-voice:SendTextMessage on the identity of smsFrom${access.sendsToContacts === true && carriesTokens(access) ? " and on the stack's configuration set" : ""}, where a stage has one`,
      ]
    : []),
  ...(access.sendsToContacts === true
    ? ["connect:StartOutboundVoiceContact on the calls of voiceInstance, where a stage has one"]
    : []),
];

const OVERRIDING = "reads the devices of people with an override";

const COVERING = "reads the devices of a group's members where they are few of the workspace's";

/** Why a grant exists although not every run makes a call that needs it. */
const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "write-notifications": {
    "dynamodb:BatchGetItem": "reads the packs of an event when an added person acknowledges it",
  },
  "post-from-source": {
    "dynamodb:DeleteItem": "frees the Idempotency-Key of a refused event",
  },
  "take-receipt": {
    "dynamodb:BatchGetItem": "reads the packs of an event when an added person acknowledges it",
    "sqs:SendMessage": "sends an acknowledgement from a lock screen to devices and webhooks",
    "dynamodb:PutItem": "writes the marker of an acknowledgement that ends",
  },
  "take-press": {
    "dynamodb:BatchGetItem": "reads the packs of an event when an added person acknowledges it",
    "dynamodb:PutItem": "writes the marker of an acknowledgement that ends",
    "sqs:SendMessage": "sends a change from Slack to devices, webhooks and chat channels",
    "dynamodb:DeleteItem": "deletes a resolved event from those that a silence holds",
  },
  "read-notifications": {
    "dynamodb:BatchGetItem": "reads the packs after the first of a rule that notifies more than 16 people",
  },
  "read-events": {
    "dynamodb:BatchGetItem": "reads a site's earlier events, and packs for a list by outcome",
  },
  "write-devices": {
    "dynamodb:Query": "finds the notice to the person who loses the device, after a failed attempt",
    "dynamodb:DeleteItem": "frees the name of that notice if it could not be created",
  },
  "test-device": {
    "dynamodb:PutItem": "removes a membership from a device's address when the push service has ended the device",
    "dynamodb:DeleteItem": "deletes that address if nobody else has it",
  },
  matcher: {
    "sqs:SendMessage": "sends itself the parts of an event that notifies too many people for one invocation",
    "sqs:ChangeMessageVisibility": "returns messages that a batch has no time for, or that failed",
    "dynamodb:BatchGetItem": "reads the packs of the events that an event resolves",
  },
  escalator: {
    "sqs:ChangeMessageVisibility": "returns messages that a batch has no time for, or that failed",
    "dynamodb:BatchGetItem": "checks whether every push of an event has failed or none is confirmed",
  },
  sender: {
    "dynamodb:PutItem": "writes a marker for a late retry and for a step that fires early",
    "sqs:SendMessage":
      "fires a step at once when every push of its event and rule has failed, and passes on replies that came to its queue",
  },
  inbound: {
    "sqs:SendMessage": "sends an acknowledgement by text message to devices and webhooks",
    "sqs:ChangeMessageVisibility": "returns messages that failed",
  },
  "read-calendar": { "dynamodb:BatchGetItem": OVERRIDING },
  "read-members": { "dynamodb:BatchGetItem": OVERRIDING },
  "write-members": { "dynamodb:BatchGetItem": OVERRIDING },
  "write-groups": { "dynamodb:BatchGetItem": OVERRIDING },
  "read-covers": { "dynamodb:BatchGetItem": COVERING },
  "write-covers": { "dynamodb:BatchGetItem": COVERING },
  "write-on-call": {
    "dynamodb:DeleteItem": "frees the name of a notice if it could not be created",
  },
  "write-connections": {
    "dynamodb:BatchGetItem": OVERRIDING,
    "sqs:SendMessage": "sends the messages that waited for a resumed connection",
  },
  voice: {
    "sqs:SendMessage": "fires the step that a key requests, and notifies the recipients",
  },
  sweeper: {
    "sqs:SendMessage": "sends overdue work again; nothing is overdue in the run",
  },
};

/** Returns the unused grants without a reason, and the reasons for grants that do not exist. */
export const findUnexplained = (unused: readonly Unused[]): string[] =>
  [
    ...unused.filter(({ functionName, action }) => reasons[functionName]?.[action] === undefined),
    ...Object.entries(reasons).flatMap(([functionName, actions]) => {
      const grants = listed.filter(({ name }) => name === functionName).flatMap(grantsOf);
      return Object.keys(actions).flatMap((action) => {
        const [service = "", call = ""] = action.split(":");
        return grants.some((text) => text.startsWith(service) && text.includes(call)) ? [] : [{ functionName, action }];
      });
    }),
  ].map(({ functionName, action }) => `${functionName} ${action}`);

/** The run does not start this function, because the stack has it only on request. */
const NOT_RUN = "synthetic";

const grantLine = (one: Listed): string =>
  `**${one.name}**${one.does === undefined ? "" : ` (${one.does})`}: ${grantsOf(one)
    .map((grant) => `\`${grant}\``)
    .join(", ")}.`;

/** Returns one line per function, without the run's findings: the part that a test can compare. */
export const grantLines = (): string[] => listed.map(grantLine);

const lineOf = (one: Listed): string => {
  const remarks = Object.entries(reasons[one.name] ?? {}).map(
    ([action, reason]) => ` Rarely used: \`${action}\` (${reason}).`,
  );
  const remark = one.name === NOT_RUN ? " Not part of the run; its own test makes its calls." : remarks.join("");
  return `- ${grantLine(one)}${remark}`;
};

/** Returns the text of docs/permissions.md. */
export const permissionsPage = ({ unused, checks }: { unused: readonly Unused[]; checks: number }): string => {
  const open = findUnexplained(unused);
  if (open.length > 0) throw new Error(`grants that nothing needs or explains: ${open.join(", ")}`);
  return [
    "# Permissions",
    "",
    "For security reviewers: what each Lambda function may do on AWS. `npm run docs:permissions` writes this page. It runs the service under these " +
      `policies: the ${checks} interface checks, then escalations, failing devices and an exhausted rate limit. No call was denied. Each grant ` +
      "was used, except those marked as rarely used. `npm run test:grants` fails for any other unused grant.",
    "",
    "A function of the API has the name of its endpoint. `read-groups` serves all GET requests of the resource `groups`, and `write-groups` its " +
      "other requests. Every function may also write to its own log group (`logs:CreateLogStream`, `logs:PutLogEvents`) and, with `tracing`, to X-Ray (`xray:PutTraceSegments`, `xray:PutTelemetryRecords` on `*`).",
    "",
    ...listed.map(lineOf),
    "",
  ].join("\n");
};
