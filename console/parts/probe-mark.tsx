import type { Answers } from "../app/types.ts";
import { texts } from "../page-texts.ts";
import { type MarkLooks, Mark } from "./marks.tsx";

type Status = Answers["Probe"]["status"];

const looks: MarkLooks<Status> = {
  green: ["status-acknowledged", "M1 6l3 3 7-7"],
  pending: ["soft", "M6 1a5 5 0 1 0 .01 0"],
  red: ["status-failed", "M2 2l8 8M10 2l-8 8"],
  none: ["soft", "M2 6h8"],
};

export const ProbeMark = ({ status }: { status: Status }) => <Mark look={looks[status]}>{texts.probe[status]}</Mark>;
