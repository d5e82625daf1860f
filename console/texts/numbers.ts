import { locale } from "../app/language.ts";

export const formatNumber = (number: number, maxFractionDigits = 0): string =>
  number.toLocaleString(locale, { maximumFractionDigits: maxFractionDigits });

/** Formats a number with its noun, for example "1 event" and "41 events". */
export const formatCount = (count: number, singular: string, plural: string): string =>
  `${formatNumber(count)} ${count === 1 ? singular : plural}`;
