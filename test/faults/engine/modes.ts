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
  refuse: "answers 500 without effect",
  lose: "takes effect, its answer is lost",
  late: "times out, takes effect 3 s later",
  "very-late": "times out, takes effect 50 s later, past every lease",
  throttle: "is throttled",
  break: "is refused in a way that the client does not repeat",
  "die-before": "the invocation dies before the request is out",
  "die-after": "the invocation dies when it has taken effect",
  hang: "is never answered, has no effect",
  "hang-after": "is never answered, takes effect",
  mute: "the instance's sockets carry nothing for 4 s; a read of a secret, on a socket of its own, is not answered",
  stale: "reads the state before the last write",
  "stale-on": "it and whatever is read for a minute, and need not be consistent, sees the state before the last write",
  spell: "its partition is throttled for 12 s: longer than the client tries, shorter than a lease",
  dry: "its partition is throttled for two minutes",
  drought: "the whole table is throttled for two minutes",
  partly: "does a part of its batch",
  twice: "the message is delivered twice",
  echo: "the message is delivered again 100 s later, the timer 45 s later",
  missed: "the timer does not start anything this time",
  "dead-socket": "goes out over a socket that died while the instance was frozen",
  thaw: "the sockets that the instance had open are dead: what it asks first is not answered",
  slow: "the message (or the answer) comes late",
  ahead: "the instance's clock jumps ahead by 8 s",
  behind: "the instance's clock falls back by 8 s",
  unknown: "no answer, not taken",
  taken: "no answer, taken",
  "taken-late": "no answer, taken 50 s later",
  retry: "FCM asks to come again",
  "retry-after": "FCM asks to come again in 20 s",
  "too-fast": "AWS or Slack says by the name of an error that it is too many a second",
  "over-rate": "status 429, or its likeness, says that it is too many a second, and no time to come again",
  "over-quota": "AWS says that the quota of a day, the spend limit or the calls at once are used up",
  auth: "FCM refuses the credentials",
  unregistered: "FCM does not know the token",
} as const;
export type Mode = keyof typeof modes;

const clocks: readonly Mode[] = ["ahead", "behind"];
const deaths: readonly Mode[] = ["die-before", "die-after", "hang"];

const throttles: readonly Mode[] = ["throttle", "spell", "dry", "drought"];
const staleness: readonly Mode[] = ["stale", "stale-on"];

const pushes: readonly Mode[] = [
  "die-before",
  "die-after",
  "unknown",
  "taken",
  "taken-late",
  "retry",
  "retry-after",
  "over-rate",
  "auth",
  "unregistered",
  "slow",
  ...clocks,
];

const byKind: Readonly<Record<CallKind, readonly Mode[]>> = {
  idle: ["break", "die-before", "hang"],
  round: ["twice", "echo", "missed"],
  wake: ["thaw"],
  write: ["refuse", "lose", "late", "very-late", ...throttles, "break", ...deaths, "hang-after", "mute", ...clocks],
  read: ["refuse", ...throttles, "break", "die-before", "hang", "mute", ...clocks],
  "stale-read": ["refuse", ...throttles, "break", "die-before", "hang", "mute", ...staleness, ...clocks],
  "batch-read": ["refuse", ...throttles, "break", "die-before", "hang", ...staleness, "partly", ...clocks],
  send: ["refuse", "lose", "late", "throttle", "break", ...deaths, "hang-after", "twice", "echo", "slow", ...clocks],
  "send-batch": [
    "refuse",
    "lose",
    "late",
    "throttle",
    "break",
    ...deaths,
    "hang-after",
    "partly",
    "twice",
    "echo",
    "slow",
    ...clocks,
  ],
  secret: ["refuse", "throttle", "break", "die-before", "mute", "slow"],
  visibility: ["refuse", "lose", "throttle", "break", ...deaths],
  push: pushes,
  contact: [...pushes, "too-fast", "over-quota"],
  post: [
    "die-before",
    "die-after",
    "unknown",
    "taken",
    "refuse",
    "retry-after",
    "too-fast",
    "over-rate",
    "slow",
    ...clocks,
  ],
};

export const modesOf = (kind: CallKind): readonly Mode[] => byKind[kind];

/** The failures after which a client cannot know whether the call took effect, and may repeat it. */
export const unanswered: readonly Mode[] = ["lose", "late", "very-late", "hang-after"];

/** A fault at one call of a run. `call`: counted from 1. */
export type Fault = { call: number; mode: Mode };
export type Plan = readonly Fault[];

/** Formats a plan, for example `plain:1:12=lose,14=die-after`. */
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
      if (!isMode(mode)) throw new Error(`${mode} is no mode; there are ${Object.keys(modes).join(", ")}`);
      return { call: Number(call), mode };
    });
  return { scenario, seed: Number(seed), plan };
};
