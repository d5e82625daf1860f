import { locale } from "../app/language.ts";

/** A number as the reader writes it. */
export const number = (n: number, digits = 0): string => n.toLocaleString(locale, { maximumFractionDigits: digits });

/** "1 event", "41 events". */
export const counted = (n: number, one: string, many: string): string => `${number(n)} ${n === 1 ? one : many}`;
