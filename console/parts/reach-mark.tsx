import type { Answers } from "../app/types.ts";
import { texts } from "../page-texts.ts";
import { type Looks, Mark } from "./marks.tsx";

type Reach = Answers["ListedMember"]["reachable"] | "silent";

const reachLooks: Looks<Reach> = {
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
    <Mark look={`reach ${look}`} path={path}>
      {texts.reach.states[reach]}
    </Mark>
  );
};
