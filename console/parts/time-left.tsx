import { useEffect, useState } from "preact/hooks";
import { formatExactTime, readServiceTime } from "../app/clock.ts";
import { SECOND_MS } from "../../core/domain/basics/units.ts";

/** Returns minutes and seconds, such as "6:12", or hours, minutes and seconds, such as "1:06:12". */
const formatCountdown = (leftMs: number): string => {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND_MS));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const padTwoDigits = (number: number): string => String(number).padStart(2, "0");
  return hours === 0 ? `${minutes}:${padTwoDigits(rest)}` : `${hours}:${padTwoDigits(minutes)}:${padTwoDigits(rest)}`;
};

export const TimeLeft = ({ at }: { at: string }) => {
  const formatTimeLeft = (): string => formatCountdown(Date.parse(at) - readServiceTime());
  const [shown, show] = useState(formatTimeLeft);
  useEffect(() => {
    show(formatTimeLeft());
    const timer = window.setInterval(() => show(formatTimeLeft()), SECOND_MS);
    return () => window.clearInterval(timer);
  }, [at]);
  return (
    <time dateTime={at} title={formatExactTime(at)} class="number">
      {shown}
    </time>
  );
};
