/* The failures of a call that its caller can distinguish. Each mode is tried for every call where it makes a difference. */

/** The deviation of a clock that is ahead or behind, and the delay of a very late call. */
export const CLOCK_JUMP_MS = 8000;
export const VERY_LATE_MS = 50_000;

/**
 * The kind of a call decides its modes. `stale-read`: a read that need not be consistent. `idle`: a sweeper's query that
 * finds nothing. `round`: the timer starts the sweeper. `wake`: an instance that has been frozen since its last invocation
 * gets another invocation. `secret`: Secrets Manager. `contact`: a message by email or SMS, or a call.
 */
export type CallKind =
  | "idle"
  | "round"
  | "wake"
  | "write"
  | "read"
  | "stale-read"
  | "batch-read"
  | "send"
  | "send-batch"
  | "visibility"
  | "secret"
  | "push"
  | "contact"
  | "post";

export const modes = {
  fail: "the service answers 500, and the call has no effect",
  lost: "the call takes effect, and its answer is lost",
  late: "the call times out and takes effect 3 s later",
  "very-late": "the call times out and takes effect 50 s later, when every lease has ended",
  throttle: "the call is throttled",
  denied: "the service refuses the call with an error that the client does not retry",
  "die-before": "the invocation dies before it sends the request",
  "die-after": "the invocation dies after the call has taken effect",
  hang: "the call gets no answer and has no effect",
  "hang-after": "the call gets no answer, and takes effect",
  silent: "the instance's sockets carry nothing for 4 s; a read of a secret, which has its own socket, gets no answer",
  stale: "the read returns the state before the last write",
  "stale-minute": "all eventually consistent reads return the state before the last write for a minute",
  "throttle-12s": "the partition is throttled for 12 s: longer than the client retries, shorter than a lease",
  "throttle-partition": "the partition is throttled for two minutes",
  "throttle-table": "the whole table is throttled for two minutes",
  partial: "the service processes a part of the batch",
  duplicate: "the message is delivered twice",
  "late-duplicate": "the message is delivered again 100 s later, or the timer starts the sweeper again 45 s later",
  skipped: "the timer does not start the sweeper",
  "socket-timeout": "the request uses a socket that died while the instance was frozen",
  "dead-sockets": "the instance's open sockets are dead, so its first requests get no answer",
  slow: "the message or the answer arrives late",
  "clock-ahead": "the instance's clock jumps ahead by 8 s",
  "clock-behind": "the instance's clock jumps back by 8 s",
  "no-answer": "the service neither answers nor accepts the message",
  "accepted-no-answer": "the service accepts the message and does not answer",
  "accepted-late": "the service does not answer, and accepts the message 50 s later",
  retry: "the service asks for a retry",
  "retry-after": "the service asks for a retry in 20 s",
  "rate-error": "AWS or Slack refuses the call with an error whose name says that the rate is exceeded",
  "rate-limit": "status 429 or its equivalent says that the rate is exceeded, without a Retry-After",
  "quota-exceeded": "AWS says that a day's quota, the spend limit or the number of concurrent calls is exceeded",
  auth: "the push service refuses the credentials",
  unregistered: "the push service does not know the token",
} as const;
export type Mode = keyof typeof modes;

const clocks: readonly Mode[] = ["clock-ahead", "clock-behind"];
const deaths: readonly Mode[] = ["die-before", "die-after", "hang"];

const throttles: readonly Mode[] = ["throttle", "throttle-12s", "throttle-partition", "throttle-table"];
const staleness: readonly Mode[] = ["stale", "stale-minute"];

const pushes: readonly Mode[] = [
  "die-before",
  "die-after",
  "no-answer",
  "accepted-no-answer",
  "accepted-late",
  "retry",
  "retry-after",
  "rate-limit",
  "auth",
  "unregistered",
  "slow",
  ...clocks,
];

const requests: readonly Mode[] = ["fail", "lost", "late", "throttle", "denied", ...deaths, "hang-after"];
const deliveries: readonly Mode[] = ["duplicate", "late-duplicate", "slow", ...clocks];

const byKind: Readonly<Record<CallKind, readonly Mode[]>> = {
  idle: ["denied", "die-before", "hang"],
  round: ["duplicate", "late-duplicate", "skipped"],
  wake: ["dead-sockets"],
  write: ["fail", "lost", "late", "very-late", ...throttles, "denied", ...deaths, "hang-after", "silent", ...clocks],
  read: ["fail", ...throttles, "denied", "die-before", "hang", "silent", ...clocks],
  "stale-read": ["fail", ...throttles, "denied", "die-before", "hang", "silent", ...staleness, ...clocks],
  "batch-read": ["fail", ...throttles, "denied", "die-before", "hang", ...staleness, "partial", ...clocks],
  send: [...requests, ...deliveries],
  "send-batch": [...requests, "partial", ...deliveries],
  secret: ["fail", "throttle", "denied", "die-before", "silent", "slow"],
  visibility: ["fail", "lost", "throttle", "denied", ...deaths],
  push: pushes,
  contact: [...pushes, "rate-error", "quota-exceeded"],
  post: [
    "die-before",
    "die-after",
    "no-answer",
    "accepted-no-answer",
    "fail",
    "retry-after",
    "rate-error",
    "rate-limit",
    "slow",
    ...clocks,
  ],
};

export const modesOf = (kind: CallKind): readonly Mode[] => byKind[kind];

/** The failures after which a client cannot know whether the call took effect, and may repeat it. */
export const unanswered: readonly Mode[] = ["lost", "late", "very-late", "hang-after"];

/** A fault at one call of a run. `call`: counted from 1. */
export type Fault = { call: number; mode: Mode };
export type Plan = readonly Fault[];

/** Formats a plan, for example `plain:1:12=lost,14=die-after`. */
export const formatPlan = (scenario: string, seed: number, plan: Plan): string =>
  `${scenario}:${seed}:${plan.map(({ call, mode }) => `${call}=${mode}`).join(",")}`;

const isMode = (text: string): text is Mode => Object.hasOwn(modes, text);

export const parsePlan = (text: string): { scenario: string; seed: number; plan: Plan } => {
  const [scenario = "", seed = "1", faults = ""] = text.split(":");
  const plan = faults
    .split(",")
    .filter((part) => part !== "")
    .map((part): Fault => {
      const [call = "", mode = ""] = part.split("=");
      if (!isMode(mode)) throw new Error(`Unknown mode "${mode}". The modes are ${Object.keys(modes).join(", ")}`);
      return { call: Number(call), mode };
    });
  return { scenario, seed: Number(seed), plan };
};
