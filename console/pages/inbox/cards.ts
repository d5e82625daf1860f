import { useEffect, useState } from "preact/hooks";
import { serviceTime } from "../../app/clock.ts";
import { ignoreFailed } from "../../app/failure.ts";
import type { PageContext } from "../../app/page.tsx";
import type { Answers } from "../../app/types.ts";

type Context = Pick<PageContext, "api" | "me" | "workspaceId">;
type Next = NonNullable<NonNullable<Answers["EventExplanation"]["rules"][number]["escalation"]>["next"]>;

/** What a card says that lists do not have. `next`: the step that fires first unless somebody acknowledges. */
export type Card = { body: string; site: string | undefined; next: Next | undefined };

/** An explanation reads much, and the inbox is read every few seconds. */
const FRESH_MS = 30_000;
/** Events that are read for one look at the inbox; the others follow with the next looks. */
const AT_ONCE_MAX = 4;
const KEPT_MAX = 200;

const known = new Map<string, { at: number; card: Card }>();

const nextOf = ({ rules }: Answers["EventExplanation"]): Next | undefined =>
  rules
    .flatMap(({ escalation }) => escalation?.next ?? [])
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))[0];

const siteOf = ({ data }: Answers["Event"]): string | undefined => {
  const name: unknown = data?.["site_name"];
  return typeof name === "string" ? name : undefined;
};

/** The push text never changes; when it escalates does. */
const readCard = async ({ api, me }: Context, eventId: string): Promise<void> => {
  const before = known.get(eventId)?.card;
  try {
    const [event, why] = await Promise.all([
      before === undefined ? api("events/get-event", { path: { eventId } }) : undefined,
      api("events/explain-event", { path: { eventId }, query: { userId: me } }),
    ]);
    const notified = event === undefined ? before : { body: event.body, site: siteOf(event) };
    known.set(eventId, { at: Date.now(), card: { body: "", site: undefined, ...notified, next: nextOf(why) } });
  } catch (error) {
    // A card is shown without it.
    ignoreFailed(error);
  }
  for (const [oldest] of known) if (known.size > KEPT_MAX) known.delete(oldest);
};

const isStale = (eventId: string): boolean => {
  const one = known.get(eventId);
  if (one === undefined || Date.now() - one.at >= FRESH_MS) return true;
  const { next } = one.card;
  return next !== undefined && Date.parse(next.at) <= serviceTime();
};

/** What the cards of some events say besides, the first ones first; those that are not read yet say less. */
export const useCards = (context: Context, open: readonly { id: string }[]): ReadonlyMap<string, Card> => {
  const [cards, show] = useState<ReadonlyMap<string, Card>>(new Map());
  useEffect(() => {
    let isShown = true;
    const ids = open.map(({ id }) => id);
    const found = (): ReadonlyMap<string, Card> =>
      new Map(
        ids.flatMap((id) => {
          const card = known.get(id)?.card;
          return card === undefined ? [] : [[id, card] as const];
        }),
      );
    const read = async (): Promise<void> => {
      show(found());
      const stale = ids.filter(isStale).slice(0, AT_ONCE_MAX);
      await Promise.all(stale.map((id) => readCard(context, id)));
      if (isShown) show(found());
    };
    read().catch(ignoreFailed);
    return () => {
      isShown = false;
    };
  }, [open]);
  return cards;
};
