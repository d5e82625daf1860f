import { describe, expect, it } from "vitest";
import { outcomeOfCall, createMailInterpreter, outcomeOfSms } from "../../../core/push/aws-answer.ts";

const answerWithHeader = (status: number, name: string, message = "") => ({
  status,
  headers: { "x-amzn-errortype": name },
  body: JSON.stringify({ message }),
});
const answerWithBody = (status: number, name: string, Message = "") => ({
  status,
  headers: {},
  body: JSON.stringify({ __type: name, Message }),
});

const channels = [
  ["mail", createMailInterpreter("alerts@acme.example"), answerWithHeader],
  ["sms", outcomeOfSms, answerWithBody],
  ["voice", outcomeOfCall, answerWithHeader],
] as const;

describe.each(channels)("an AWS error on the channel %s", (_, outcomeOf, answer) => {
  it.each([
    "Throttling",
    "ThrottlingException",
    "TooManyRequestsException",
    "RequestLimitExceeded",
    "RequestThrottled",
    "SlowDown",
  ])("%s means too many requests a second, with any status", (name) => {
    const expected = { kind: "retry", code: name, slow: "rate" };

    expect([outcomeOf(answer(400, name)), outcomeOf(answer(429, name))]).toEqual([expected, expected]);
  });

  it.each([
    "AccessDeniedException",
    "ExpiredTokenException",
    "ExpiredToken",
    "ResourceNotFoundException",
    "SendingPausedException",
    "RequestExpired",
    "InvalidSignatureException",
    "UnrecognizedClientException",
    "IncompleteSignature",
    "OptInRequired",
  ])("%s counts as a fault of this service, even with status 400", (name) => {
    expect(outcomeOf(answer(400, name))).toEqual({ kind: "auth", code: name });
  });

  it.each(["RequestTimeout", "RequestTimeoutException", "ServiceUnavailable", "ServiceUnavailableException"])(
    "%s is retried, even with status 400",
    (name) => {
      expect(outcomeOf(answer(400, name))).toEqual({ kind: "retry", code: name });
    },
  );

  it.each([401, 403])("without a name and with status %i counts as a fault of this service", (status) => {
    expect(outcomeOf(answer(status, ""))).toEqual({ kind: "auth", code: `HTTP_${status}` });
  });

  it.each(["Daily message quota exceeded.", "Daily sending quota exceeded", "Exceeded 24-hour limit"])(
    "with this text means that the daily quota is used up, and not the rate: %s",
    (text) => {
      expect(outcomeOf(answer(429, "TooManyRequestsException", text))).toMatchObject({ kind: "retry", slow: "quota" });
    },
  );

  it.each([302, 500, 502])(
    "without a name and with status %i does not say whether the message was accepted",
    (status) => {
      expect(outcomeOf(answer(status, ""))).toEqual({ kind: "unknown", code: `HTTP_${status}` });
    },
  );

  it("with an unknown name counts as a fault of this service, and raises the alarm", () => {
    expect(outcomeOf(answer(400, "SomethingNewException"))).toEqual({ kind: "auth", code: "SomethingNewException" });
  });
});

describe("an AWS error about one address", () => {
  it.each([
    [
      "mail",
      () =>
        createMailInterpreter("alerts@acme.example")(
          answerWithHeader(400, "MessageRejected", "ann@x.example failed the check"),
        ),
    ],
    ["sms", () => outcomeOfSms(answerWithBody(400, "ConflictException"))],
    [
      "voice",
      () => outcomeOfCall(answerWithHeader(400, "InvalidParameterException", "Invalid destination phone number")),
    ],
  ])("counts as a fault of the address if it names the recipient: channel %s", (_, interpret) => {
    expect(interpret().kind).toBe("invalid");
  });

  it.each([
    [
      "mail",
      () =>
        createMailInterpreter("alerts@acme.example")(
          answerWithHeader(400, "MessageRejected", "Email address is not verified: alerts@acme.example"),
        ),
    ],
    [
      "voice",
      () => outcomeOfCall(answerWithHeader(400, "InvalidParameterException", "The source phone number is not claimed")),
    ],
    [
      "voice",
      () => outcomeOfCall(answerWithHeader(400, "SomethingNewException", "Destination: the account is closed")),
    ],
  ])("counts as a fault of this service if it names the sender: channel %s", (_, interpret) => {
    expect(interpret().kind).toBe("auth");
  });
});

it("the error for more than ten concurrent calls does not count as a used-up daily quota", () => {
  expect(outcomeOfCall(answerWithHeader(429, "LimitExceededException"))).toEqual({
    kind: "retry",
    code: "LimitExceededException",
    slow: "busy",
  });
});
