import { AsyncLocalStorage } from "node:async_hooks";
import type { PushMessage } from "../../../core/domain/delivery/push/message.ts";
import type { PushOutcome } from "../../../core/domain/delivery/push/outcome.ts";
import { placeOfRequest, type Dynamo } from "./dynamo.ts";
import type { PostOutcome, PostRequest } from "../../../core/domain/webhook/line.ts";
import { POST_DEADLINE_MS } from "../../../core/post/post.ts";
import type { Receivers } from "./receivers.ts";
import type { Fcm } from "./fcm.ts";
import type { Invocation, Kernel } from "./kernel.ts";
import { requestHandler } from "../../../core/live.ts";
import { secretsClientOptions } from "../../../core/live-secrets.ts";
import { modesOf, type CallKind, type Mode, type Plan } from "./modes.ts";
import { SqsError, type Sqs } from "../../../local/sqs/sqs.ts";
import type { Message } from "../../../local/sqs/queue.ts";
import type { QueueName, TestQueues } from "../../world/queues.ts";
import { secretTexts } from "./secrets.ts";
import type { Network, SecretRequest, SqsRequest, WireAnswer, WireRequest } from "./wire.ts";

/** One call, as the record of the run shows it. */
export type Line = {
  call: number;
  at: number;
  who: string;
  what: string;
  attempt: number;
  mode: Mode | undefined;
  outcome: string;
};

/** Which outside services are down at the moment. `mute`: FCM takes messages but never answers. */
export type Outage = {
  dynamodb: boolean;
  sqs: boolean;
  fcm: boolean;
  mute: boolean;
  /** What happens to every read of a secret. */
  secrets: "refuse" | "mute" | undefined;
};

export type CallsContext = {
  kernel: Kernel;
  random: () => number;
  dynamo: Dynamo;
  sqs: Sqs;
  queues: TestQueues;
  /** The messages that the current request has sent. */
  sent: { queue: QueueName; message: Message }[];
  fcm: Fcm;
  receivers: Receivers;
  plan: Plan;
  /** Whether the run is recorded call by call. */
  tells: boolean;
  outage: Outage;
  kill: (invocation: Invocation) => void;
  /** Called with the time at which a fault's effects end. */
  disturbed: (until: number) => void;
  see: (what: string) => void;
};

/** Those of the SDK. */
const TRIES = 3;
const REQUEST_TIMEOUT_MS = requestHandler.requestTimeout;
const LATENCY_MS = { dynamodb: [3, 6], sqs: [6, 12], secretsmanager: [8, 20], fcm: [40, 120] } as const;
const SECRET_TIMEOUT_MS = secretsClientOptions.requestHandler.requestTimeout;
const SLOW_SECRET_MS = 900;
const MUTE_MS = 4000;
const TIMEOUT_MS = 1000;
const LATE_MS = 3000;
const VERY_LATE_MS = 50_000;
const ECHO_MS = 100_000;
const SLOW_MS = 70_000;
const PUSH_DEADLINE_MS = 5000;
const SLOW_PUSH_MS = 4000;
const RETRY_AFTER_MS = 20_000;
export const CLOCK_JUMP_MS = 8000;
const SPELL_MS = 12_000;
const DROUGHT_MS = 120_000;
const STALE_MS = 60_000;
/** The calls of an instance's first moment go out over the sockets that it had. */
export const FIRST_MOMENT_MS = 20;

type Named = string | { S?: string };
/** The parts of a call that decide its kind, the same on the wire and in a client's command. */
type Asked = {
  service: "dynamodb" | "sqs" | "secretsmanager";
  operation: string;
  body: {
    SecretId?: string;
    VersionStage?: string;
    ConsistentRead?: boolean;
    RequestItems?: Record<string, { Keys?: Record<string, Named>[]; ConsistentRead?: boolean }>;
    Key?: Record<string, unknown>;
    Item?: Record<string, unknown>;
    /** Each has one write, under the name of its kind. The first stands for all. */
    TransactItems?: Record<string, Asked["body"]>[];
    ExpressionAttributeValues?: Record<string, unknown>;
    UpdateExpression?: string;
    ConditionExpression?: string;
    QueueUrl?: string;
  };
};

const kindOf = ({ service, operation, body }: Asked): CallKind => {
  if (service === "secretsmanager") return "secret";
  if (service === "sqs") {
    if (operation === "ChangeMessageVisibility") return "visibility";
    return operation === "SendMessageBatch" ? "send-batch" : "send";
  }
  if (operation === "BatchGetItem")
    return Object.values(body.RequestItems ?? {}).every(({ ConsistentRead }) => ConsistentRead === true)
      ? "read"
      : "batch-read";
  if (operation === "GetItem" || operation === "Query") return body.ConsistentRead === true ? "read" : "stale-read";
  return "write";
};

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : ((value as { S?: string } | undefined)?.S ?? "");

const firstOf = (body: Asked["body"]): Asked["body"] =>
  (body.TransactItems ?? []).flatMap((one) => Object.values(one))[0] ?? body;

/** Calls with the same likeness do the same to another item, or the same once more. */
const likenessOf = (fn: string, { operation, body: whole }: Asked): string => {
  const body = firstOf(whole);
  if (body.SecretId !== undefined) return [fn, operation, body.SecretId, body.VersionStage].join(" ");
  const [batch] = Object.values(body.RequestItems ?? {});
  const key = body.Key ?? body.Item ?? batch?.Keys?.[0];
  const pk = textOf(key?.["pk"] ?? body.ExpressionAttributeValues?.[":pk"]);
  const names = [body.QueueUrl, ...pk.split("#"), textOf(key?.["sk"])].filter((part) =>
    /^[A-Z_-]+$|^http/.test(part ?? ""),
  );
  const change = `${body.UpdateExpression ?? ""} ${body.ConditionExpression ?? ""}`.replaceAll(/\d+/g, "");
  return [fn, operation, body.ConsistentRead, ...names, change].join(" ");
};

const pkOf = ({ body: whole }: Asked): string | undefined => {
  const body = firstOf(whole);
  const pk = textOf((body.Key ?? body.Item)?.["pk"] ?? body.ExpressionAttributeValues?.[":pk"]);
  return pk === "" ? undefined : pk;
};

const queueNameOf = (body: SqsRequest): string => body.QueueUrl?.split("/").at(-1) ?? "";

const describe = (request: WireRequest): string => {
  if (request.service === "secretsmanager")
    return `secrets ${request.operation} ${request.body.SecretId} ${request.body.VersionStage}`;
  if (request.service === "sqs") {
    const size = request.body.Entries === undefined ? "" : ` ${request.body.Entries.length}`;
    return `sqs ${request.operation} ${queueNameOf(request.body)}${size}`;
  }
  const { pk, sk } = placeOfRequest(request.body);
  return `dynamodb ${request.operation} ${pk} ${sk}`;
};

const shortType = (answer: WireAnswer): string => {
  const type = answer.body["__type"];
  return answer.status === 200 ? "ok" : typeof type === "string" ? (type.split("#").at(-1) ?? type) : "failed";
};

const reset = () => Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
const timedOut = () => Object.assign(new Error("Connection timed out"), { name: "TimeoutError" });
const fault = (status: number, type: string): WireAnswer => ({
  status,
  body: { __type: `com.amazonaws#${type}`, message: "injected" },
});
const throttled = (service: WireRequest["service"]) =>
  fault(400, service === "dynamodb" ? "ProvisionedThroughputExceededException" : "ThrottlingException");

/** A call that was made; calls of one likeness do the same. */
export type Made = { kind: CallKind; likeness: string };

/**
 * The place of a call in its run, assigned when the call is made, because its way through the SDK takes a while.
 * `planned`: the plan's fault for it; `mode`: what will happen to it; `answer`: the answer it already has.
 */
export type Turn = { number: number; planned: Mode | undefined; mode: Mode | undefined; answer?: WireAnswer };

/** The turn of the call that is passing through the SDK. */
const turns = new AsyncLocalStorage<Turn>();
export const inTurn = <Result>(turn: Turn, work: () => Result): Result => turns.run(turn, work);

const services = { "web-push": "a push service", email: "SES" };

/** Numbers every call on the wire and applies the plan's faults to it. */
export const createCalls = (context: CallsContext) => {
  const { kernel, dynamo, queues, fcm, plan } = context;
  const made: Made[] = [];
  const lines: Line[] = [];
  const tell = (line: Line) => {
    if (context.tells) lines.push(line);
  };
  const faults = new Map(plan.map(({ call, mode }) => [call, mode]));
  const lostWrites = new Set<string>();
  const refusedWrites = new Set<string>();
  /** Throttled partitions (undefined: all of them), and whether the throttling outlasts an invocation. */
  const dry: { pk: string | undefined; until: number; isLong: boolean }[] = [];
  let staleUntil = 0;
  /** Calls that were throttled until the SDK gave up. */
  const parched = new Set<string>();
  /** Sweepers that are auditing at the moment. */
  const auditors = new Set<Invocation>();
  /** Faults that wait for a call of their kind, after `after` others of that kind. */
  const waiting: { mode: Mode; after: number }[] = [];

  const faultOf = (number: number, kind: CallKind): Mode | undefined => {
    const fitting = waiting.filter(({ mode }) => modesOf(kind).includes(mode));
    const due = fitting.find(({ after }) => after === 0);
    for (const fault of fitting) fault.after -= 1;
    if (due !== undefined) waiting.splice(waiting.indexOf(due), 1);
    return faults.get(number) ?? due?.mode;
  };

  const dryness = (pk: string | undefined) =>
    dry.find((place) => place.until > kernel.now() && (place.pk === undefined || place.pk === pk));

  /** Begins a fault that lasts for a while. */
  const begin = (mode: Mode | undefined, pk: string | undefined, invocation: Invocation): void => {
    if (mode === "mute") {
      invocation.deadSocketsUntil = kernel.now() + MUTE_MS;
      context.disturbed(invocation.deadSocketsUntil);
    }
    const until = kernel.now() + (mode === "spell" ? SPELL_MS : mode === "stale-on" ? STALE_MS : DROUGHT_MS);
    if (mode === "stale-on") staleUntil = until;
    else if (mode === "drought") dry.push({ pk: undefined, until, isLong: true });
    else if (mode === "dry" || mode === "spell") dry.push({ pk, until, isLong: mode === "dry" });
    else return;
    context.disturbed(until);
  };

  /** What happens to a call because of outages, dead sockets and throttling around it. */
  const weather = (asked: Asked, invocation: Invocation): Mode | undefined => {
    // A secret is read over a connection of its own, which no frozen socket can be.
    if (asked.service === "secretsmanager") return context.outage.secrets;
    if (context.outage[asked.service]) return "refuse";
    if (invocation.deadSocketsUntil >= kernel.now()) return "dead-socket";
    const place = asked.service === "dynamodb" ? dryness(pkOf(asked)) : undefined;
    if (place === undefined) return undefined;
    invocation.faulted ||= place.isLong;
    return "throttle";
  };

  /** Takes the next number for a call about to be made. */
  const take = (asked: Asked, invocation: Invocation): Turn => {
    const kind = kindOf(asked);
    const number = made.push({ kind, likeness: likenessOf(invocation.fn, asked) });
    const planned = faultOf(number, kind);
    const [batch] = Object.values(asked.body.RequestItems ?? {});
    if (kind !== "secret") begin(planned, pkOf(asked) ?? textOf(batch?.Keys?.[0]?.["pk"]), invocation);
    return { number, planned, mode: planned ?? weather(asked, invocation) };
  };

  /** Takes the next number for an invocation about to begin, and returns its fault. */
  const start = (kind: "round" | "wake", fn: string): Mode | undefined => {
    const number = made.push({ kind, likeness: `${kind} ${fn}` });
    const planned = faultOf(number, kind);
    tell({ call: number, at: kernel.now(), who: fn, what: kind, attempt: 1, mode: planned, outcome: "ok" });
    if (planned !== undefined) context.disturbed(kernel.now());
    return planned;
  };

  const latency = (service: keyof typeof LATENCY_MS): number => {
    const [low, high] = LATENCY_MS[service];
    return low + Math.floor(context.random() * (high - low + 1));
  };

  const performSqs = (operation: string, body: SqsRequest, mode: Mode | undefined): WireAnswer => {
    const entries = body.Entries ?? [];
    const refused = mode === "partly" ? entries.slice(0, Math.ceil(entries.length / 2)) : [];
    const given = refused.length === 0 ? body : { ...body, Entries: entries.slice(refused.length) };
    context.sent.length = 0;
    try {
      // Half of a single entry, rounded up, is that entry: the whole batch is refused.
      const done = given.Entries?.length === 0 ? {} : context.sqs.run(operation, given);
      for (const { queue, message } of context.sent) {
        if (mode === "slow") queues[queue].show(message, message.visibleAt + SLOW_MS);
        const waits = message.visibleAt - kernel.now();
        if (mode === "twice") queues[queue].add(message, waits);
        if (mode === "echo") queues[queue].add(message, waits + ECHO_MS);
      }
      const Failed = refused.map(({ Id }) => ({ Id, Code: "InternalError", SenderFault: false }));
      return { status: 200, body: refused.length === 0 ? { ...done } : { ...done, Failed } };
    } catch (error) {
      if (error instanceof SqsError) return fault(400, error.name);
      throw error;
    }
  };

  const performSecret = ({ SecretId = "", VersionStage }: SecretRequest): WireAnswer => {
    const SecretString = VersionStage === "AWSPREVIOUS" ? undefined : secretTexts[SecretId];
    return SecretString === undefined
      ? fault(400, "ResourceNotFoundException")
      : { status: 200, body: { SecretString, CreatedDate: 0 } };
  };

  /** Notes a stale read whose answer differs from a fresh one. */
  const noteStale = (request: WireRequest & { service: "dynamodb" }, stale: WireAnswer): void => {
    const fresh = dynamo.perform(request.operation, request.body);
    const { pk } = placeOfRequest(request.body);
    if (JSON.stringify(fresh.body) !== JSON.stringify(stale.body)) context.see(`stale ${pk.split("#")[2] ?? pk}`);
  };

  const perform = (request: WireRequest, by?: Invocation, mode?: Mode): WireAnswer => {
    if (request.service === "sqs") return performSqs(request.operation, request.body, mode);
    if (request.service === "secretsmanager") return performSecret(request.body);
    const mayBeStale = by !== undefined && (kindOf(request) === "stale-read" || kindOf(request) === "batch-read");
    const isStale = mayBeStale && (mode === "stale" || staleUntil > kernel.now());
    const [table = "", batch] = Object.entries(request.body.RequestItems ?? {})[0] ?? [];
    const keys = batch?.Keys ?? [];
    const half = Math.floor(keys.length / 2);
    const left =
      mode === "partly" && half > 0 ? keys.slice(half) : keys.filter(({ pk }) => by !== undefined && dryness(pk?.S));
    if (left.length === 0) {
      const answer = dynamo.perform(request.operation, request.body, by, isStale);
      if (isStale) noteStale(request, answer);
      return answer;
    }
    if (left.length === keys.length) return throttled("dynamodb");
    const RequestItems = { [table]: { ...batch, Keys: keys.filter((key) => !left.includes(key)) } };
    const answer = dynamo.perform("BatchGetItem", { RequestItems }, by, isStale);
    return { ...answer, body: { ...answer.body, UnprocessedKeys: { [table]: { ...batch, Keys: left } } } };
  };

  const isRefusal = (answer: WireAnswer) => shortType(answer) === "ConditionalCheckFailedException";

  /** Notes signs that a mechanism has worked. */
  const watch = (request: WireRequest, invocation: Invocation, attempt: number, answer: WireAnswer, mode?: Mode) => {
    if (request.service === "secretsmanager") return;
    if (request.service === "sqs") {
      if (invocation.fn === "sweeper" && queueNameOf(request.body) === "events") context.see("sweeper rescued");
      return;
    }
    const key = `${invocation.id} ${describe(request)}`;
    if (parched.has(key) && answer.status === 200) context.see("throttle waited out");
    if (dry.some(({ until, isLong }) => isLong && until <= kernel.now())) context.see("minutes of throttling outlived");
    if (invocation.fn === "sweeper" && kindOf(request) === "write" && /LOST|AUDITED/.test(describe(request))) {
      for (const other of auditors) if (other.state !== "running") auditors.delete(other);
      auditors.add(invocation);
      if (auditors.size > 1) context.see("audits overlapped");
    }
    if (attempt === 1 && answer.status === 200 && refusedWrites.has(key)) context.see("conflict retried");
    if (attempt === 1 && isRefusal(answer)) refusedWrites.add(key);
    if (mode === "lose" && answer.status === 200 && kindOf(request) === "write") lostWrites.add(key);
    if (attempt > 1 && isRefusal(answer) && lostWrites.has(key)) context.see("own write recognised");
    const values = (request.body as { ExpressionAttributeValues?: Record<string, { N?: string }> })
      .ExpressionAttributeValues;
    if (answer.status === 200 && Number(values?.[":heldUntil"]?.N ?? 0) > 0) context.see("lease taken over");
  };

  /** Makes a call under its number. */
  const make = (
    { number, planned, mode }: Turn,
    request: WireRequest,
    invocation: Invocation,
    attempt: number,
    signal: AbortSignal | undefined,
  ): Promise<WireAnswer> => {
    const line: Line = {
      call: number,
      at: kernel.now(),
      who: `${invocation.fn}#${invocation.id}`,
      what: describe(request),
      attempt,
      mode: planned,
      outcome: "no answer",
    };
    tell(line);
    if (planned !== undefined) {
      // An invocation throttled for less than a lease must remember the answers it got, so it is not excused.
      invocation.faulted ||= planned !== "spell";
      context.disturbed(kernel.now());
    }
    const out = latency(request.service);
    const back = latency(request.service);

    return new Promise<WireAnswer>((resolve, reject) => {
      const after = (ms: number, run: () => void) => kernel.at(kernel.now() + ms, run);
      const reply = (ms: number, run: () => void) =>
        after(ms, () => {
          if (invocation.state !== "dead") run();
        });
      const effect = (): WireAnswer => {
        const answer = perform(request, invocation, mode);
        if (answer.status === 200 && !/^(Get|Query|BatchGet)/.test(request.operation)) invocation.effects += 1;
        line.outcome = shortType(answer);
        watch(request, invocation, attempt, answer, mode);
        return answer;
      };
      const lateEffect = (ms: number) => {
        context.disturbed(kernel.now() + ms);
        after(ms, () => {
          const answer = perform(request, invocation);
          line.outcome += `, ${shortType(answer)} after ${ms / 1000} s`;
          if (isRefusal(answer)) context.see("late write refused");
        });
      };
      const refuse = (answer: WireAnswer) => {
        line.outcome = shortType(answer);
        if (attempt === TRIES && answer.status === 400) parched.add(`${invocation.id} ${describe(request)}`);
        reply(out + back, () => resolve(answer));
      };
      const normal = () =>
        after(out, () => {
          const answer = effect();
          reply(back, () => resolve(answer));
        });

      signal?.addEventListener("abort", () => {
        line.outcome += ", given up";
        reject(Object.assign(new Error("Request aborted"), { name: "AbortError" }));
      });
      const jump = () => {
        Object.assign(invocation, { skewMs: mode === "ahead" ? CLOCK_JUMP_MS : -CLOCK_JUMP_MS });
        normal();
      };
      const late = (ms: number) => {
        line.outcome = "timed out";
        lateEffect(ms);
        reply(TIMEOUT_MS, () => reject(timedOut()));
      };
      const disturbFor = (ms: number) => {
        context.disturbed(kernel.now() + ms);
        normal();
      };
      const behaviours: Partial<Record<Mode, () => void>> = {
        refuse: () => refuse(fault(500, "InternalServerError")),
        throttle: () => refuse(throttled(request.service)),
        spell: () => refuse(throttled(request.service)),
        dry: () => refuse(throttled(request.service)),
        drought: () => refuse(throttled(request.service)),
        mute: () => {
          if (request.service === "secretsmanager") context.see("secret not answered for");
          else context.see("sockets went mute");
          line.outcome = "timed out";
          reply(request.service === "secretsmanager" ? SECRET_TIMEOUT_MS : REQUEST_TIMEOUT_MS, () =>
            reject(timedOut()),
          );
        },
        "dead-socket": () => {
          context.see("frozen request timed out");
          line.outcome = "timed out";
          reply(REQUEST_TIMEOUT_MS, () => reject(timedOut()));
        },
        break: () => refuse(fault(400, "AccessDeniedException")),
        lose: () =>
          after(out, () => {
            effect();
            reply(back, () => reject(reset()));
          }),
        late: () => late(LATE_MS),
        "very-late": () => late(VERY_LATE_MS),
        "die-before": () => {
          line.outcome = "never sent";
          context.kill(invocation);
        },
        "die-after": () =>
          after(out, () => {
            effect();
            context.kill(invocation);
          }),
        hang: () => {},
        "hang-after": () => after(out, effect),
        ahead: jump,
        behind: jump,
        echo: () => disturbFor(ECHO_MS),
        slow: () =>
          request.service === "secretsmanager" ? reply(SLOW_SECRET_MS, () => resolve(effect())) : disturbFor(SLOW_MS),
      };
      const behave = mode === undefined ? normal : (behaviours[mode] ?? normal);
      behave();
    });
  };

  /** The SDK's requests: the first try has the number of its command, each further one takes a number of its own. */
  const call: Network["call"] = (request, invocation, attempt, signal) => {
    if (invocation === undefined) return Promise.resolve(perform(request));
    if (invocation.state === "dead") return new Promise(() => {});
    const turn = (attempt === 1 ? turns.getStore() : undefined) ?? take(request, invocation);
    if (turn.answer !== undefined) return Promise.resolve(turn.answer);
    return make(turn, request, invocation, attempt, signal);
  };

  const push = (message: PushMessage, invocation: Invocation): Promise<PushOutcome> => {
    const number = made.push({ kind: "push", likeness: "push" });
    const planned = faultOf(number, "push");
    const { outage } = context;
    const mode = planned ?? (outage.mute ? "taken" : outage.fcm ? "retry" : undefined);
    const entry = fcm.begin(number, kernel.now(), message, invocation);
    const line: Line = {
      call: number,
      at: kernel.now(),
      who: `${invocation.fn}#${invocation.id}`,
      what: `fcm send ${entry.notificationId} to ${entry.token}`,
      attempt: 1,
      mode: planned,
      outcome: "no answer",
    };
    tell(line);
    if (planned !== undefined) {
      invocation.faulted = true;
      context.disturbed(kernel.now());
    }
    const out = latency("fcm");
    const back = latency("fcm");
    return new Promise<PushOutcome>((resolve) => {
      const after = (ms: number, run: () => void) => kernel.at(kernel.now() + ms, run);
      const answer = (ms: number, outcome: PushOutcome) =>
        after(ms, () => {
          if (invocation.state === "dead") return;
          entry.answer = outcome.kind;
          if (entry.way !== "fcm") context.see(`${services[entry.way]} answered: ${outcome.kind}`);
          line.outcome = outcome.kind;
          resolve(outcome);
        });
      const unknown = () => {
        context.disturbed(kernel.now() + PUSH_DEADLINE_MS);
        answer(PUSH_DEADLINE_MS, { kind: "unknown", code: "TIMEOUT" });
      };
      const normal = () =>
        after(out, () => answer(mode === "slow" ? SLOW_PUSH_MS : back, fcm.take(entry, kernel.now())));
      const jump = () => {
        Object.assign(invocation, { skewMs: mode === "ahead" ? CLOCK_JUMP_MS : -CLOCK_JUMP_MS });
        normal();
      };
      const takenAfter = (ms: number) => {
        after(ms, () => fcm.take(entry, kernel.now()));
        context.disturbed(kernel.now() + ms);
        unknown();
      };
      const behaviours: Partial<Record<Mode, () => void>> = {
        "die-before": () => context.kill(invocation),
        "die-after": () =>
          after(out, () => {
            fcm.take(entry, kernel.now());
            context.kill(invocation);
          }),
        unknown,
        taken: () => takenAfter(out),
        "taken-late": () => takenAfter(VERY_LATE_MS),
        retry: () => answer(out + back, fcm.say(entry, "retry")),
        "retry-after": () => {
          context.disturbed(kernel.now() + RETRY_AFTER_MS);
          answer(out + back, fcm.say(entry, "later"));
        },
        auth: () => answer(out + back, fcm.say(entry, "auth")),
        unregistered: () => {
          fcm.dead.add(entry.token);
          answer(out + back, fcm.say(entry, "unregistered"));
        },
        ahead: jump,
        behind: jump,
      };
      const behave = mode === undefined ? normal : (behaviours[mode] ?? normal);
      behave();
    });
  };

  /** A post to a webhook's receiver. */
  const post = (request: PostRequest, invocation: Invocation): Promise<PostOutcome> => {
    if (invocation.state === "dead") return new Promise(() => {});
    const number = made.push({ kind: "post", likeness: "post" });
    const mode = faultOf(number, "post");
    const { receivers } = context;
    const line: Line = {
      call: number,
      at: kernel.now(),
      who: `${invocation.fn}#${invocation.id}`,
      what: `post ${request.headers["webhook-id"]} to ${request.url}`,
      attempt: 1,
      mode,
      outcome: "no answer",
    };
    tell(line);
    if (mode !== undefined) {
      invocation.faulted = true;
      context.disturbed(kernel.now() + (mode === "retry-after" ? RETRY_AFTER_MS : 0));
    }
    const out = latency("fcm");
    return new Promise<PostOutcome>((resolve) => {
      const after = (ms: number, run: () => void) => kernel.at(kernel.now() + ms, run);
      const answer = (ms: number, outcome: PostOutcome) =>
        after(ms, () => {
          if (invocation.state === "dead") return;
          line.outcome = outcome.code;
          resolve(outcome);
        });
      const arrive = () => receivers.take(request, kernel.now());
      const late = () => answer(POST_DEADLINE_MS, { kind: "failed", code: "DEADLINE" });
      const normal = (ms = latency("fcm")) => after(out, () => answer(ms, arrive()));
      if (mode === "ahead" || mode === "behind")
        Object.assign(invocation, { skewMs: mode === "ahead" ? CLOCK_JUMP_MS : -CLOCK_JUMP_MS });
      if (mode === "die-before") context.kill(invocation);
      else if (mode === "die-after") after(out, () => (arrive(), context.kill(invocation)));
      else if (mode === "unknown") late();
      else if (mode === "taken") after(out, () => (arrive(), late()));
      else if (mode === "refuse") answer(out, { kind: "failed", code: "HTTP_500" });
      else if (mode === "retry-after") answer(out, { kind: "failed", code: "HTTP_429", retryAfterMs: RETRY_AFTER_MS });
      else normal(mode === "slow" ? SLOW_PUSH_MS : undefined);
    });
  };

  /**
   * A sweeper's query that finds nothing, like most of its calls: answered without the SDK, for speed, with the SDK's
   * result.
   */
  const idle = (pk: string, invocation: Invocation): Promise<{ Items: never[] }> => {
    if (invocation.state === "dead") return new Promise(() => {});
    const number = made.push({ kind: "idle", likeness: "idle" });
    const mode = faults.get(number);
    const line: Line = {
      call: number,
      at: kernel.now(),
      who: `${invocation.fn}#${invocation.id}`,
      what: `dynamodb Query ${pk} (nothing)`,
      attempt: 1,
      mode,
      outcome: mode === undefined ? "ok" : "no answer",
    };
    tell(line);
    if (mode !== undefined) {
      invocation.faulted = true;
      context.disturbed(kernel.now());
    }
    return new Promise((resolve, reject) => {
      if (mode === "die-before") context.kill(invocation);
      if (mode === "die-before" || mode === "hang") return;
      kernel.at(kernel.now() + latency("dynamodb"), () => {
        if (invocation.state === "dead") return;
        if (mode === "break") reject(Object.assign(new Error("injected"), { name: "AccessDeniedException" }));
        else resolve({ Items: [] });
      });
    });
  };

  /** Whether a partition is throttled at the moment. */
  const isDry = (pk: string): boolean => dryness(pk) !== undefined;

  return { take, start, isDry, make, perform, call, push, post, idle, made, lines, waiting };
};
export type Calls = ReturnType<typeof createCalls>;
