import { TURNS_MAX } from "../../core/domain/on-call/index.ts";
import { getZone } from "../../core/domain/basics/clock/zone.ts";
import { formatInstant, toLocal, toTurn, type FileLayer, unitMs } from "./rotation.ts";

/** A period with the people on call: times in ms since 1970, people by email address. */
export type Period = { start: number; end: number; people: readonly string[] };

/** Splits periods so that none overlap. Where periods overlap, all their people are on call. */
export const splitOverlaps = (periods: readonly Period[]): Period[] => {
  const edges = [...new Set(periods.flatMap(({ start, end }) => [start, end]))].sort((one, other) => one - other);
  const result: Period[] = [];
  for (const [index, start] of edges.entries()) {
    const end = edges[index + 1] ?? start;
    const inside = periods.filter((period) => period.start < end && period.end > start);
    if (end === start || inside.length === 0) continue;
    const people = [...new Set(inside.flatMap((period) => period.people))].sort();
    const last = result.at(-1);
    if (last?.end === start && last.people.join(" ") === people.join(" ")) last.end = end;
    else result.push({ start, end, people });
  }
  return result;
};

const greatestCommonDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestCommonDivisor(other, one % other);

/** A span of local time, in milliseconds and as text. */
type Span = { start: number; end: number; startText: string; endText: string; people: readonly string[] };
type Row = { start: number; step: number; spans: Span[] };

const findLastEnd = ({ start, spans }: Row): number => spans.at(-1)?.end ?? start;

const findLastEndText = ({ spans }: Row): string => spans.at(-1)?.endText ?? "";

/** Adds a span to a row, whose turns are equal and last whole hours. Returns undefined if no layer can have these turns. */
const addSpan = (row: Row, span: Span): Row | undefined => {
  const step = [span.start - row.start, span.end - row.start].reduce(greatestCommonDivisor, row.step);
  // At a time that occurs twice, only a whole layer can begin or end, because turns follow local time.
  const isPlain = [findLastEndText(row), span.startText].every((text) => !text.endsWith("Z"));
  const fits = isPlain && step % unitMs.hour === 0 && (span.end - row.start) / step <= TURNS_MAX;
  return fits ? { start: row.start, step, spans: [...row.spans, span] } : undefined;
};

const toLayer = (row: Row): FileLayer => {
  const end = findLastEnd(row);
  const [only] = row.spans;
  const times = { start: only?.startText ?? "", until: findLastEndText(row) };
  if (only !== undefined && row.spans.length === 1)
    return { ...times, every: 1, unit: "week", participants: [toTurn(only.people)] };
  const participants = Array.from({ length: (end - row.start) / row.step }, (_, index) => {
    const at = row.start + index * row.step;
    return toTurn(row.spans.find((span) => span.start <= at && at < span.end)?.people ?? []);
  });
  const unit = row.step % unitMs.day === 0 ? "day" : "hour";
  return { ...times, every: row.step / unitMs[unit], unit, participants };
};

/** Converts periods, which must not overlap, to as few layers as possible. Outside the periods, an earlier layer decides. */
export const convertPeriods = (periods: readonly Period[], timeZone: string): FileLayer[] => {
  const zone = getZone(timeZone);
  const rows: Row[] = [];
  for (const { start, end, people } of periods) {
    const span = {
      start: toLocal(start, zone),
      end: toLocal(end, zone),
      startText: formatInstant(start, zone),
      endText: formatInstant(end, zone),
      people,
    };
    const last = rows.at(-1);
    const longer = last === undefined || findLastEnd(last) > span.start ? undefined : addSpan(last, span);
    if (longer === undefined) rows.push({ start: span.start, step: Math.max(0, span.end - span.start), spans: [span] });
    else rows[rows.length - 1] = longer;
  }
  return rows.map(toLayer);
};
