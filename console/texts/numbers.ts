import { locale } from "../app/language.ts";

/** Formats a number for the reader's locale. */
export const number = (n: number, digits = 0): string => n.toLocaleString(locale, { maximumFractionDigits: digits });

/** Returns "1 event", "41 events". */
export const counted = (n: number, one: string, many: string): string => `${number(n)} ${n === 1 ? one : many}`;
