import type { CallsContext, CallRecord, RecordCall } from "./calls-context.ts";
import { AsyncLocalStorage } from "node:async_hooks";
import type { Invocation } from "./kernel.ts";
import { requestHandler } from "../../../core/live.ts";
import { secretsClientOptions } from "../../../core/live-secrets.ts";
import {
  describeCall,
  createFaultAnswer,
  kindOf,
  likenessOf,
  pkOf,
  queueNameOf,
  createConnectionReset,
  shortType,
  textOf,
  createThrottlingAnswer,
  createTimeout,
  type CallParts,
} from "./asked.ts";
import { createOutside } from "./outside.ts";
import { createPerformer, LATE_DUPLICATE_MS, SLOW_MS } from "./perform.ts";
import { CLOCK_JUMP_MS, modesOf, VERY_LATE_MS, type CallKind, type Mode } from "./modes.ts";
import type { Network, WireAnswer, WireRequest } from "./wire.ts";

/** The number of attempts that the AWS SDK makes for a call. */
const TRIES = 3;
const REQUEST_TIMEOUT_MS = requestHandler.requestTimeout;
const LATENCY_MS = { dynamodb: [3, 6], sqs: [6, 12], secretsmanager: [8, 20], fcm: [40, 120] } as const;
const SECRET_TIMEOUT_MS = secretsClientOptions.requestHandler.requestTimeout;
const SLOW_SECRET_MS = 900;
const SILENT_SOCKETS_MS = 4000;
const TIMEOUT_MS = 1000;
const LATE_MS = 3000;
const SHORT_THROTTLING_MS = 12_000;
const LONG_THROTTLING_MS = 120_000;
const STALE_MS = 60_000;
/** An instance that was frozen uses its old sockets for this time. */
export const DEAD_SOCKETS_MS = 20;

export type MadeCall = { kind: CallKind; likeness: string };

/**
 * A call to make. `number`: its number in the run. `planned`: the fault that the run's plan has for it; `mode`: the fault that it
 * gets; `answer`: its answer, if it already exists.
 */
export type NumberedCall = { number: number; planned: Mode | undefined; mode: Mode | undefined; answer?: WireAnswer };

const currentCall = new AsyncLocalStorage<NumberedCall>();
export const runAsCall = <Result>(turn: NumberedCall, work: () => Result): Result => currentCall.run(turn, work);

export const createCalls = (context: CallsContext) => {
  const { kernel, plan } = context;
  const made: MadeCall[] = [];
  const records: CallRecord[] = [];
  const addRecord = (record: CallRecord): CallRecord => {
    if (context.isRecorded) records.push(record);
    return record;
  };
  const recordCall: RecordCall = (said, { fn, id }) =>
    addRecord({ ...said, at: kernel.now(), caller: `${fn}#${id}`, outcome: "no answer" });
  const faults = new Map(plan.map(({ call, mode }) => [call, mode]));
  const lostWrites = new Set<string>();
  const refusedWrites = new Set<string>();
  /** The throttled partitions (`pk` undefined: every partition); `isLong`: whether the throttling outlasts an invocation. */
  const throttlings: { pk: string | undefined; until: number; isLong: boolean }[] = [];
  let staleUntil = 0;
  /** Calls for which the SDK gave up because of throttling. */
  const throttledCalls = new Set<string>();
  const auditors = new Set<Invocation>();
  /** Faults that wait until `after` further calls of their kind have been made. */
  const waitingFaults: { mode: Mode; after: number }[] = [];

  const perform = createPerformer({
    context,
    isStaleNow: () => staleUntil > kernel.now(),
    isThrottled: (pk) => findThrottling(pk) !== undefined,
  });

  const faultOf = (number: number, kind: CallKind): Mode | undefined => {
    const fitting = waitingFaults.filter(({ mode }) => modesOf(kind).includes(mode));
    const due = fitting.find(({ after }) => after === 0);
    for (const fault of fitting) fault.after -= 1;
    if (due !== undefined) waitingFaults.splice(waitingFaults.indexOf(due), 1);
    return faults.get(number) ?? due?.mode;
  };

  const findThrottling = (pk: string | undefined) =>
    throttlings.find((spell) => spell.until > kernel.now() && (spell.pk === undefined || spell.pk === pk));

  const startFault = (mode: Mode | undefined, pk: string | undefined, invocation: Invocation): void => {
    if (mode === "silent") {
      invocation.deadSocketsUntil = kernel.now() + SILENT_SOCKETS_MS;
      context.extendDisturbance(invocation.deadSocketsUntil);
    }
    const until =
      kernel.now() +
      (mode === "throttle-12s" ? SHORT_THROTTLING_MS : mode === "stale-minute" ? STALE_MS : LONG_THROTTLING_MS);
    if (mode === "stale-minute") staleUntil = until;
    else if (mode === "throttle-table") throttlings.push({ pk: undefined, until, isLong: true });
    else if (mode === "throttle-partition" || mode === "throttle-12s")
      throttlings.push({ pk, until, isLong: mode === "throttle-partition" });
    else return;
    context.extendDisturbance(until);
  };

  /** Returns the fault that an outage, a dead socket or throttling causes. */
  const findCurrentFault = (asked: CallParts, invocation: Invocation): Mode | undefined => {
    // Each secret is read over a new connection, which cannot be a frozen socket.
    if (asked.service === "secretsmanager") return context.outage.secrets;
    if (context.outage[asked.service]) return "fail";
    if (invocation.deadSocketsUntil >= kernel.now()) return "socket-timeout";
    const spell = asked.service === "dynamodb" ? findThrottling(pkOf(asked)) : undefined;
    if (spell === undefined) return undefined;
    invocation.isFaulted ||= spell.isLong;
    return "throttle";
  };

  const numberCall = (asked: CallParts, invocation: Invocation): NumberedCall => {
    const kind = kindOf(asked);
    const number = made.push({ kind, likeness: likenessOf(invocation.fn, asked) });
    const planned = faultOf(number, kind);
    const [batch] = Object.values(asked.body.RequestItems ?? {});
    if (kind !== "secret") startFault(planned, pkOf(asked) ?? textOf(batch?.Keys?.[0]?.["pk"]), invocation);
    return { number, planned, mode: planned ?? findCurrentFault(asked, invocation) };
  };

  const startInvocation = (kind: "round" | "wake", fn: string): Mode | undefined => {
    const number = made.push({ kind, likeness: `${kind} ${fn}` });
    const planned = faultOf(number, kind);
    addRecord({ call: number, at: kernel.now(), caller: fn, request: kind, attempt: 1, mode: planned, outcome: "ok" });
    if (planned !== undefined) context.extendDisturbance(kernel.now());
    return planned;
  };

  const drawLatency = (service: keyof typeof LATENCY_MS): number => {
    const [low, high] = LATENCY_MS[service];
    return low + Math.floor(context.random() * (high - low + 1));
  };

  const isRefusal = (answer: WireAnswer) => shortType(answer) === "ConditionalCheckFailedException";

  const recordSigns = (
    request: WireRequest,
    invocation: Invocation,
    attempt: number,
    answer: WireAnswer,
    mode?: Mode,
  ) => {
    if (request.service === "secretsmanager") return;
    if (request.service === "sqs") {
      if (invocation.fn === "sweeper" && queueNameOf(request.body) === "events")
        context.markSeen("the sweeper queued an event again");
      return;
    }
    const key = `${invocation.id} ${describeCall(request)}`;
    if (throttledCalls.has(key) && answer.status === 200) context.markSeen("a call succeeded after throttling");
    if (throttlings.some(({ until, isLong }) => isLong && until <= kernel.now()))
      context.markSeen("a run survived minutes of throttling");
    if (invocation.fn === "sweeper" && kindOf(request) === "write" && /LOST|AUDITED/.test(describeCall(request))) {
      for (const other of auditors) if (other.state !== "running") auditors.delete(other);
      auditors.add(invocation);
      if (auditors.size > 1) context.markSeen("two audits ran concurrently");
    }
    if (attempt === 1 && answer.status === 200 && refusedWrites.has(key))
      context.markSeen("a refused write was retried");
    if (attempt === 1 && isRefusal(answer)) refusedWrites.add(key);
    if (mode === "lost" && answer.status === 200 && kindOf(request) === "write") lostWrites.add(key);
    if (attempt > 1 && isRefusal(answer) && lostWrites.has(key))
      context.markSeen("a caller recognized its own lost write");
    const values = (request.body as { ExpressionAttributeValues?: Record<string, { N?: string }> })
      .ExpressionAttributeValues;
    if (answer.status === 200 && Number(values?.[":heldUntil"]?.N ?? 0) > 0)
      context.markSeen("a worker took over an expired lease");
  };

  const makeCall = (
    { number, planned, mode }: NumberedCall,
    request: WireRequest,
    invocation: Invocation,
    attempt: number,
    signal: AbortSignal | undefined,
  ): Promise<WireAnswer> => {
    const line = recordCall({ call: number, request: describeCall(request), attempt, mode: planned }, invocation);
    if (planned !== undefined) {
      // A spell of throttling ends before the lease does, so an invocation must still store all outcomes.
      invocation.isFaulted ||= planned !== "throttle-12s";
      context.extendDisturbance(kernel.now());
    }
    const out = drawLatency(request.service);
    const back = drawLatency(request.service);

    return new Promise<WireAnswer>((resolve, reject) => {
      const runAfter = (ms: number, run: () => void) => kernel.at(kernel.now() + ms, run);
      const replyAfter = (ms: number, run: () => void) =>
        runAfter(ms, () => {
          if (invocation.state !== "dead") run();
        });
      const takeEffect = (): WireAnswer => {
        const answer = perform(request, invocation, mode);
        if (answer.status === 200 && !/^(Get|Query|BatchGet)/.test(request.operation)) invocation.effects += 1;
        line.outcome = shortType(answer);
        recordSigns(request, invocation, attempt, answer, mode);
        return answer;
      };
      const takeEffectLater = (ms: number) => {
        context.extendDisturbance(kernel.now() + ms);
        runAfter(ms, () => {
          const answer = perform(request, invocation);
          line.outcome += `, ${shortType(answer)} after ${ms / 1000} s`;
          if (isRefusal(answer)) context.markSeen("a late write was refused");
        });
      };
      const answerWithRefusal = (answer: WireAnswer) => {
        line.outcome = shortType(answer);
        if (attempt === TRIES && answer.status === 400) throttledCalls.add(`${invocation.id} ${describeCall(request)}`);
        replyAfter(out + back, () => resolve(answer));
      };
      const answerNormally = () =>
        runAfter(out, () => {
          const answer = takeEffect();
          replyAfter(back, () => resolve(answer));
        });

      signal?.addEventListener("abort", () => {
        line.outcome += ", given up";
        reject(Object.assign(new Error("Request aborted"), { name: "AbortError" }));
      });
      const jumpClock = () => {
        Object.assign(invocation, { skewMs: mode === "clock-ahead" ? CLOCK_JUMP_MS : -CLOCK_JUMP_MS });
        answerNormally();
      };
      const answerTooLate = (ms: number) => {
        line.outcome = "timed out";
        takeEffectLater(ms);
        replyAfter(TIMEOUT_MS, () => reject(createTimeout()));
      };
      const disturbFor = (ms: number) => {
        context.extendDisturbance(kernel.now() + ms);
        answerNormally();
      };
      const behaviours: Partial<Record<Mode, () => void>> = {
        fail: () => answerWithRefusal(createFaultAnswer(500, "InternalServerError")),
        throttle: () => answerWithRefusal(createThrottlingAnswer(request.service)),
        "throttle-12s": () => answerWithRefusal(createThrottlingAnswer(request.service)),
        "throttle-partition": () => answerWithRefusal(createThrottlingAnswer(request.service)),
        "throttle-table": () => answerWithRefusal(createThrottlingAnswer(request.service)),
        silent: () => {
          if (request.service === "secretsmanager") context.markSeen("the read of a secret got no answer");
          else context.markSeen("the sockets of an instance were silent");
          line.outcome = "timed out";
          replyAfter(request.service === "secretsmanager" ? SECRET_TIMEOUT_MS : REQUEST_TIMEOUT_MS, () =>
            reject(createTimeout()),
          );
        },
        "socket-timeout": () => {
          context.markSeen("a request of a frozen instance timed out");
          line.outcome = "timed out";
          replyAfter(REQUEST_TIMEOUT_MS, () => reject(createTimeout()));
        },
        denied: () => answerWithRefusal(createFaultAnswer(400, "AccessDeniedException")),
        lost: () =>
          runAfter(out, () => {
            takeEffect();
            replyAfter(back, () => reject(createConnectionReset()));
          }),
        late: () => answerTooLate(LATE_MS),
        "very-late": () => answerTooLate(VERY_LATE_MS),
        "die-before": () => {
          line.outcome = "never sent";
          context.killInvocation(invocation);
        },
        "die-after": () =>
          runAfter(out, () => {
            takeEffect();
            context.killInvocation(invocation);
          }),
        hang: () => {},
        "hang-after": () => runAfter(out, takeEffect),
        "clock-ahead": jumpClock,
        "clock-behind": jumpClock,
        "late-duplicate": () => disturbFor(LATE_DUPLICATE_MS),
        slow: () =>
          request.service === "secretsmanager"
            ? replyAfter(SLOW_SECRET_MS, () => resolve(takeEffect()))
            : disturbFor(SLOW_MS),
      };
      const behave = mode === undefined ? answerNormally : (behaviours[mode] ?? answerNormally);
      behave();
    });
  };

  /** A first attempt has the number that its command got; each further attempt gets a new number. */
  const call: Network["call"] = (request, invocation, attempt, signal) => {
    if (invocation === undefined) return Promise.resolve(perform(request));
    if (invocation.state === "dead") return new Promise(() => {});
    const turn = (attempt === 1 ? currentCall.getStore() : undefined) ?? numberCall(request, invocation);
    if (turn.answer !== undefined) return Promise.resolve(turn.answer);
    return makeCall(turn, request, invocation, attempt, signal);
  };

  /** Returns the SDK's empty result without using the SDK, because most of a sweeper's queries find nothing. */
  const queryNothing = (pk: string, invocation: Invocation): Promise<{ Items: never[] }> => {
    if (invocation.state === "dead") return new Promise(() => {});
    const number = made.push({ kind: "idle", likeness: "idle" });
    const mode = faults.get(number);
    const line = recordCall({ call: number, request: `dynamodb Query ${pk} (nothing)`, attempt: 1, mode }, invocation);
    if (mode === undefined) line.outcome = "ok";
    if (mode !== undefined) {
      invocation.isFaulted = true;
      context.extendDisturbance(kernel.now());
    }
    return new Promise((resolve, reject) => {
      if (mode === "die-before") context.killInvocation(invocation);
      if (mode === "die-before" || mode === "hang") return;
      kernel.at(kernel.now() + drawLatency("dynamodb"), () => {
        if (invocation.state === "dead") return;
        if (mode === "denied") reject(Object.assign(new Error("injected"), { name: "AccessDeniedException" }));
        else resolve({ Items: [] });
      });
    });
  };

  const numberOutsideCall = (kind: "push" | "contact" | "post") => {
    const number = made.push({ kind, likeness: kind === "contact" ? "push" : kind });
    return { number, mode: faultOf(number, kind) };
  };
  const { push, post, slack } = createOutside({
    context,
    numberCall: numberOutsideCall,
    recordCall,
    drawLatency: () => drawLatency("fcm"),
  });

  const isPartitionThrottled = (pk: string): boolean => findThrottling(pk) !== undefined;

  return {
    numberCall,
    startInvocation,
    isPartitionThrottled,
    makeCall,
    perform,
    call,
    push,
    post,
    slack,
    queryNothing,
    made,
    records,
    waitingFaults,
  };
};
export type Calls = ReturnType<typeof createCalls>;
