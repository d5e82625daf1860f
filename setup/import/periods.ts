import { TURNS_MAX } from "../../core/domain/on-call/index.ts";
import { getZone } from "../../core/domain/basics/clock/zone.ts";
import { formatInstant, toLocal, toTurn, type FileLayer, unitMs } from "./rotation.ts";

/** A period with the people on call: times in ms since 1970, people by email address. */
export type OnCallPeriod = { start: number; end: number; people: readonly string[] };

/** Splits periods so that no two periods overlap. Where periods overlap, all their people are on call. */
export const splitOverlaps = (periods: readonly OnCallPeriod[]): OnCallPeriod[] => {
  const edges = [...new Set(periods.flatMap(({ start, end }) => [start, end]))].sort((one, other) => one - other);
  const result: OnCallPeriod[] = [];
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
type LayerSpan = { start: number; end: number; startText: string; endText: string; people: readonly string[] };
type LayerDraft = { start: number; step: number; spans: LayerSpan[] };

const findLastEnd = ({ start, spans }: LayerDraft): number => spans.at(-1)?.end ?? start;

const findLastEndText = ({ spans }: LayerDraft): string => spans.at(-1)?.endText ?? "";

/** Adds a span to the draft of a layer. Returns undefined if equally long turns cannot express all spans of the layer. */
const addSpan = (draft: LayerDraft, span: LayerSpan): LayerDraft | undefined => {
  const step = [span.start - draft.start, span.end - draft.start].reduce(greatestCommonDivisor, draft.step);
  // A text with Z is a local time that occurs twice. Turns follow local time, so a handoff needs a time that occurs once.
  const isPlain = [findLastEndText(draft), span.startText].every((text) => !text.endsWith("Z"));
  const fits = isPlain && step % unitMs.hour === 0 && (span.end - draft.start) / step <= TURNS_MAX;
  return fits ? { start: draft.start, step, spans: [...draft.spans, span] } : undefined;
};

const toLayer = (draft: LayerDraft): FileLayer => {
  const end = findLastEnd(draft);
  const [only] = draft.spans;
  const times = { start: only?.startText ?? "", until: findLastEndText(draft) };
  if (only !== undefined && draft.spans.length === 1)
    return { ...times, every: 1, unit: "week", participants: [toTurn(only.people)] };
  const participants = Array.from({ length: (end - draft.start) / draft.step }, (_, index) => {
    const at = draft.start + index * draft.step;
    return toTurn(draft.spans.find((span) => span.start <= at && at < span.end)?.people ?? []);
  });
  const unit = draft.step % unitMs.day === 0 ? "day" : "hour";
  return { ...times, every: draft.step / unitMs[unit], unit, participants };
};

/** Converts periods, which must not overlap, to as few layers as possible. Outside the periods, an earlier layer decides. */
export const convertPeriods = (periods: readonly OnCallPeriod[], timeZone: string): FileLayer[] => {
  const zone = getZone(timeZone);
  const drafts: LayerDraft[] = [];
  for (const { start, end, people } of periods) {
    const span = {
      start: toLocal(start, zone),
      end: toLocal(end, zone),
      startText: formatInstant(start, zone),
      endText: formatInstant(end, zone),
      people,
    };
    const last = drafts.at(-1);
    const longer = last === undefined || findLastEnd(last) > span.start ? undefined : addSpan(last, span);
    if (longer === undefined)
      drafts.push({ start: span.start, step: Math.max(0, span.end - span.start), spans: [span] });
    else drafts[drafts.length - 1] = longer;
  }
  return drafts.map(toLayer);
};
