import type { Answers } from "../app/types.ts";
import { texts } from "../page-texts.ts";

type Reach = Answers["ListedMember"]["reachable"] | "silent";

const reachLooks: Readonly<Record<Reach, readonly [look: string, path: string]>> = {
  proven: ["status-acknowledged", "M1 6l3 3 7-7"],
  unproven: ["soft", "M2 6h8"],
  silent: ["priority-high", "M6 2v5M6 9v1"],
  no: ["status-failed", "M2 2l8 8M10 2l-8 8"],
};

/** Whether a push would reach somebody, by shape, colour and word. */
export const ReachMark = ({
  of: { reachable, silent },
}: {
  of: Pick<Answers["ListedMember"], "reachable" | "silent">;
}) => {
  const reach = silent ? "silent" : reachable;
  const [look, path] = reachLooks[reach];
  return (
    <span class={`mark reach ${look}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={path} class="line" />
      </svg>
      {texts.reach.states[reach]}
    </span>
  );
};
