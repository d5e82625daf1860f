import { useEffect, useState } from "preact/hooks";
import { formatClockTime } from "../app/clock.ts";
import type { Failure } from "../app/failure.ts";
import { outage } from "../app/outage.ts";
import { tryAgainNow } from "../app/resource.ts";
import { texts } from "../texts.ts";
import { SECOND_MS } from "../../core/domain/basics/units.ts";

const describeOutage = (failure: Failure): string => {
  if (failure.kind === "offline") return texts.line.offline;
  return failure.kind === "refused" && failure.status >= 500 ? texts.line.failing : texts.line.busy;
};

/** Shows the seconds until the next retry. Screen readers do not read the seconds, which change too often. */
const Countdown = ({ nextAt }: { nextAt: number }) => {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const updateCountdown = (): void => setSeconds(Math.max(1, Math.ceil((nextAt - Date.now()) / SECOND_MS)));
    updateCountdown();
    const timer = window.setInterval(updateCountdown, SECOND_MS);
    return () => window.clearInterval(timer);
  }, [nextAt]);
  return <span aria-hidden="true">{texts.line.next(seconds)}</span>;
};

/** Shows the outage and the next retry. The bar is empty if there is no outage. */
export const ConnectionBar = () => {
  const { value: seen } = outage;
  return (
    <div class="connection">
      <span role="status">
        {seen !== undefined && (
          <>
            <strong>{describeOutage(seen.failure)}</strong>{" "}
            {seen.shownAt !== undefined && texts.line.showing(formatClockTime(seen.shownAt))}{" "}
            {seen.nextAt === undefined ? (
              <span aria-hidden="true">{texts.line.trying}</span>
            ) : (
              <Countdown nextAt={seen.nextAt} />
            )}
          </>
        )}
      </span>
      {seen !== undefined && (
        <button type="button" onClick={tryAgainNow}>
          {texts.line.now}
        </button>
      )}
    </div>
  );
};
