import { keyPatterns, workspaceKeys } from "../../core/store/key-patterns.ts";
import { carriesTokens, type Access } from "../../interface/access.ts";
import { apiFunctions, routes } from "../../interface/routes.ts";
import { timers, voiceKeys, workers } from "../../lib/workers.ts";
import type { Unused } from "./permission-run.ts";

type Listed = { name: string; does: string; access: Access; consumes?: string; delaysMessages?: boolean };

const listed: readonly Listed[] = [
  ...apiFunctions(routes).map(({ name, access, routes: served }) => {
    const does = [...Map.groupBy(served, (route) => route.entry).values()].map((same) => {
      const methods = [...new Set(same.map(({ method }) => method))].join(", ");
      return `${methods} ${same[0]?.path ?? ""}`;
    });
    return { name, does: does.join("; "), access };
  }),
  ...workers.map(({ entry, queue, access, delaysMessages }) => ({
    name: entry,
    does: `works through the queue of ${queue}`,
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

/** The grants of a function besides those of every function, as actions and their resource. */
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
  ...(access.sendsToContacts === true
    ? [
        `sms-voice:SendTextMessage on the identity of smsFrom${carriesTokens(access) ? " and on the stack's configuration set" : ""}, where a stage has one`,
        "connect:StartOutboundVoiceContact on the calls of voiceInstance, where a stage has one",
      ]
    : []),
];

const OVERRIDING = "reads the devices of those who are on call by an override";

/** Why a grant exists although not every run makes a call that needs it. */
const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "write-notifications": {
    "dynamodb:BatchGetItem": "reads the packs of an event that somebody acknowledges who was added to it",
  },
  "post-from-source": {
    "dynamodb:DeleteItem": "frees the Idempotency-Key of an event that is refused, which tools do not send",
  },
  "take-receipt": {
    "dynamodb:BatchGetItem": "reads the packs of an event that somebody acknowledges who was added to it",
    "sqs:SendMessage": "tells devices and webhooks of an acknowledgement from a lock screen",
    "dynamodb:PutItem": "writes the marker of an acknowledgement that ends",
  },
  "take-press": {
    "dynamodb:BatchGetItem": "reads the packs of an event that somebody acknowledges who was added to it",
    "dynamodb:PutItem": "writes the marker of an acknowledgement that ends",
    "sqs:SendMessage": "tells devices, webhooks and rooms of an acknowledgement or a resolution from Slack",
    "dynamodb:DeleteItem": "forgets a resolved event that a silence holds back",
  },
  "read-notifications": {
    "dynamodb:BatchGetItem": "reads the packs of a rule that tells more than 16 people, but the first",
  },
  "read-events": {
    "dynamodb:BatchGetItem":
      "reads the numbers of a site's earlier events, and the packs of events that are listed by their outcome",
  },
  "write-devices": {
    "dynamodb:Query": "finds the notice to whoever loses the device, if an earlier try has made it",
    "dynamodb:DeleteItem": "frees the name of such a notice if it could not be made",
  },
  "test-device": {
    "dynamodb:PutItem":
      "takes one membership out of what is known of a device's address, if the push service has ended the device",
    "dynamodb:DeleteItem": "forgets the address of such a device, if nobody else has it",
  },
  matcher: {
    "sqs:SendMessage": "gives itself the parts of an event that tells more people than one invocation is for",
    "sqs:ChangeMessageVisibility":
      "gives back what a batch that runs short of time has not begun, and what has failed after seconds",
    "dynamodb:BatchGetItem": "reads the packs of the events that an event resolves",
  },
  escalator: {
    "sqs:ChangeMessageVisibility":
      "gives back what a batch that runs short of time has not begun, and what has failed after seconds",
    "dynamodb:BatchGetItem":
      "reads the packs of an event to see whether everybody's push has failed or none is confirmed",
  },
  sender: {
    "dynamodb:PutItem": "writes a marker for what FCM wants to be asked later, and for a step that fires early",
    "sqs:SendMessage": "wakes a step at once when every push of its event and rule has failed",
  },
  "read-calendar": { "dynamodb:BatchGetItem": OVERRIDING },
  "read-members": { "dynamodb:BatchGetItem": OVERRIDING },
  "write-members": { "dynamodb:BatchGetItem": OVERRIDING },
  "write-groups": { "dynamodb:BatchGetItem": OVERRIDING },
  "write-on-call": {
    "dynamodb:DeleteItem": "frees the name of a notice of a change if it could not be made",
  },
  "write-connections": {
    "dynamodb:BatchGetItem": OVERRIDING,
    "sqs:SendMessage": "brings what waited for a connection that goes on",
  },
  voice: {
    "sqs:SendMessage": "wakes the step that is asked for by a key, and whoever the event told",
  },
  sweeper: {
    "sqs:SendMessage": "sends overdue work round again; nothing is overdue in the run",
  },
};

/** The unused grants without a reason, and the reasons for grants that do not exist. */
export const unexplained = (unused: readonly Unused[]): string[] =>
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

/** Not started by the run, because the stack has it only on request. */
const NOT_RUN = "synthetic";

const grantLine = (one: Listed): string =>
  `**${one.name}** (${one.does}): ${grantsOf(one)
    .map((grant) => `\`${grant}\``)
    .join(", ")}.`;

/** One line per function, without the run's findings: the part that a test can compare. */
export const grantLines = (): string[] => listed.map(grantLine);

const lineOf = (one: Listed): string => {
  const remarks = Object.entries(reasons[one.name] ?? {}).map(
    ([action, reason]) => ` Seldom needed: \`${action}\` (${reason}).`,
  );
  const remark = one.name === NOT_RUN ? " Not part of the run; its own test makes its calls." : remarks.join("");
  return `- ${grantLine(one)}${remark}`;
};

/** The text of docs/permissions.md. */
export const permissionsPage = ({ unused, checks }: { unused: readonly Unused[]; checks: number }): string => {
  const open = unexplained(unused);
  if (open.length > 0) throw new Error(`grants that nothing needs or explains: ${open.join(", ")}`);
  return [
    "# Permissions",
    "",
    "Written by `npm run docs:permissions`, which runs the service on this machine under these very policies, with the " +
      `${checks} checks of the interface, an escalation to its end and one that is acknowledged, failing devices and ` +
      "a used-up rate. Nothing was denied, and each grant was needed by a call, but for those that say why they are there all " +
      "the same. `npm run test:grants` is the same run: it fails where a grant is needed by no call and has no reason.",
    "",
    "Every function may besides write to its own log group (`logs:CreateLogStream`, `logs:PutLogEvents`) and, where a stage has " +
      "`tracing`, to X-Ray (`xray:PutTraceSegments`, `xray:PutTelemetryRecords` on `*`, for X-Ray knows no resources). A test holds each list to what " +
      "the function's code can call ([why](decisions/22-stack-permissions-and-deployment.md)).",
    "",
    ...listed.map(lineOf),
    "",
  ].join("\n");
};
