import type { Answers } from "../app/types.ts";
import { texts } from "../page-texts.ts";
import { type MarkLooks, Mark } from "./marks.tsx";

type Reachability = Answers["ListedMember"]["reachable"] | "silent";

const reachLooks: MarkLooks<Reachability> = {
  proven: ["reach status-acknowledged", "M1 6l3 3 7-7"],
  unproven: ["reach soft", "M2 6h8"],
  silent: ["reach priority-high", "M6 2v5M6 9v1"],
  no: ["reach status-failed", "M2 2l8 8M10 2l-8 8"],
};

/** Shows whether a push would reach the person. */
export const ReachMark = ({ reachable, silent }: Pick<Answers["ListedMember"], "reachable" | "silent">) => {
  const reach = silent ? "silent" : reachable;
  return <Mark look={reachLooks[reach]}>{texts.reach.states[reach]}</Mark>;
};
