import { formatClockTime } from "../app/clock.ts";
import type { Answers } from "../app/types.ts";
import { Ago } from "./ago.tsx";

type Line = Pick<Answers["Connection"], "status" | "failingSince" | "nextTryAt" | "lastFailure">;
type LineStateProps = Line & {
  words: { status: Record<Line["status"], string>; since: string; nextTry: string; lastTry: (code: string) => string };
};

/** Shows whether messages are accepted, and if they are not: since when, why, and when the next attempt is. */
export const LineState = ({ status, failingSince, nextTryAt, lastFailure, words }: LineStateProps) => {
  const isBad = status === "waiting" || status === "suspended";
  return (
    <>
      <span class={isBad ? "status-failed" : "soft"}>
        {words.status[status]}
        {isBad && failingSince !== null && (
          <>
            {" "}
            {words.since} {formatClockTime(Date.parse(failingSince))}
          </>
        )}
      </span>
      {isBad && lastFailure !== null && <span class="soft">{words.lastTry(lastFailure.code)}</span>}
      {nextTryAt !== null && (
        <span class="soft">
          {words.nextTry} <Ago at={nextTryAt} />
        </span>
      )}
    </>
  );
};
