import type { Answers } from "../../app/types.ts";

type ComparedEvent = Answers["ShadowComparison"]["items"][number];
type ComparedPerson = ComparedEvent["people"][number];

/** The results from worst to best. `unknown`: the old service did not report whom it notified. */
const results = ["nobody", "other person", "later", "earlier", "more people", "same", "unknown"] as const;
export type RowResult = (typeof results)[number];

/** A result with the notified person of the old service (`theirs`) and of this service (`ours`); null for nobody. */
export type ComparisonRow = { result: RowResult } & Pick<ComparedPerson, "theirs" | "ours">;

/** Returns a row per person. If the event was not compared with the old service, the rows have only this service's pages. */
const listRows = ({ people, pages }: Pick<ComparedEvent, "people" | "pages">): ComparisonRow[] => {
  if (people.length > 0) return people.map(({ verdict, ...row }) => ({ result: verdict, ...row }));
  const reached = pages.filter(({ devices }) => devices.length > 0);
  const firstPages = [...Map.groupBy(reached, ({ user }) => user.id)].flatMap(([id, [first]]): ComparisonRow[] =>
    first === undefined
      ? []
      : [{ result: "unknown", theirs: null, ours: { person: first.user.email || id, at: first.at } }],
  );
  return firstPages.length > 0 ? firstPages : [{ result: "unknown", theirs: null, ours: null }];
};

/** Returns the events with their rows: all events, or those with at least one row of the chosen result. */
export const listEvents = <Event extends Pick<ComparedEvent, "people" | "pages">>(
  items: readonly Event[],
  chosenResult: string | null,
): { event: Event; rows: ComparisonRow[] }[] =>
  items
    .map((event) => ({ event, rows: listRows(event) }))
    .filter(({ rows }) => chosenResult === null || rows.some(({ result }) => result === chosenResult));

/** Counts the rows of each result, from worst to best. Leaves out results without rows. */
export const countResults = (items: readonly Pick<ComparedEvent, "people" | "pages">[]): [RowResult, number][] => {
  const rows = items.flatMap(listRows);
  return results
    .map((one): [RowResult, number] => [one, rows.filter(({ result }) => result === one).length])
    .filter(([, n]) => n > 0);
};
