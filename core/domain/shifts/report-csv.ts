import { toCsv } from "../basics/csv.ts";
import type { OnCallReport } from "./report.ts";

const COLUMNS = ["weekday", "night", "weekend", "holiday", "total"] as const;

/** Returns the report as CSV with a header line. The column `pay` is present if any row has pay. */
export const formatReportCsv = ({ by, items }: Pick<OnCallReport, "by" | "items">): string => {
  const isPaid = items.some(({ pay }) => pay !== undefined);
  const heading = [
    "id",
    by,
    ...COLUMNS.map((name) => `${name}_hours`),
    "pages",
    "pages_at_night",
    "minutes_to_resolve",
    "short_rests",
    "covers_given",
    "covers_taken",
    ...(isPaid ? ["pay"] : []),
  ];
  const lines = items.map((row) => [
    row[by]?.id ?? "",
    row[by]?.name ?? "",
    ...COLUMNS.map((name) => row.hours[name]),
    row.pages,
    row.pagesAtNight,
    row.minutesToResolve,
    row.shortRests,
    row.coversGiven,
    row.coversTaken,
    ...(isPaid ? [row.pay ?? 0] : []),
  ]);
  return toCsv([heading, ...lines]);
};
