import { locale } from "../app/language.ts";

export const formatNumber = (n: number, digits = 0): string =>
  n.toLocaleString(locale, { maximumFractionDigits: digits });

/** Returns "1 event", "41 events". */
export const formatCount = (n: number, one: string, many: string): string =>
  `${formatNumber(n)} ${n === 1 ? one : many}`;
