import { MINUTE_MS } from "../basics/units.ts";

/* Compares whom another service notified of an alert with whom this service would notify. */

export const verdicts = ["nobody", "other person", "later", "earlier", "more people", "same"] as const;
export type Verdict = (typeof verdicts)[number];

type Notified = { person: string; at: number };

/** `nobody`: only the other service notified the person. `other person`: this service notifies somebody else (`ours`). */
export type Compared<Theirs extends Notified, Ours extends Notified> = {
  verdict: Verdict;
  theirs: Theirs | undefined;
  ours: Ours | undefined;
};

const keepFirstNotificationPerPerson = <Page extends Notified>(notified: readonly Page[]): Page[] => [
  ...notified
    .toSorted((one, other) => one.at - other.at)
    .reduce((first, one) => (first.has(one.person) ? first : first.set(one.person, one)), new Map<string, Page>())
    .values(),
];

/** The maximum time between notifications that count as simultaneous, because clocks and queues differ. */
const TOLERANCE_MS = MINUTE_MS;

/** Returns a verdict for each notified person. `allTheirs`, `allOurs`: all notifications by the other and by this service. */
export const compareNotified = <Theirs extends Notified, Ours extends Notified>(
  allTheirs: readonly Theirs[],
  allOurs: readonly Ours[],
): Compared<Theirs, Ours>[] => {
  type Row = Compared<Theirs, Ours>;
  const [theirs, ours] = [keepFirstNotificationPerPerson(allTheirs), keepFirstNotificationPerPerson(allOurs)];
  const isPersonIn = (notified: readonly Notified[], person: string) => notified.some((one) => one.person === person);
  const both = theirs.flatMap((one): Row[] => {
    const own = ours.find(({ person }) => person === one.person);
    if (own === undefined) return [];
    const late = own.at - one.at;
    const verdict = Math.abs(late) <= TOLERANCE_MS ? "same" : late > 0 ? "later" : "earlier";
    return [{ verdict, theirs: one, ours: own }];
  });
  const missing = theirs.filter(({ person }) => !isPersonIn(ours, person));
  const added = ours.filter(({ person }) => !isPersonIn(theirs, person));
  return [
    ...both,
    ...missing.map((one, index): Row => {
      const own = added[index];
      return { verdict: own === undefined ? "nobody" : "other person", theirs: one, ours: own };
    }),
    ...added.slice(missing.length).map((own): Row => ({ verdict: "more people", theirs: undefined, ours: own })),
  ];
};
