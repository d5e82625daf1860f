import { SqsError } from "../../../local/sqs/sqs.ts";
import { createFaultAnswer, kindOf, createThrottlingAnswer } from "./asked.ts";
import type { CallsContext } from "./calls-context.ts";
import { keyOfRequest } from "./dynamo.ts";
import type { Invocation } from "./kernel.ts";
import type { Mode } from "./modes.ts";
import { secretTexts } from "./secrets.ts";
import type { SecretRequest, SqsRequest, WireAnswer, WireRequest } from "./wire.ts";

/** The delay of the second copy of a message, and the time that a slow message takes. */
export const LATE_DUPLICATE_MS = 100_000;
export const SLOW_MS = 70_000;

type PerformerOptions = {
  context: CallsContext;
  isStaleNow: () => boolean;
  isThrottled: (pk: string | undefined) => boolean;
};

export const createPerformer = ({ context, isStaleNow, isThrottled }: PerformerOptions) => {
  const { kernel, dynamo, queues } = context;

  const performSqs = (operation: string, body: SqsRequest, mode: Mode | undefined): WireAnswer => {
    const entries = body.Entries ?? [];
    const refused = mode === "partial" ? entries.slice(0, Math.ceil(entries.length / 2)) : [];
    const given = refused.length === 0 ? body : { ...body, Entries: entries.slice(refused.length) };
    context.sent.length = 0;
    try {
      // If the only entry of a batch is refused, no entry is left.
      const done = given.Entries?.length === 0 ? {} : context.sqs.run(operation, given);
      for (const { queue, message } of context.sent) {
        if (mode === "slow") queues[queue].show(message, message.visibleAt + SLOW_MS);
        const waits = message.visibleAt - kernel.now();
        if (mode === "duplicate") queues[queue].add(message, waits);
        if (mode === "late-duplicate") queues[queue].add(message, waits + LATE_DUPLICATE_MS);
      }
      const Failed = refused.map(({ Id }) => ({ Id, Code: "InternalError", SenderFault: false }));
      return { status: 200, body: refused.length === 0 ? { ...done } : { ...done, Failed } };
    } catch (error) {
      if (error instanceof SqsError) return createFaultAnswer(400, error.name);
      throw error;
    }
  };

  const performSecret = ({ SecretId = "", VersionStage }: SecretRequest): WireAnswer => {
    const SecretString = VersionStage === "AWSPREVIOUS" ? undefined : secretTexts[SecretId];
    return SecretString === undefined
      ? createFaultAnswer(400, "ResourceNotFoundException")
      : { status: 200, body: { SecretString, CreatedDate: 0 } };
  };

  /** Records a stale read only if its answer differs from a fresh answer. */
  const recordStaleRead = (request: WireRequest & { service: "dynamodb" }, stale: WireAnswer): void => {
    const fresh = dynamo.perform(request.operation, request.body);
    const { pk } = keyOfRequest(request.body);
    if (JSON.stringify(fresh.body) !== JSON.stringify(stale.body))
      context.markSeen(`a read of ${pk.split("#")[2] ?? pk} was stale`);
  };

  return (request: WireRequest, by?: Invocation, mode?: Mode): WireAnswer => {
    if (request.service === "sqs") return performSqs(request.operation, request.body, mode);
    if (request.service === "secretsmanager") return performSecret(request.body);
    const mayBeStale = by !== undefined && (kindOf(request) === "stale-read" || kindOf(request) === "batch-read");
    const isStale = mayBeStale && (mode === "stale" || isStaleNow());
    const [table = "", batch] = Object.entries(request.body.RequestItems ?? {})[0] ?? [];
    const keys = batch?.Keys ?? [];
    const half = Math.floor(keys.length / 2);
    const left =
      mode === "partial" && half > 0
        ? keys.slice(half)
        : keys.filter(({ pk }) => by !== undefined && isThrottled(pk?.S));
    if (left.length === 0) {
      const answer = dynamo.perform(request.operation, request.body, by, isStale);
      if (isStale) recordStaleRead(request, answer);
      return answer;
    }
    if (left.length === keys.length) return createThrottlingAnswer("dynamodb");
    const RequestItems = { [table]: { ...batch, Keys: keys.filter((key) => !left.includes(key)) } };
    const answer = dynamo.perform("BatchGetItem", { RequestItems }, by, isStale);
    return { ...answer, body: { ...answer.body, UnprocessedKeys: { [table]: { ...batch, Keys: left } } } };
  };
};
