import * as v from "valibot";
import { describe, expect, it } from "vitest";
import {
  markMissingAnswer,
  describeFailedReason,
  isNothingLeftToSend,
  isFinal,
  NotificationReport,
  reportMoves,
  type DeviceAttempt,
  type DeviceOutcome,
} from "../../../../core/domain/delivery/notification.ts";

const attempt = (outcome: DeviceOutcome, unknowns = 0) => ({ outcome, tries: 1, unknowns });
const attempts = (...outcomes: DeviceOutcome[]) => outcomes.map((outcome) => attempt(outcome));

describe("a status report from an app", () => {
  it.each(["DELIVERED", "OPENED", "ACKNOWLEDGED"])("may have the status %s", (status) => {
    expect(v.is(NotificationReport, { status })).toBe(true);
  });

  it.each([
    ["the status SENT", { status: "SENT" }],
    ["a status in lowercase letters", { status: "opened" }],
    ["no status", {}],
    ["a field beside the status", { status: "OPENED", userId: "usr_ann" }],
  ])("is refused if it has %s", (_, report) => {
    expect(v.is(NotificationReport, report)).toBe(false);
  });

  it("that is invalid gets a fault that lists the allowed values", () => {
    const { issues = [] } = v.safeParse(NotificationReport, { status: "READ" });

    expect(issues.map(({ message }) => message)).toEqual(["status must be one of ACKNOWLEDGED, DELIVERED, OPENED."]);
  });

  it.each([
    ["DELIVERED", "QUEUED", true, "changes"],
    ["DELIVERED", "FAILED", false, "does not change"],
    ["DELIVERED", "OPENED", false, "does not change"],
    ["OPENED", "FAILED", false, "does not change"],
    ["OPENED", "DELIVERED", true, "changes"],
    ["OPENED", "ACKNOWLEDGED", false, "does not change"],
    ["ACKNOWLEDGED", "SENT", true, "changes"],
    ["ACKNOWLEDGED", "FAILED", true, "changes"],
    ["ACKNOWLEDGED", "OPENED", true, "changes"],
    ["ACKNOWLEDGED", "ACKNOWLEDGED", false, "does not change"],
  ] as const)("that says %s $3 a notification that is %s", (report, status, moves, _verb) => {
    expect(reportMoves[report].includes(status)).toBe(moves);
  });
});

describe("an attempt to push to a device", () => {
  it.each([
    ["sending", false, "is not"],
    ["retry", false, "is not"],
    ["auth", false, "is not"],
    ["unknown", false, "is not"],
    ["accepted", true, "is"],
    ["unregistered", true, "is"],
    ["invalid", true, "is"],
    ["unclear", true, "is"],
    ["expired", true, "is"],
  ] as const)("with the result %s $2 final", (outcome, final, _verb) => {
    expect(isFinal(attempt(outcome))).toBe(final);
  });

  it("is repeated once, but not again, if its answer was lost", () => {
    expect(markMissingAnswer({ outcome: "sending", tries: 3, unknowns: 0 })).toEqual({
      outcome: "unknown",
      tries: 3,
      unknowns: 1,
    });
    expect(markMissingAnswer({ outcome: "sending", tries: 4, unknowns: 1 })).toEqual({
      outcome: "unclear",
      tries: 4,
      unknowns: 2,
    });
  });

  it.each(["retry", "unknown", "accepted"] as const)(
    "counts a lost answer only while the attempt is being sent, and not if it already has the result %s",
    (outcome) => {
      expect(markMissingAnswer(attempt(outcome, 1))).toEqual({ outcome, tries: 1, unknowns: 1 });
    },
  );
});

describe("the failure reason that a notification shows", () => {
  it.each([
    ["says that the person has no devices", [], "No registered devices for user"],
    ["is empty if one device accepted the push", attempts("accepted", "invalid"), undefined],
    ["is empty while one device may still accept the push", attempts("unregistered", "retry"), undefined],
    ["says that all devices refused the push", attempts("unregistered", "invalid"), "FCM: all 2 device(s) failed"],
    [
      "says that the push may or may not have arrived",
      attempts("unclear", "expired", "invalid"),
      "FCM: no answer for 3 device(s); the push may or may not have arrived",
    ],
    [
      "says that no device accepted the push in time",
      attempts("invalid", "expired"),
      "FCM: not available before the push expired for 2 device(s); check the FCM credentials and status",
    ],
  ])("%s", (_, of, reason) => {
    expect(describeFailedReason(of)).toBe(reason);
  });

  it("names the channels that were tried", () => {
    const reasonAfter = (...tried: [DeviceAttempt["outcome"], DeviceAttempt["way"]?][]) =>
      describeFailedReason(tried.map(([outcome, way]) => ({ ...attempt(outcome), way })));

    expect(reasonAfter(["invalid"], ["invalid", "email"])).toBe(
      "Push and email: all 2 device(s) and address(es) failed",
    );
    expect(reasonAfter(["invalid", "voice"], ["expired", "sms"], ["invalid", "email"])).toBe(
      "Push, email, SMS and voice: not available before the push expired for 3 device(s), address(es), number(s) " +
        "and telephone(s); check the credentials and status",
    );
  });

  it("is empty if a device accepted an earlier page", () => {
    expect(describeFailedReason([{ ...attempt("invalid"), rang: "taken" }])).toBeUndefined();
    expect(describeFailedReason([{ ...attempt("invalid"), rang: "tried" }])).toBe("FCM: all 1 device(s) failed");
  });
});

describe("a notification", () => {
  it.each([
    ["QUEUED", "one accepted push", ["accepted"], false, "still has a push"],
    ["SENT", "one accepted and one invalid push", ["accepted", "invalid"], true, "has nothing left"],
    ["SENT", "one accepted push and one retry", ["accepted", "retry"], false, "still has a push"],
    ["DELIVERED", "one retry", ["retry"], false, "still has a push"],
    ["FAILED", "one expired push", ["expired"], true, "has nothing left"],
    ["FAILED", "no pushes", [], true, "has nothing left"],
    ["OPENED", "one retry", ["retry"], true, "has nothing left"],
    ["ACKNOWLEDGED", "one retry", ["retry"], true, "has nothing left"],
  ] as const)("that is %s and has %s $4 to send", (status, _, outcomes, done, _verb) => {
    const byDevice = Object.fromEntries(outcomes.map((outcome, index) => [`dev_${index}`, attempt(outcome)]));

    expect(isNothingLeftToSend(status, byDevice)).toBe(done);
  });

  it("has nothing left to send if its recipient saw the event before any push was tried", () => {
    expect(isNothingLeftToSend("SENT", undefined)).toBe(false);
    expect(isNothingLeftToSend("ACKNOWLEDGED", undefined)).toBe(true);
  });
});
