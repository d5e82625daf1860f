import { keyPatterns, workspaceKeys } from "../../core/store/key-patterns.ts";
import { messagesContainTokens, type Access } from "../../interface/access.ts";
import { groupByFunction, routes } from "../../interface/routes.ts";
import { timers, voiceKeys, workers } from "../../lib/workers.ts";
import type { Unused } from "./permission-run.ts";

type ListedFunction = { name: string; does?: string; access: Access; consumes?: string; delaysMessages?: boolean };

const listed: readonly ListedFunction[] = [
  ...groupByFunction(routes).map(({ name, access }) => ({ name, access })),
  ...workers.map(({ entry, queue, access, delaysMessages, contacts }) => ({
    name: entry,
    does: `processes the messages of the queue ${queue}${contacts === true ? "; exists only if the stage sends email or text messages" : ""}`,
    access,
    consumes: queue,
    delaysMessages: delaysMessages ?? false,
  })),
  {
    name: voiceKeys.entry,
    does: "answers the keys that people press in calls; exists only if the stage makes calls",
    access: voiceKeys.access,
  },
  ...timers.map(({ entry, everyMinutes, access, synthetic }) => ({
    name: entry,
    does: `runs every ${everyMinutes} min${synthetic === true ? "; exists only if the stage sends a synthetic event" : ""}`,
    access,
  })),
];

const formatKeys = (kinds: NonNullable<Access["keys"]>): string => {
  const patterns = kinds.flatMap((kind) =>
    kind === "workspace" ? [`${workspaceKeys.like} but not ${workspaceKeys.unlike}`] : keyPatterns[kind],
  );
  return `items with a partition key like ${patterns.join(", ")}`;
};

/** Returns a function's grants, except those that every function has. */
export const listGrants = ({ access, consumes, delaysMessages }: ListedFunction): string[] => [
  ...(access.table.length === 0
    ? []
    : [`dynamodb:${access.table.join(", ")} on ${access.keys === undefined ? "the table" : formatKeys(access.keys)}`]),
  ...(access.sendsTo === undefined ? [] : [`sqs:SendMessage on ${access.sendsTo.join(", ")}`]),
  ...(access.sendsIfContactsReply ?? []).map(
    (queue) => `sqs:SendMessage on ${queue}, if the stage has channels besides push`,
  ),
  ...(consumes === undefined
    ? []
    : [
        `sqs:ReceiveMessage, DeleteMessage, GetQueueAttributes${delaysMessages === true ? ", ChangeMessageVisibility" : ""} on ${consumes}`,
      ]),
  ...(access.readsSecrets === undefined ? [] : [`secretsmanager:GetSecretValue on ${access.readsSecrets.join(", ")}`]),
  ...(access.callsSlack === true ? ["secretsmanager:GetSecretValue on slack, if the stage has a Slack app"] : []),
  ...(access.sendsToContacts === true || access.sendsMail === true
    ? [
        `ses:SendEmail on the address of mailFrom${messagesContainTokens(access) ? " and on the stack's configuration set" : ""}, if the stage sends email`,
      ]
    : []),
  ...(access.sendsToContacts === true || access.sendsSms === true
    ? [
        `sms-voice:SendTextMessage on the identity of smsFrom${access.sendsToContacts === true && messagesContainTokens(access) ? " and on the stack's configuration set" : ""}, if the stage sends text messages`,
      ]
    : []),
  ...(access.sendsToContacts === true
    ? ["connect:StartOutboundVoiceContact on the calls of voiceInstance, if the stage makes calls"]
    : []),
];

const OVERRIDING = "reads the devices of people whom an override puts on call";

const COVERING = "reads only the devices of a group's members, if the group is a small part of the workspace";

/** The reasons for grants that not every run uses. */
const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "write-notifications": {
    "dynamodb:BatchGetItem": "reads the notifications of an event when a person who was added by hand acknowledges it",
  },
  "post-from-source": {
    "dynamodb:DeleteItem": "frees the Idempotency-Key of a refused event",
  },
  "take-receipt": {
    "dynamodb:BatchGetItem": "reads the notifications of an event when a person who was added by hand acknowledges it",
    "sqs:SendMessage": "sends an acknowledgement from a lock screen to devices and webhooks",
    "dynamodb:PutItem": "stores when an acknowledgement with a time limit ends",
  },
  "take-press": {
    "dynamodb:BatchGetItem": "reads the notifications of an event when a person who was added by hand acknowledges it",
    "dynamodb:PutItem": "stores when an acknowledgement with a time limit ends",
    "sqs:SendMessage": "sends a change from Slack to devices, webhooks and chat channels",
    "dynamodb:DeleteItem": "removes a resolved event from the list of events that a silence holds",
  },
  "read-notifications": {
    "dynamodb:BatchGetItem": "reads the other notifications of a rule that notifies more than 16 people",
  },
  "read-events": {
    "dynamodb:BatchGetItem":
      "reads earlier events of a site, and notifications for a list of events filtered by outcome",
  },
  "write-devices": {
    "dynamodb:Query":
      "after a failed attempt, finds the notice to the person whose device somebody else has registered",
    "dynamodb:DeleteItem": "removes the claim of that notice if the notice could not be created",
  },
  "test-device": {
    "dynamodb:PutItem":
      "removes the member from the entry of a device's token when the push service reports the device as gone",
    "dynamodb:DeleteItem": "deletes this entry if no other member has the token",
  },
  matcher: {
    "sqs:SendMessage": "splits an event into parts if it notifies too many people for one invocation",
    "sqs:ChangeMessageVisibility": "returns failed messages to the queue, and those for which the batch has no time",
    "dynamodb:BatchGetItem": "reads the notifications of the events that a new event resolves",
  },
  escalator: {
    "sqs:ChangeMessageVisibility": "returns failed messages to the queue, and those for which the batch has no time",
    "dynamodb:BatchGetItem": "checks whether all pushes of an event have failed, or no device has confirmed one",
  },
  sender: {
    "dynamodb:PutItem": "writes a marker for a late retry, or for an escalation step that fires early",
    "sqs:SendMessage":
      "fires an escalation step at once when every push of the event and rule has failed; passes on replies that came to the queue pushes",
  },
  inbound: {
    "sqs:SendMessage": "informs devices and webhooks that somebody acknowledged by text message",
    "sqs:ChangeMessageVisibility": "returns failed messages to the queue",
  },
  "read-calendar": { "dynamodb:BatchGetItem": OVERRIDING },
  "read-members": { "dynamodb:BatchGetItem": OVERRIDING },
  "write-members": { "dynamodb:BatchGetItem": OVERRIDING },
  "write-groups": { "dynamodb:BatchGetItem": OVERRIDING },
  "read-covers": { "dynamodb:BatchGetItem": COVERING },
  "write-covers": { "dynamodb:BatchGetItem": COVERING },
  "write-on-call": {
    "dynamodb:DeleteItem": "removes the claim of a notice if the notice could not be created",
  },
  "write-connections": {
    "dynamodb:BatchGetItem": OVERRIDING,
    "sqs:SendMessage": "queues the messages that waited while a connection was paused",
  },
  voice: {
    "sqs:SendMessage": "fires the escalation step that a pressed key requests",
  },
  sweeper: {
    "sqs:SendMessage": "sends overdue work again; on the local service, no work becomes overdue",
  },
};

/** Lists the `unused` grants that `reasons` does not explain, and entries of `reasons` whose grant does not exist. */
export const findUnexplainedGrants = (unused: readonly Unused[]): string[] =>
  [
    ...unused.filter(({ functionName, action }) => reasons[functionName]?.[action] === undefined),
    ...Object.entries(reasons).flatMap(([functionName, actions]) => {
      const grants = listed.filter(({ name }) => name === functionName).flatMap(listGrants);
      return Object.keys(actions).flatMap((action) => {
        const [service = "", call = ""] = action.split(":");
        return grants.some((text) => text.startsWith(service) && text.includes(call)) ? [] : [{ functionName, action }];
      });
    }),
  ].map(({ functionName, action }) => `${functionName} ${action}`);

/** The local service never starts the function `synthetic`, because only some stages have the function. */
const NOT_RUN = "synthetic";

const describeGrants = (listed: ListedFunction): string => {
  const remarks = Object.entries(reasons[listed.name] ?? {}).map(
    ([action, reason]) => ` Rarely used: \`${action}\` (${reason}).`,
  );
  const remark =
    listed.name === NOT_RUN
      ? " The checks on the local service do not start this function; a separate test makes its AWS calls."
      : remarks.join("");
  const granted = listGrants(listed).map((grant) => `\`${grant}\``);
  return `${listed.does === undefined ? "" : ` (${listed.does})`}: ${granted.join(", ")}.${remark}`;
};

/** Renders a line for each set of grants, with the functions that have the set. */
export const renderGrants = (): string[] =>
  [...Map.groupBy(listed, describeGrants)].map(
    ([text, functions]) => `- ${functions.map(({ name }) => `**${name}**`).join(", ")}${text}`,
  );

export const renderPermissionsPage = ({ unused, checks }: { unused: readonly Unused[]; checks: number }): string => {
  const open = findUnexplainedGrants(unused);
  if (open.length > 0) throw new Error(`grants that nothing needs or explains: ${open.join(", ")}`);
  return [
    "# Permissions",
    "",
    "For security reviewers: what each Lambda function may do on AWS. `npm run docs:permissions` writes this page. The command tests these policies on the local " +
      `service, which enforces them, by ${checks} interface checks, escalations, failing devices and an exhausted rate limit. No call was ` +
      "denied. Every grant was used, except those marked as rarely used. `npm run test:grants` fails for any other unused grant.",
    "",
    "A function of the API is named after its endpoint: `read-groups` serves the GET requests of `/groups`, `write-groups` all other requests. " +
      "In a partition key, `*` means any text and `?` one character. A name after `on` is a queue, a secret or a setting of the stage. Every function may also write to its own log group (`logs:CreateLogStream`, `logs:PutLogEvents`) and, with `tracing`, to X-Ray (`xray:PutTraceSegments`, `xray:PutTelemetryRecords` on `*`).",
    "",
    ...renderGrants(),
    "",
  ].join("\n");
};
