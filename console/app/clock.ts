import { signal } from "@preact/signals";
import { texts } from "../texts.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";
import { ignoreFailed } from "./failure.ts";
import { locale } from "./language.ts";
import { loadPart } from "./part.ts";

/** The service's time minus this machine's time, in milliseconds. */
let ahead = 0;
/** Smaller differences of the clocks are ignored, because the network and the whole seconds of `Date` cause differences. */
const TOLERANCE_MS = 3000;

/** Returns the service's time in milliseconds, because this machine's clock may be wrong. */
export const readServiceTime = (): number => Date.now() + ahead;

/** The service's time in milliseconds, updated twice a minute so that "4 min ago" stays true. */
export const now = signal(readServiceTime());

/** Sets the clock by the `Date` header of an answer. Tells the reader once if this machine's clock is wrong by a minute. */
export const setClock = (date: string | null): void => {
  const off = Date.parse(date ?? "") - readServiceTime();
  if (!(Math.abs(off) > TOLERANCE_MS)) return;
  ahead += off;
  now.value = readServiceTime();
  if (Math.abs(off) > MINUTE_MS)
    loadPart(() => import("../parts/wrong-clock.ts"), "frame").then(
      ({ showWrongClock: sayWrongClock }) => sayWrongClock(off),
      ignoreFailed,
    );
};

export const startClock = (): void => {
  // The formats are created after the first request is sent, because creating them takes 0.1 s on a slow processor.
  window.setTimeout(getFormats);
  window.setInterval(() => {
    if (document.visibilityState === "visible") now.value = readServiceTime();
  }, 30_000);
  document.addEventListener("visibilitychange", () => {
    now.value = readServiceTime();
  });
};

const UNITS = [
  [60, "second"],
  [60, "minute"],
  [24, "hour"],
  [7, "day"],
  [52, "week"],
] as const;

const createFormats = () => ({
  relative: new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" }),
  // In English, the short style would print "wk" for a week.
  long: new Intl.RelativeTimeFormat(locale, { numeric: "auto" }),
  exact: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" }),
  clock: new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }),
  short: new Intl.DateTimeFormat(locale, {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  }),
  day: new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long" }),
});
let made: ReturnType<typeof createFormats> | undefined;
const getFormats = (): ReturnType<typeof createFormats> => {
  made ??= createFormats();
  return made;
};

const formatRelative = (amount: number, unit: Intl.RelativeTimeFormatUnit): string => {
  const { relative, long } = getFormats();
  return (unit === "week" ? long : relative).format(Math.round(amount), unit).replace(".", "");
};

/** Returns "4 min ago", "in 2 hr" or "just now" in the reader's language. */
export const formatTimeAgo = (iso: string, currentTime: number = now.value): string => {
  let amount = (Date.parse(iso) - currentTime) / 1000;
  if (Math.abs(amount) < 60) return amount > 30 ? texts.ago.soon : texts.ago.now;
  for (const [size, unit] of UNITS) {
    if (Math.abs(amount) < size) return formatRelative(amount, unit);
    amount /= size;
  }
  return formatRelative(amount, "year");
};

/** Returns day and time in the reader's time zone, with seconds. */
export const formatExactTime = (iso: string): string => getFormats().exact.format(new Date(iso));
export const formatTimeOfDay = (timeMs: number): string => getFormats().clock.format(timeMs);

/** Returns the time in the reader's time zone, with the day unless the time is today. */
export const formatClockTime = (timeMs: number): string => {
  const isToday = new Date(timeMs).toDateString() === new Date(now.value).toDateString();
  return isToday ? formatTimeOfDay(timeMs) : getFormats().short.format(timeMs);
};
/** Returns weekday, day and minute in the reader's time zone. */
export const formatDayAndTime = (time: string | number): string => getFormats().short.format(new Date(time));
/** Returns weekday and day in the reader's time zone, without the year. */
export const formatLongDay = (time: string | number): string => getFormats().day.format(new Date(time));
