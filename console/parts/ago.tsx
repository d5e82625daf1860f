import { exactly, fromNow } from "../app/clock.ts";

/** Shows "4 min ago", with the exact time on hover and for screen readers. */
export const Ago = ({ at }: { at: string }) => (
  <time dateTime={at} title={exactly(at)}>
    {fromNow(at)}
    <span class="unseen"> ({exactly(at)})</span>
  </time>
);
