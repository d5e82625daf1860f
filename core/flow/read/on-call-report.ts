import type { Deps, TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { toIso } from "../../domain/basics/time.ts";
import type { People } from "../../domain/people/people.ts";
import type { Pay } from "../../domain/shifts/pay.ts";
import {
  canStoreMonthReport,
  listMonths,
  type OnCallReport,
  collectReportData,
  type RecordedMonth,
  type ReportPart,
  buildReportRows,
  type Span,
} from "../../domain/shifts/report.ts";
import { toPagesOfDays } from "../../domain/statistics/statistics.ts";
import { listEntries, readTrailHead } from "../../store/configuration/audit-trail.ts";
import { listStatisticsRows } from "../../store/events/statistics.ts";
import { loadPeople } from "../../store/people/people.ts";
import { readWorkspace } from "../../store/people/read-workspace.ts";
import { type ClosedMonth, closeMonth, listClosedMonths } from "../../store/schedules/closed-months.ts";

export type ReportDeps = Pick<Deps, "table" | "now" | "newId">;

type PeopleAndPay = { people: People; pay: Pay };

const readPeopleAndPay = async (deps: TableDeps, ws: WorkspaceId): Promise<PeopleAndPay> => {
  const [people, workspace] = await Promise.all([loadPeople(deps, ws), readWorkspace(deps, ws)]);
  return { people, pay: workspace?.pay ?? null };
};

/** How many changes a report undoes at most to compute past states; for earlier times, it uses the oldest computed state. */
const CHANGES_READ = 5_000;

/** Collects what the report of a span needs: starts from the current schedules, and undoes the changes since the span's start. */
const collectRecords = async (
  deps: ReportDeps,
  ws: WorkspaceId,
  { people, pay }: PeopleAndPay,
  span: Span,
): Promise<RecordedMonth> => {
  const firstDayOfMonth = (ms: number): string => `${toIso(ms).slice(0, "2026-01".length)}-01`;
  const [rows, changes] = await Promise.all([
    listStatisticsRows(deps, ws, "person", { from: firstDayOfMonth(span.from), to: firstDayOfMonth(span.to - 1) }),
    listEntries(deps, ws, { from: span.from, to: Math.max(span.from, deps.now()), limit: CHANGES_READ }),
  ]);
  return collectReportData(people, rows.flatMap(toPagesOfDays), pay, span, changes);
};

type Month = ReturnType<typeof listMonths>[number];

/** Closes past months: computes their data from the current data, and stores it for good. */
export const closeMonths = async (deps: ReportDeps, ws: WorkspaceId, months: readonly Month[]): Promise<void> => {
  if (months.length === 0) return;
  const present = await readPeopleAndPay(deps, ws);
  const { digest } = await readTrailHead(deps, ws);
  for (const span of months) {
    const recorded = await collectRecords(deps, ws, present, span);
    await closeMonth(deps, ws, span.month, { id: deps.newId("req"), digest, recorded });
  }
};

/** Reads closed months, after it closes past months that are not closed yet. */
const readMonths = async (deps: ReportDeps, ws: WorkspaceId, months: readonly Month[]): Promise<ClosedMonth[]> => {
  const [from, to] = [months.at(0)?.month, months.at(-1)?.month];
  if (from === undefined || to === undefined) return [];
  const known = await listClosedMonths(deps, ws, { from, to });
  const missing = months.filter(({ month }) => !known.some((one) => one.month === month));
  if (missing.length === 0) return known;
  await closeMonths(deps, ws, missing);
  return listClosedMonths(deps, ws, { from, to });
};

/** Reads a report. Closes past months that the sweeper has not closed yet. `showsPay`: whether the report includes pay. */
export const readOnCallReport = async (
  deps: ReportDeps,
  ws: WorkspaceId,
  { from, to, by }: Span & Pick<OnCallReport, "by">,
  showsPay: boolean,
): Promise<OnCallReport> => {
  const over = listMonths({ from, to }).filter((month) => canStoreMonthReport(month, deps.now()));
  const closed = await readMonths(deps, ws, over);
  const parts = closed.map(({ month, recorded }): ReportPart => {
    const span = over.find((one) => one.month === month) ?? { from, to: from };
    return { from: Math.max(from, span.from), to: Math.min(to, span.to), recorded };
  });
  const open = { from: Math.max(from, over.at(-1)?.to ?? from), to };
  if (open.from < open.to)
    parts.push({ ...open, recorded: await collectRecords(deps, ws, await readPeopleAndPay(deps, ws), open) });
  return {
    from: toIso(from),
    to: toIso(to),
    by,
    items: buildReportRows(parts, by, { showsPay }),
    closed: closed.map(({ month, at, digest }) => ({ month, at, digest })),
  };
};
