import { toIso } from "../../core/domain/basics/time.ts";
import { renderTable } from "../import/report.ts";
import { type Cause, causes, type FoundCause } from "./causes.ts";
import { type Verdict, verdicts } from "../../core/domain/planning/comparison.ts";
import type { NotificationRow } from "./play.ts";
import type { PastAlert } from "./record.ts";

/** `found`: the cause of the difference; undefined if there is no difference. */
export type JudgedRow = NotificationRow & { alert: PastAlert; found: FoundCause | undefined };

export const countVerdicts = (rows: readonly NotificationRow[]): Record<Verdict, number> => {
  const counts = { nobody: 0, "other person": 0, later: 0, earlier: 0, "more people": 0, same: 0 };
  for (const { verdict } of rows) counts[verdict] += 1;
  return counts;
};

/** Groups rows by cause, most frequent cause first. */
export const groupByCause = (rows: readonly JudgedRow[]): [Cause, JudgedRow[]][] => {
  const groups = Map.groupBy(
    rows.filter(({ found }) => found !== undefined),
    ({ found }) => found?.cause ?? "no cause found",
  );
  return [...groups].sort(([, one], [, other]) => other.length - one.length);
};

const ROWS_SHOWN = 20;

const formatSecond = (time: number): string => `${toIso(time).slice(0, 19)}Z`;
const formatTimeAfter = (time: number, { at: from }: PastAlert): string =>
  `after ${Math.round((time - from) / 1000)} s`;

const toTableRow = ({ verdict, theirs, ours, alert }: JudgedRow): string[] => {
  const channels =
    ours === undefined ? "" : typeof ours.channels === "string" ? ours.channels : ours.channels.join(", ");
  return [
    formatSecond(alert.at),
    alert.event.title,
    theirs === undefined ? "nobody" : `${theirs.person}, ${theirs.channel}, ${formatTimeAfter(theirs.at, alert)}`,
    ours === undefined ? "nobody" : `${ours.person}, ${channels}, ${formatTimeAfter(ours.at, alert)}`,
    verdict,
  ];
};

const renderProposedChanges = (rows: readonly JudgedRow[]): string[] =>
  [...new Set(rows.map(({ found }) => found?.draft ?? ""))].flatMap((draft) =>
    draft.includes("\n") ? ["", "```yaml", draft, "```"] : ["", draft],
  );

export type ReportInput = {
  name: string;
  days: number;
  alerts: number;
  rows: readonly JudgedRow[];
  left: readonly { id: string; why: string }[];
  /** The missing parts of the export, including unreadable files and missing pages. */
  missing: readonly { what: string; why: string }[];
};

/** Returns Markdown: a table, then a section per cause. */
export const renderReport = ({ name, days, alerts, rows, left, missing }: ReportInput): string => {
  const counts = countVerdicts(rows);
  const groups = groupByCause(rows);
  const ends = verdicts.filter((one) => one !== "same" && counts[one] > 0);
  const conclusion =
    counts.nobody > 0
      ? `${counts.nobody} notifications of ${name} reach nobody here.`
      : `For each notification of ${name}, the same or another person is notified here.`;
  const reasons = Map.groupBy(left, ({ why }) => why);
  return [
    `# ${alerts} alerts of ${name}, replayed`,
    "",
    `The alerts of the last ${days} days, replayed with the rules, schedules and policies of the setup file. ${conclusion}`,
    "",
    ...renderTable(
      ["Cause", ...ends, "In all"],
      [
        ...groups.map(([cause, some]) => {
          const own = countVerdicts(some);
          return [cause, ...ends.map((one) => String(own[one])), String(some.length)];
        }),
        ["no difference: the same person within a minute", ...ends.map(() => ""), String(counts.same)],
      ],
    ),
    ...groups.flatMap(([cause, some]) => [
      "",
      `## ${cause}`,
      "",
      causes[cause],
      "",
      ...renderTable(["Alert at", "Title", name, "Here", "Verdict"], some.slice(0, ROWS_SHOWN).map(toTableRow)),
      ...(some.length > ROWS_SHOWN ? ["", `And ${some.length - ROWS_SHOWN} more.`] : []),
      "",
      "### Change",
      ...renderProposedChanges(some),
    ]),
    ...(left.length === 0
      ? []
      : [
          "",
          "## Not replayed",
          "",
          ...renderTable(
            ["Alerts", "Reason", "Such as"],
            [...reasons].map(([why, some]) => [String(some.length), why, some[0]?.id ?? ""]),
          ),
        ]),
    ...(missing.length === 0
      ? []
      : [
          "",
          "## Missing in the export",
          "",
          ...renderTable(
            ["What", "Reason"],
            missing.map(({ what, why }) => [what, why]),
          ),
        ]),
    "",
  ].join("\n");
};
