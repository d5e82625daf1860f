export const weekDays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type WeekDay = (typeof weekDays)[number];

/** Hours of the week by a wall clock: from a time of day on these days until `to`, past midnight if need be. */
export type WeekHours = { days: readonly WeekDay[]; from: string; to: string };
