import { basename } from "node:path";
import type { Access } from "../../lib/access.ts";
import { routes } from "../../lib/routes.ts";
import { timers, workers } from "../../lib/workers.ts";
import type { Unused } from "./permission-run.ts";

type Listed = { name: string; does: string; access: Access; consumes?: string; delaysMessages?: boolean };

const listed: readonly Listed[] = [
  ...routes.map(({ entry, method, path, access }) => ({ name: basename(entry), does: `${method} ${path}`, access })),
  ...workers.map(({ entry, queue, access, delaysMessages }) => ({
    name: entry,
    does: `works through the queue of ${queue}`,
    access,
    consumes: queue,
    delaysMessages: delaysMessages ?? false,
  })),
  ...timers.map(({ entry, everyMinutes, access, synthetic }) => ({
    name: entry,
    does: `runs every ${everyMinutes} min${synthetic === true ? ", where the stack is asked for it" : ""}`,
    access,
  })),
];

/** The grants of a function beside those that every function has, as actions and their resource. */
export const grantsOf = ({ access, consumes, delaysMessages }: Listed): string[] => [
  `dynamodb:${access.table.join(", ")} on the table`,
  ...(access.sendsTo ?? []).map((queue) => `sqs:SendMessage on ${queue}`),
  ...(consumes === undefined ? [] : [`sqs:ReceiveMessage, DeleteMessage, GetQueueAttributes on ${consumes}`]),
  ...(delaysMessages === true ? [`sqs:ChangeMessageVisibility on ${consumes}`] : []),
  ...(access.readsSecret === undefined ? [] : [`secretsmanager:GetSecretValue on ${access.readsSecret}`]),
];

/** Why a grant is there although no call of the run needed it. */
export const reasons: Readonly<Record<string, string>> = {
  "add-member dynamodb:DeleteItem": "takes a membership back when the workspace has 5,000 members already",
};

/** What the run does not start, because the stack has it only on request. */
const NOT_RUN = "synthetic";

const lineOf = (one: Listed, unused: readonly Unused[]): string => {
  const idle = unused.filter(({ functionName }) => functionName === one.name);
  const notes = idle.map(({ functionName, action }) => {
    const reason = reasons[`${functionName} ${action}`];
    if (reason === undefined) throw new Error(`no call needs ${action} of ${functionName}, and no reason is given`);
    return ` Not called: \`${action}\` (${reason}).`;
  });
  const note = one.name === NOT_RUN ? " Not part of the run; its own test makes its calls." : notes.join("");
  return `- **${one.name}** (${one.does}): ${grantsOf(one)
    .map((grant) => `\`${grant}\``)
    .join(", ")}.${note}`;
};

/** The text of docs/permissions.md. */
export const permissionsPage = ({ unused, checks }: { unused: readonly Unused[]; checks: number }): string =>
  [
    "# Permissions",
    "",
    "Written by `npm run docs:permissions`, which runs the service on this machine under these very policies, with the " +
      `${checks} checks of the interface, an escalation to its end and one that is acknowledged, failing devices and ` +
      "a used-up rate. Nothing was denied, and each grant was needed by a call, but for those that say why they are there all " +
      "the same. `test/local/grants.test.ts` is the same run: it fails where a grant is needed by no call and has no reason.",
    "",
    "Every function may besides write to its own log group (`logs:CreateLogStream`, `logs:PutLogEvents`) and to X-Ray " +
      "(`xray:PutTraceSegments`, `xray:PutTelemetryRecords` on `*`, for X-Ray knows no resources). A test holds each list to what " +
      "the function's code can call ([why](decisions/050-grants-proven-by-bundles.md)).",
    "",
    ...listed.map((one) => lineOf(one, unused)),
    "",
  ].join("\n");

/** One line a function, without what a run has found: what a test can compare. */
export const grantLines = (): string[] =>
  listed.map(
    (one) =>
      `**${one.name}** (${one.does}): ${grantsOf(one)
        .map((grant) => `\`${grant}\``)
        .join(", ")}.`,
  );
