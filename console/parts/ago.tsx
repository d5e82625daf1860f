import { formatExactTime, formatTimeAgo } from "../app/clock.ts";

/** Shows "4 min ago", with the exact time on hover and for screen readers. */
export const Ago = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatExactTime(at)}>
    {formatTimeAgo(at)}
    <span class="unseen"> ({formatExactTime(at)})</span>
  </time>
);
