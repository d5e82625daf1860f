import * as v from "valibot";
import type { PushOutcome, SlowReason } from "../domain/delivery/push/outcome.ts";
import type { PostAnswer } from "./post.ts";

/** The names of AWS's errors by meaning. HTTP statuses do not suffice: a throttled request's status depends on AWS's protocol. */
const MEANINGS = {
  rate: [
    "PriorRequestNotComplete",
    "RequestLimitExceeded",
    "RequestThrottled",
    "RequestThrottledException",
    "SlowDown",
    "ThrottledException",
    "Throttling",
    "ThrottlingException",
    "TooManyRequestsException",
  ],
  /** Exceeded limits of the account, such as messages per day or monthly cost. */
  quota: ["LimitExceededException", "ServiceQuotaExceededException"],
  retry: ["RequestTimeout", "RequestTimeoutException", "ServiceUnavailable", "ServiceUnavailableException"],
} as const satisfies Record<string, readonly string[]>;

const meanings = ["rate", "quota", "retry"] as const;
/** The field `text` may contain addresses, so the text is neither logged nor stored. */
type AwsError = { name: string; reason: string | undefined; text: string };

type AwsErrors = {
  isOfRecipient: (error: AwsError) => boolean;
  /** The outcome of an exceeded limit; by default `quota`, which lasts for hours. */
  limit?: SlowReason;
  /** The outcome of a refusal whose error has no readable name; by default, `auth`. */
  unnamed?: "invalid" | "auth";
};

/** Finds the error's name. Only the name is logged and stored, because the error's text contains the recipient. */
const NAME = /^(?:[\w.]{1,100}#)?(?<name>[A-Za-z_]{1,80})(?::|$)/;
const parseErrorName = (text: string): string => NAME.exec(text)?.groups?.["name"] ?? "";

const Body = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    __type: v.optional(v.string(), ""),
    Reason: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z_]{1,80}$/))),
    message: v.optional(v.string()),
    Message: v.optional(v.string()),
  }),
);

const readAwsError = ({ headers, body }: PostAnswer): AwsError => {
  const parsed = v.safeParse(Body, body);
  const { __type: type, Reason: reason, message, Message } = parsed.success ? parsed.output : { __type: "" };
  const name = parseErrorName(String(headers["x-amzn-errortype"] ?? "")) || parseErrorName(type);
  return { name, reason, text: message ?? Message ?? "" };
};

/** SES uses one error name for the daily quota and for too many messages per second; only their texts differ. */
const OF_THE_DAY = /\b(?:daily|24.?hour|per day)\b/i;

const Taken = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([
    v.pipe(
      v.object({ MessageId: v.string() }),
      v.transform(({ MessageId }) => MessageId),
    ),
    v.pipe(
      v.object({ ContactId: v.string() }),
      v.transform(({ ContactId }) => ContactId),
    ),
  ]),
);

/** Returns a function that turns the answer of an AWS service into a push's outcome. `AwsErrors` says what AWS's errors mean. */
const createAwsInterpreter =
  ({ isOfRecipient, limit = "quota", unnamed = "auth" }: AwsErrors) =>
  (answer: PostAnswer): PushOutcome => {
    const { status, body } = answer;
    if (status === 200) {
      const taken = v.safeParse(Taken, body);
      return { kind: "accepted", messageId: taken.success ? taken.output : "" };
    }
    const error = readAwsError(answer);
    const code = error.reason ?? (error.name === "" ? `HTTP_${status}` : error.name);
    const meaning = meanings.find((one) => MEANINGS[one].some((name) => name === error.name));
    if (meaning === "quota") return { kind: "retry", code, slow: limit };
    if (meaning === "rate" || status === 429)
      return { kind: "retry", code, slow: OF_THE_DAY.test(error.text) ? "quota" : "rate" };
    if (meaning === "retry" || status === 408 || status === 503) return { kind: "retry", code };
    // The answer does not say whether AWS accepted the message.
    if (status >= 500 || status < 400) return { kind: "unknown", code };
    if (error.name === "") return { kind: status === 401 || status === 403 ? "auth" : unnamed, code };
    return { kind: isOfRecipient(error) ? "invalid" : "auth", code };
  };

/** Returns a function that turns SES's answer into an outcome: `auth`, not `invalid`, if a rejection names the sender `from`. */
export const createMailInterpreter = (from: string): ((answer: PostAnswer) => PushOutcome) =>
  createAwsInterpreter({
    isOfRecipient: ({ name, text }) =>
      name === "BadRequestException" || (name === "MessageRejected" && !text.includes(from)),
    unnamed: "invalid",
  });

/** The reasons for refusing a text message that concern this service's account or settings, not the recipient's number. */
const ABOUT_US: readonly string[] = [
  "NO_ORIGINATION_IDENTITIES_FOUND",
  "MESSAGE_TYPE_MISMATCH",
  "RESOURCE_NOT_ACTIVE",
  "RESOURCE_NOT_ACCESSIBLE",
  "SENDER_ID_NOT_REGISTERED",
  "SENDER_ID_REQUIRES_REGISTRATION",
];

/** Interprets an answer of AWS End User Messaging, which adds a reason to the error. */
export const outcomeOfSms = createAwsInterpreter({
  isOfRecipient: ({ name, reason = "" }) =>
    (name === "ValidationException" || name === "ConflictException") && !ABOUT_US.includes(reason),
});

/** Interprets Amazon Connect's answer. Only errors about a number make it invalid. `busy`: too many calls at once. */
export const outcomeOfCall = createAwsInterpreter({
  isOfRecipient: ({ name, text }) =>
    name === "DestinationNotAllowedException" || (name === "InvalidParameterException" && /destination/i.test(text)),
  limit: "busy",
});
