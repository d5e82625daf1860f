import * as v from "valibot";
import { toIssuePath } from "../basics/refusal.ts";
import { timestampSchema } from "../basics/clock/timestamp.ts";
import { fromIso } from "../basics/time.ts";
import { DAY_MS } from "../basics/units.ts";
import { UserId } from "../basics/user-id.ts";
import { OVERRIDE_MAX_DAYS } from "./limits.ts";

type Times = { start: string; end: string };

const computeDurationMs = ({ start, end }: Times): number => (fromIso(end) ?? 0) - (fromIso(start) ?? 0);

export const endsAfter = ({ end }: Pick<Times, "end">, now: number): boolean => (fromIso(end) ?? 0) > now;

export const overrideTimes = { start: timestampSchema("start"), end: timestampSchema("end") };

/** Returns a check that an override ends after its start, and lasts not too long. `name`: the override's path, for messages. */
export const checkTimeOrder = <Override extends Times>(name = "") =>
  v.rawCheck<Override>(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.issues !== undefined) return;
    const { value } = dataset;
    const length = computeDurationMs(value);
    if (length > 0 && length <= OVERRIDE_MAX_DAYS * DAY_MS) return;
    addIssue({
      message:
        length > 0
          ? `${name}end must be at most ${OVERRIDE_MAX_DAYS} days after ${name}start.`
          : `${name}end must be later than ${name}start.`,
      path: toIssuePath(value, "end"),
    });
  });

const MESSAGE = "An override must be an object: {userId, start, end}.";

/** Puts somebody on call from `start` to `end`, instead of the layers. */
export const OnCallOverrideInput = v.pipe(v.object({ userId: UserId, ...overrideTimes }, MESSAGE), checkTimeOrder());
export type OnCallOverrideInput = v.InferOutput<typeof OnCallOverrideInput>;

/** An override or cover that is not stored. `insteadOf`: the person whose shift is covered. */
export const DraftOverride = v.pipe(
  v.object({ userId: UserId, ...overrideTimes, insteadOf: v.exactOptional(UserId) }, MESSAGE),
  checkTimeOrder(),
);

/** A stored override. A cover has `insteadOf`, and applies only while that person would be on call. */
export type OverridePeriod = OnCallOverrideInput & {
  id: string;
  insteadOf?: string | undefined;
  createdAt?: string | undefined;
};
