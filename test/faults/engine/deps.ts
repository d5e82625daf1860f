import type { Deps, Log, AuditDeps } from "../../../core/deps.ts";
import { createOperatorAuthor } from "../../../core/domain/workspace/audit.ts";
import { secretReader } from "../../../core/live-secrets.ts";
import { afterRealTime } from "../../../core/push/time-limit.ts";
import type { createCalls } from "./calls.ts";
import type { Outage } from "./calls-context.ts";
import { createDirect } from "./direct.ts";
import { TABLE_NAME, type createDynamo } from "./dynamo.ts";
import { MARKER_PARTITION } from "./due.ts";
import { running, type createKernel, type Invocation } from "./kernel.ts";
import { withSecrets } from "./secrets.ts";
import type { Clients } from "./wire.ts";

/** The monthly limit of text messages: more than any scenario sends. */
const SMS_MONTHLY = 500;

type DepsContext = {
  kernel: ReturnType<typeof createKernel>;
  calls: ReturnType<typeof createCalls>;
  dynamo: ReturnType<typeof createDynamo>;
  outage: Outage;
  log: Log;
  throughSdk: boolean;
} & Pick<Deps, "newId" | "random">;

export const createDeps = ({ kernel, calls, dynamo, outage, log, throughSdk, newId, random }: DepsContext) => {
  const direct = createDirect(calls, { always: throughSdk });

  const isKnownEmpty = (pk: string, { deadSocketsUntil }: Invocation) =>
    dynamo.first(pk) === undefined &&
    !calls.isPartitionThrottled(pk) &&
    !outage.dynamodb &&
    deadSocketsUntil < kernel.now();

  /** Returns the table's `send`, which makes no request for a sweeper's query that is known to find nothing. */
  const sendToTable = (clients: () => Clients): Deps["table"]["client"]["send"] => {
    const send = (command: Parameters<typeof direct.toTable>[0]) => {
      const invocation = running.getStore();
      const values = command.input["ExpressionAttributeValues"] as Record<string, unknown> | undefined;
      const pk = invocation?.fn === "sweeper" ? values?.[":pk"] : undefined;
      if (
        invocation !== undefined &&
        typeof pk === "string" &&
        MARKER_PARTITION.test(pk) &&
        isKnownEmpty(pk, invocation)
      )
        return calls.queryNothing(pk, invocation);
      return direct.toTable(command, invocation, () => clients().table.send(command as never));
    };
    return send as Deps["table"]["client"]["send"];
  };
  const sendToQueue = (clients: () => Clients): Clients["sqs"] => {
    const send = (command: Parameters<typeof direct.toQueue>[0], options: never) =>
      direct.toQueue(command, running.getStore(), () => clients().sqs.send(command as never, options));
    return { send: send as Clients["sqs"]["send"] };
  };

  const secretsOf = (clients: () => Clients): Clients["secrets"] => {
    const send = (command: Parameters<typeof direct.toSecrets>[0]) =>
      direct.toSecrets(command, running.getStore(), () => clients().secrets.send(command as never));
    return { send: send as Clients["secrets"]["send"] };
  };
  const nowOf = () => kernel.now() + (running.getStore()?.skewMs ?? 0);

  return (clients: () => Clients): Deps & AuditDeps => ({
    table: { name: TABLE_NAME, client: { send: sendToTable(clients) }, author: createOperatorAuthor("req_outside") },
    queues: {
      events: { url: "http://aws.local/1/events", client: sendToQueue(clients) },
      pushes: { url: "http://aws.local/1/pushes", client: sendToQueue(clients) },
      escalations: { url: "http://aws.local/1/escalations", client: sendToQueue(clients) },
      webhooks: { url: "http://aws.local/1/webhooks", client: sendToQueue(clients) },
      inbound: { url: "http://aws.local/1/inbound", client: sendToQueue(clients) },
    },
    baseUrl: "https://alerts.example",
    monthly: { sms: SMS_MONTHLY, voice: SMS_MONTHLY },
    pace: { email: 14, sms: 1, voice: 2 },
    ...withSecrets({
      read: (secretId) => secretReader(secretsOf(clients), secretId),
      now: nowOf,
      // Timers in real time, unlike the timers of the run.
      after: afterRealTime,
      send: (message) => {
        const invocation = running.getStore();
        if (invocation === undefined) throw new Error("a push outside of an invocation");
        return calls.push(message, invocation);
      },
    }),
    post: (request) => {
      const invocation = running.getStore();
      if (invocation === undefined) throw new Error("a post outside of an invocation");
      return calls.post(request, invocation);
    },
    slack: (call) => {
      const invocation = running.getStore();
      if (invocation === undefined) throw new Error("a call to Slack outside of an invocation");
      return calls.slack(call, invocation);
    },
    now: nowOf,
    newId,
    random,
    // A timer in the run's virtual time, which ends with its invocation.
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    log,
  });
};
