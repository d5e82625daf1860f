import * as v from "valibot";
import type { TableDeps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { toIso } from "../../domain/basics/time.ts";
import { RecordedMonth } from "../../domain/shifts/report.ts";
import { deflatedSchema, deflate } from "../codec.ts";
import { closedMonthKey, closedMonthPartKey, closedMonthsPk } from "../keys.ts";
import { getItem, putItem, putItemIf, queryItems } from "../table.ts";

/* A large report's parts are written before the head item, which closes the month. A concurrent second closing does nothing. */

const Content = v.omit(RecordedMonth, ["people"]);
type Content = v.InferOutput<typeof Content>;

const HeadItem = v.object({
  sk: v.string(),
  id: v.string(),
  at: v.string(),
  digest: v.string(),
  people: RecordedMonth.entries.people,
  content: deflatedSchema(Content),
});
const PartItem = v.object({ sk: v.string(), content: deflatedSchema(Content) });
const AnyItem = v.union([HeadItem, PartItem]);

/** A month's final report. `digest`: the digest of the last audit entry when the month was closed (`at`). */
export type ClosedMonth = { month: string; at: string; digest: string; recorded: RecordedMonth };

/** Lists the closed months between two months (`2026-03`, inclusive), in order. */
export const listClosedMonths = async (
  deps: TableDeps,
  ws: WorkspaceId,
  { from, to }: { from: string; to: string },
): Promise<ClosedMonth[]> => {
  const items = await queryItems(deps, { pk: closedMonthsPk(ws), from, to: `${to}~` }, AnyItem);
  return items.flatMap((item) => {
    if (!("id" in item)) return [];
    const { sk: month, id, at, digest, people, content } = item;
    const parts = items.filter(({ sk }) => sk.startsWith(`${month}#${id}#`)).map((part) => part.content);
    const groups = [content, ...parts].flatMap((part) => part.groups);
    const pages = [content, ...parts].flatMap((part) => part.pages);
    return { month, at, digest, recorded: { people, pay: content.pay, groups, pages } };
  });
};

export const isMonthClosed = async (deps: TableDeps, ws: WorkspaceId, month: string): Promise<boolean> =>
  (await getItem(deps, closedMonthKey(ws, month), v.object({ sk: v.string() }), { consistent: false })) !== undefined;

/** The maximum number of JSON characters in an item. Deflated, an item is far below the limit of 400 KB. */
const PART_CHARACTERS = 1_000_000;

const splitReport = ({ pay, groups, pages }: RecordedMonth): Content[] => {
  const parts: Content[] = [{ pay, groups: [], pages: [] }];
  let size = 0;
  const choosePartWithRoom = (entry: object): Content => {
    size += JSON.stringify(entry).length;
    if (size > PART_CHARACTERS) {
      size = 0;
      parts.push({ pay, groups: [], pages: [] });
    }
    return parts.at(-1) ?? { pay, groups: [], pages: [] };
  };
  for (const group of groups) choosePartWithRoom(group).groups.push(group);
  for (const one of pages) choosePartWithRoom(one).pages.push(one);
  return parts;
};

/** Closes a month by storing its final report, unless the month is already closed. */
export const closeMonth = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  month: string,
  { id, digest, recorded }: { id: string; digest: string; recorded: RecordedMonth },
): Promise<void> => {
  const [head, ...parts] = splitReport(recorded).map((content) => deflate(content));
  for (const [index, content] of parts.entries())
    await putItem(deps, closedMonthPartKey(ws, month, id, index), { content });
  const item = { id, at: toIso(deps.now()), digest, people: recorded.people, content: head };
  await putItemIf(deps, closedMonthKey(ws, month), item, v.unknown());
};
