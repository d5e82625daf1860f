import { Refusal } from "../../domain/basics/refusal.ts";
import { toIso } from "../../domain/basics/time.ts";
import { refuseApiKey } from "../../domain/workspace/api-key.ts";
import { computeRateStatus, computeRetryAfterSeconds } from "../../domain/workspace/rate-limit.ts";
import { computeEndOfMonth } from "../../domain/workspace/usage-plan.ts";
import type { Admission } from "../../store/events/control.ts";

export const refuseAdmission = (admission: Exclude<Admission, { kind: "admitted" }>, now: number): Refusal => {
  switch (admission.kind) {
    case "bad_key":
      return refuseApiKey();
    case "over_quota": {
      const { plan, used, month } = admission.control;
      const resetAt = toIso(computeEndOfMonth(month));
      return new Refusal(
        "quota_exceeded",
        `The workspace has used ${used} of the ${plan.monthlyEvents} events of this month. The count restarts at ${resetAt}.`,
        { members: { limit: plan.monthlyEvents, used, resetAt } },
      );
    }
    case "over_rate": {
      const { control } = admission;
      const { eventsPerMinute, burst } = control.plan;
      const seconds = computeRetryAfterSeconds(control, now);
      return new Refusal(
        "rate_limited",
        `The workspace may send ${eventsPerMinute} events a minute, in bursts of at most ${burst}. Try again in ${seconds} s.`,
        { retryAfterSeconds: seconds, rate: computeRateStatus(control, now) },
      );
    }
    case "contended":
      return new Refusal("busy", "The workspace is receiving too many events right now. Try again in 1 s.", {
        retryAfterSeconds: 1,
      });
  }
};
