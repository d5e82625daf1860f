import * as v from "valibot";
import type { PushOutcome, Slow } from "../domain/delivery/push/outcome.ts";
import type { PostAnswer } from "./post.ts";

/**
 * What the names of AWS's errors mean, whatever the service and the status: those that every service may give, and those
 * of the services that send. The protocols differ in whether a throttled request is 400 or 429.
 */
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
  /** The account's limits: of a day, of a month's price, or of calls at once. */
  quota: ["LimitExceededException", "ServiceQuotaExceededException"],
  retry: ["RequestTimeout", "RequestTimeoutException", "ServiceUnavailable", "ServiceUnavailableException"],
  /** Our credentials, our clock, our permissions. */
  auth: [
    "AccessDenied",
    "AccessDeniedException",
    "AccountSuspendedException",
    "ExpiredToken",
    "ExpiredTokenException",
    "IncompleteSignature",
    "IncompleteSignatureException",
    "InvalidClientTokenId",
    "InvalidSignatureException",
    "MailFromDomainNotVerifiedException",
    "MissingAuthenticationToken",
    "MissingAuthenticationTokenException",
    "NotAuthorized",
    "NotFoundException",
    "OptInRequired",
    "OutboundContactNotPermittedException",
    "RequestExpired",
    "ResourceNotFoundException",
    "SendingPausedException",
    "SignatureDoesNotMatch",
    "SignatureDoesNotMatchException",
    "UnrecognizedClientException",
  ],
} as const satisfies Record<string, readonly string[]>;

const meanings = ["rate", "quota", "retry", "auth"] as const;
const meaningOf = (error: string): (typeof meanings)[number] | undefined =>
  meanings.find((meaning) => MEANINGS[meaning].some((name) => name === error));

/** An error as a service gives it. `text` names addresses: it is read here and goes no further. */
type AwsError = { name: string; reason: string | undefined; text: string };

/** What a service adds to the table: which of its errors concern one recipient, and what its limit means. */
type AwsErrors = {
  isOfRecipient: (error: AwsError) => boolean;
  /** Default: a quota that lasts for hours. */
  limit?: Slow;
  /** What a refusal without a readable name means. Default: `auth`. */
  unnamed?: "invalid" | "auth";
};

/** Names alone are logged and stored: the texts name the recipient. */
const NAME = /^(?:[\w.]{1,100}#)?(?<name>[A-Za-z_]{1,80})(?::|$)/;
const nameOf = (text: string): string => NAME.exec(text)?.groups?.["name"] ?? "";

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

const errorOf = ({ headers, body }: PostAnswer): AwsError => {
  const parsed = v.safeParse(Body, body);
  const { __type: type, Reason: reason, message, Message } = parsed.success ? parsed.output : { __type: "" };
  const name = nameOf(String(headers["x-amzn-errortype"] ?? "")) || nameOf(type);
  return { name, reason, text: message ?? Message ?? "" };
};

/** SES answers a used up day as it answers too many a second, and tells them apart in the text alone. */
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

/** What the answer of a service of AWS means, by the table and by what the service adds to it. */
const outcomeOfAws =
  ({ isOfRecipient, limit = "quota", unnamed = "auth" }: AwsErrors) =>
  (answer: PostAnswer): PushOutcome => {
    const { status, body } = answer;
    if (status === 200) {
      const taken = v.safeParse(Taken, body);
      return { kind: "accepted", messageId: taken.success ? taken.output : "" };
    }
    const error = errorOf(answer);
    const code = error.reason ?? (error.name === "" ? `HTTP_${status}` : error.name);
    const meaning = meaningOf(error.name);
    if (meaning === "quota") return { kind: "retry", code, slow: limit };
    if (meaning === "rate" || status === 429)
      return { kind: "retry", code, slow: OF_THE_DAY.test(error.text) ? "quota" : "rate" };
    if (meaning === "retry" || status === 408 || status === 503) return { kind: "retry", code };
    // A failure that is not explained says nothing about whether the message was taken.
    if (status >= 500 || status < 400) return { kind: "unknown", code };
    if (meaning === "auth") return { kind: "auth", code };
    if (error.name === "") return { kind: status === 401 || status === 403 ? "auth" : unnamed, code };
    return { kind: isOfRecipient(error) ? "invalid" : "auth", code };
  };

/**
 * SES rejects a message because of its recipient (in the sandbox one who is not verified, or one on the suppression list)
 * or because of the sender, whom it then names.
 */
export const outcomeOfMail = (from: string): ((answer: PostAnswer) => PushOutcome) =>
  outcomeOfAws({
    isOfRecipient: ({ name, text }) =>
      name === "BadRequestException" || (name === "MessageRejected" && !text.includes(from)),
    unnamed: "invalid",
  });

/** Reasons that concern this service's account, its origination identity or its settings, not the number. */
const ABOUT_US: readonly string[] = [
  "NO_ORIGINATION_IDENTITIES_FOUND",
  "MESSAGE_TYPE_MISMATCH",
  "RESOURCE_NOT_ACTIVE",
  "RESOURCE_NOT_ACCESSIBLE",
  "SENDER_ID_NOT_REGISTERED",
  "SENDER_ID_REQUIRES_REGISTRATION",
];

/** End User Messaging names a reason beside the error. */
export const outcomeOfSms = outcomeOfAws({
  isOfRecipient: ({ name, reason = "" }) =>
    (name === "ValidationException" || name === "ConflictException") && !ABOUT_US.includes(reason),
});

/**
 * Connect refuses a country that the instance may not call, or a number that is none. A parameter that is not the number
 * is one of the stage's settings, such as the number that calls come from. Its limit is of calls at once, which end soon.
 */
export const outcomeOfCall = outcomeOfAws({
  isOfRecipient: ({ name, text }) =>
    name === "DestinationNotAllowedException" || (name === "InvalidParameterException" && /destination/i.test(text)),
  limit: "busy",
});
