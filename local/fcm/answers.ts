import * as v from "valibot";

/** The answer to one request. `accept` adds the message to the inbox; `takeAndReset` also disconnects. */
export type FcmAnswer =
  | { kind: "accept"; afterMs: number }
  | { kind: "takeAndReset" }
  | { kind: "refuse"; status: number; code?: string | undefined; retryAfter?: string | undefined }
  | { kind: "reset" }
  | { kind: "truncate" }
  | { kind: "stall" }
  | { kind: "goaway" };

/**
 * A fault in force until it is removed, or for `times` requests. For sends, the fault applies only to tokens that start with
 * `tokenPrefix`.
 * `refuse`: an error answer. With `code`, the details contain FCM's own error code; without `code`, there is only a status.
 * `reset`: the connection breaks, and the message is not stored.
 * `takeAndReset`: the message is stored, then the connection breaks.
 * `truncate`: the message is stored, and the connection breaks in the middle of the answer.
 * `stall`: no answer, ever; the connection stays open.
 * `goaway`: the connection is closed without an answer, under HTTP/2 after a GOAWAY.
 */
export const Fault = v.strictObject({
  kind: v.picklist(["refuse", "reset", "takeAndReset", "truncate", "stall", "goaway"]),
  status: v.optional(v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599))),
  code: v.optional(v.string()),
  retryAfter: v.optional(v.string()),
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  tokenPrefix: v.optional(v.string()),
});
export type Fault = v.InferOutput<typeof Fault>;

/** The faults in force. The first fault that applies selects the answer; without a fault, the token selects the answer. */
export const Mode = v.strictObject({ send: v.optional(v.array(Fault), []), oauth: v.optional(v.array(Fault), []) });
export type Mode = v.InferOutput<typeof Mode>;

export const chooseAnswerForFault = ({ kind, status, code, retryAfter }: Fault): FcmAnswer =>
  kind === "refuse" ? { kind, status: status ?? 503, code, retryAfter } : { kind };

type TokenRule = { pattern: RegExp; answer: (n: number, requestsBefore: number) => FcmAnswer };

const accept: FcmAnswer = { kind: "accept", afterMs: 0 };

const tokenRules: readonly TokenRule[] = [
  { pattern: /^stale-/, answer: () => ({ kind: "refuse", status: 404, code: "UNREGISTERED" }) },
  { pattern: /^foreign-/, answer: () => ({ kind: "refuse", status: 403, code: "SENDER_ID_MISMATCH" }) },
  { pattern: /^invalid-/, answer: () => ({ kind: "refuse", status: 400, code: "INVALID_ARGUMENT" }) },
  {
    pattern: /^flaky-(\d+)-/,
    answer: (n, before) => (before < n ? { kind: "refuse", status: 503, code: "UNAVAILABLE" } : accept),
  },
  {
    pattern: /^quota-(\d+)-/,
    answer: (n, before) =>
      before < n ? { kind: "refuse", status: 429, code: "QUOTA_EXCEEDED", retryAfter: "1" } : accept,
  },
  { pattern: /^slow-(\d+)-/, answer: (n) => ({ kind: "accept", afterMs: n }) },
  { pattern: /^reset-(\d+)-/, answer: (n, before) => (before < n ? { kind: "takeAndReset" } : accept) },
];

/** Chooses the answer by the token's beginning, such as `slow-`, and its number of earlier requests. By default, accepts. */
export const chooseAnswerForToken = (token: string, requestsBefore: number): FcmAnswer => {
  for (const { pattern, answer } of tokenRules) {
    const match = pattern.exec(token);
    if (match !== null) return answer(Number(match[1] ?? 0), requestsBefore);
  }
  return accept;
};

/** Returns whether the answer to a push depends on the number of earlier requests for the token. */
export const dependsOnRequestCount = (token: string): boolean => /^(?:flaky|quota|reset)-/.test(token);

const statusNames: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

export const createFcmErrorBody = (status: number, code: string | undefined, message: string) => ({
  error: {
    code: status,
    message,
    status: statusNames[status] ?? "UNKNOWN",
    ...(code === undefined
      ? {}
      : { details: [{ "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", errorCode: code }] }),
  },
});

const FCM_MAX_BYTES = 4096;

const SendRequest = v.object({
  message: v.looseObject({
    token: v.pipe(v.string(), v.nonEmpty()),
    notification: v.optional(v.looseObject({})),
    data: v.optional(v.record(v.string(), v.string())),
  }),
});

export type ReceivedMessage = v.InferOutput<typeof SendRequest>["message"];

/** Reads a request that sends a push. Returns the push's message, or the reason why FCM would refuse it. */
export const readSendRequest = (body: unknown): { message: ReceivedMessage } | { refused: string } => {
  const parsed = v.safeParse(SendRequest, body);
  if (!parsed.success) return { refused: "Invalid JSON payload received." };
  const { message } = parsed.output;
  const { notification = {}, data = {} } = message;
  const reserved = Object.keys(data).find((key) => key === "from" || /^(?:google|gcm)\./.test(key));
  if (reserved !== undefined) return { refused: `Invalid data payload key: ${reserved}` };
  return Buffer.byteLength(JSON.stringify({ notification, data })) > FCM_MAX_BYTES
    ? { refused: "Android message is too big" }
    : { message };
};
