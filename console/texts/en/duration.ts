import { number } from "../numbers.ts";

/** Formats a duration in the unit that people would use. */
export const duration = (seconds: number): string => {
  if (seconds < 90) return `${number(Math.round(seconds))} s`;
  if (seconds < 90 * 60) return `${number(Math.round(seconds / 60))} min`;
  const hours = seconds / 3600;
  return hours < 36 ? `${number(hours, 1)} h` : `${number(hours / 24, 1)} days`;
};
