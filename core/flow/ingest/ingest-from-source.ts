import type { Deps } from "../../deps.ts";
import { Refusal, type EventWarning } from "../../domain/basics/refusal.ts";
import { fitDraft } from "../../domain/sources/fit.ts";
import type { TakenCloudEvent } from "../../domain/sources/cloud-event.ts";
import type { Draft } from "../../domain/sources/draft.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import type { createIngest, IngestRequest } from "./ingest-event.ts";

export type TakenEvent = { eventId: string; eventKey: string; deduplicated: boolean; warnings: EventWarning[] };

const AT_ONCE = 4;
/** After this time, the sender must retry the remaining alerts, because the function would time out. */
const PATIENCE_MS = 6_000;

/** Admits up to `AT_ONCE` items concurrently. Returns the results in the order of the items. Throws `busy` after PATIENCE_MS. */
const admitItems = <Item>(
  deps: Pick<Deps, "now">,
  items: readonly Item[],
  admit: (item: Item) => Promise<TakenEvent>,
): Promise<TakenEvent[]> => {
  const began = deps.now();
  return mapLimit(items, AT_ONCE, async (item): Promise<TakenEvent> => {
    if (deps.now() - began > PATIENCE_MS)
      throw new Refusal("busy", "Not all events of this request were accepted in time. Send the same request again.", {
        retryAfterSeconds: 1,
      });
    return admit(item);
  });
};

type Ingest = ReturnType<typeof createIngest>;
type ApiKey = IngestRequest["apiKey"];

const toItemResult = (answer: Awaited<ReturnType<Ingest>>, eventKey: string, warnings: EventWarning[]): TakenEvent => ({
  eventId: answer.eventId,
  eventKey,
  deduplicated: answer.kind === "duplicate" || answer.replayed,
  warnings,
});

/** Admits each alert as an event. A refused payload can be repeated: no alert is admitted twice. `source`: the tool's name. */
export const ingestFromSource = (
  deps: Pick<Deps, "now">,
  ingest: Ingest,
  apiKey: ApiKey,
  source: string,
  drafts: readonly Draft[],
): Promise<TakenEvent[]> =>
  admitItems(deps, drafts, async (draft) => {
    const { event, changedAt, formerKey, once, untitled, warnings } = fitDraft(source, draft);
    const idempotency = once === undefined ? undefined : { key: once, body: once };
    const input = { event, idempotency, source: { changedAt, formerKey, untitled } };
    return toItemResult(await ingest({ apiKey, input }), event.eventKey, warnings);
  });

/** Admits each CloudEvent of a batch as its own event. Skips CloudEvents that were admitted before. */
export const ingestBatch = (
  deps: Pick<Deps, "now">,
  ingest: Ingest,
  apiKey: ApiKey,
  batch: readonly TakenCloudEvent[],
): Promise<TakenEvent[]> =>
  admitItems(deps, batch, async ({ event, warnings }) =>
    toItemResult(await ingest({ apiKey, input: { event, idempotency: undefined } }), event.eventKey, warnings),
  );
