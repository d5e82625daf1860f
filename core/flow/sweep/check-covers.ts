import { listDueCovers } from "../../store/schedules/covers.ts";
import { notifyOfCover } from "../admin/covers.ts";
import type { IngestDeps } from "../ingest/ingest-event.ts";
import { processEachDueItem, type Sweep } from "./due-items.ts";

const FAILED_PAUSE_MS = 30_000;

export const sendCoverNotices = async (deps: IngestDeps, sweep: Sweep, shard: string): Promise<void> =>
  processEachDueItem(deps, sweep, { list: listDueCovers, shard, pauseMs: FAILED_PAUSE_MS }, async ({ item }) => {
    await notifyOfCover(deps, item);
  });
