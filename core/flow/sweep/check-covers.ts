import { mapLimit } from "../../domain/basics/in-turns.ts";
import { postponeItem } from "../../store/due-lister.ts";
import { listDueCovers } from "../../store/schedules/covers.ts";
import { notifyOfCover } from "../admin/covers.ts";
import type { IngestDeps } from "../ingest/ingest-event.ts";
import { processDueItems, postponeFailed, type Sweep } from "./due-items.ts";

const AT_ONCE = 10;
const FAILED_PAUSE_MS = 30_000;

export const checkCovers = async (deps: IngestDeps, sweep: Sweep, shard: string): Promise<void> => {
  const computeRetryTime = () => deps.now() + FAILED_PAUSE_MS;
  await processDueItems(
    deps,
    sweep,
    { list: listDueCovers, shard, upTo: deps.now(), postpone: (due) => postponeItem(deps, due, computeRetryTime()) },
    async (all) => {
      await mapLimit(all, AT_ONCE, (due) =>
        notifyOfCover(deps, due.item).catch((error: unknown) =>
          postponeFailed(sweep, due.key, error, () => postponeItem(deps, due, computeRetryTime())),
        ),
      );
    },
  );
};
