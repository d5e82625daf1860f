import * as v from "valibot";
import { wholeNumberSchema } from "../basics/number.ts";

/** The classes of hours on call. An hour of several classes, such as a weekend night, belongs to the last in this list. */
export const hourClasses = ["weekday", "night", "weekend", "holiday"] as const;
export type HourClass = (typeof hourClasses)[number];

export const reportedBy = ["person", "group"] as const;

/** What people are paid for: an hour on call, by class, and a page at night. */
export const paidFor = [...hourClasses, "nightPage"] as const;

export const CENTS_MAX = 1_000_000;
const payRateSchema = (name: string) => v.exactOptional(wholeNumberSchema(`pay.${name}`, 0, CENTS_MAX), 0);

/** The pay in cents, per hour of each class and per page at night; null if people are not paid. */
export const Pay = v.nullable(
  v.strictObject(
    {
      weekday: payRateSchema("weekday"),
      night: payRateSchema("night"),
      weekend: payRateSchema("weekend"),
      holiday: payRateSchema("holiday"),
      nightPage: payRateSchema("nightPage"),
    },
    "pay must be null or an object of cents: {weekday, night, weekend, holiday, nightPage}.",
  ),
);
export type Pay = v.InferOutput<typeof Pay>;
