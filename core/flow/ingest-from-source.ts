import type { Deps } from "../deps.ts";
import { Refusal, type Fault } from "../domain/basics/refusal.ts";
import { fit } from "../domain/sources/fit.ts";
import type { Draft } from "../domain/sources/draft.ts";
import { inTurns } from "../domain/basics/in-turns.ts";
import type { createIngest, IngestRequest } from "./ingest-event.ts";

/** The result for one alert of a payload. */
export type TakenEvent = { eventId: string; eventKey: string; deduplicated: boolean; warnings: Fault[] };

/** Alerts of one payload that are admitted side by side. */
const AT_ONCE = 4;
/**
 * Shorter than the function's timeout: alerts left by then wait for the sender's next try, which finds the others done.
 */
const PATIENCE_MS = 6_000;

/**
 * Admits each alert of a payload as its own event, in order. `source`: the first part of their event keys. An alert that was admitted before is not admitted again,
 * so a sender that was refused half-way can repeat the whole payload.
 */
export const ingestFromSource = (
  deps: Pick<Deps, "now">,
  ingest: ReturnType<typeof createIngest>,
  apiKey: IngestRequest["apiKey"],
  source: string,
  drafts: readonly Draft[],
): Promise<TakenEvent[]> => {
  const began = deps.now();
  return inTurns(drafts, AT_ONCE, async (draft): Promise<TakenEvent> => {
    if (deps.now() - began > PATIENCE_MS)
      throw new Refusal("busy", "The alerts are too many for one request at this moment; send the same again.", {
        retryAfterSeconds: 1,
      });
    const { event, changedAt, formerKey, once, untitled, warnings } = fit(source, draft);
    const idempotency = once === undefined ? undefined : { key: once, body: once };
    const answer = await ingest({ apiKey, input: { event, idempotency, source: { changedAt, formerKey, untitled } } });
    return {
      eventId: answer.eventId,
      eventKey: event.eventKey,
      deduplicated: answer.kind === "duplicate" || answer.replayed,
      warnings,
    };
  });
};
