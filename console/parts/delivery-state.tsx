import { formatClockTime } from "../app/clock.ts";
import type { Answers } from "../app/types.ts";
import { Ago } from "./ago.tsx";

type State = Pick<Answers["Connection"], "status" | "failingSince" | "nextTryAt" | "lastFailure">;
type DeliveryStateProps = State & {
  texts: { status: Record<State["status"], string>; since: string; nextTry: string; lastTry: (code: string) => string };
};

/** Shows whether messages are accepted. If not, shows why, since when, and when the next attempt to send messages is. */
export const DeliveryState = ({ status, failingSince, nextTryAt, lastFailure, texts }: DeliveryStateProps) => {
  const isBad = status === "waiting" || status === "suspended";
  return (
    <>
      <span class={isBad ? "status-failed" : "soft"}>
        {texts.status[status]}
        {isBad && failingSince !== null && (
          <>
            {" "}
            {texts.since} {formatClockTime(Date.parse(failingSince))}
          </>
        )}
      </span>
      {isBad && lastFailure !== null && <span class="soft">{texts.lastTry(lastFailure.code)}</span>}
      {nextTryAt !== null && (
        <span class="soft">
          {texts.nextTry} <Ago at={nextTryAt} />
        </span>
      )}
    </>
  );
};
