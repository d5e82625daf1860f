import { TimeLeft } from "../../parts/time-left.tsx";
import { texts } from "../../page-texts/events.ts";
import type { UpcomingSteps } from "./progress.ts";

export const NextEscalation = ({ upcoming }: { upcoming: UpcomingSteps }) => {
  const [next] = upcoming;
  if (next === undefined) return null;
  return (
    <p class="ahead">
      {texts.event.escalatesIn}{" "}
      <strong>
        <TimeLeft at={next.at} />
      </strong>
      : <a href={`/escalation/${next.policy.id}`}>{next.policy.name}</a> {texts.event.stepOf(next)}
    </p>
  );
};
