import { formatNumber } from "../numbers.ts";

/** Formats the duration in the unit that a person would use. */
export const formatDuration = (seconds: number): string => {
  if (seconds < 90) return `${formatNumber(Math.round(seconds))} s`;
  if (seconds < 90 * 60) return `${formatNumber(Math.round(seconds / 60))} min`;
  const hours = seconds / 3600;
  return hours < 36 ? `${formatNumber(hours, 1)} h` : `${formatNumber(hours / 24, 1)} Tage`;
};
