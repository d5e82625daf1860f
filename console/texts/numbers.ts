import { locale } from "../app/language.ts";

export const formatNumber = (n: number, digits = 0): string =>
  n.toLocaleString(locale, { maximumFractionDigits: digits });

/** For example "1 event" and "41 events". */
export const formatCount = (n: number, one: string, many: string): string =>
  `${formatNumber(n)} ${n === 1 ? one : many}`;
