import { signal } from "@preact/signals";

/** The time of the page, in milliseconds; it moves twice a minute, so that "4 min ago" stays true. */
export const now = signal(Date.now());

export const startClock = (): void => {
  window.setInterval(() => {
    if (document.visibilityState === "visible") now.value = Date.now();
  }, 30_000);
  document.addEventListener("visibilitychange", () => {
    now.value = Date.now();
  });
};

const UNITS = [
  [60, "second"],
  [60, "minute"],
  [24, "hour"],
  [7, "day"],
  [52, "week"],
] as const;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const short = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** "4 min. ago", "in 2 hr."; below a minute "just now". */
export const fromNow = (iso: string, at: number = now.value): string => {
  let amount = (Date.parse(iso) - at) / 1000;
  if (Math.abs(amount) < 60) return amount > 30 ? "in a moment" : "just now";
  for (const [size, unit] of UNITS) {
    if (Math.abs(amount) < size) return relative.format(Math.round(amount), unit);
    amount /= size;
  }
  return relative.format(Math.round(amount), "year");
};

/** In the reader's own zone, to the second. */
export const exactly = (iso: string): string => exact.format(new Date(iso));
/** In the reader's own zone: weekday, day and minute. */
export const dayAndTime = (iso: string): string => short.format(new Date(iso));
