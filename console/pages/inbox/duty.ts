import { ignoreFailed } from "../../app/failure.ts";
import { createTimedCache } from "../../app/timed-cache.ts";
import type { PageContext } from "../../app/page.tsx";
import type { Answers } from "../../app/types.ts";
import { MINUTE_MS } from "../../../core/domain/basics/units.ts";

type ShiftList = readonly Answers["Shift"][];

/** Shifts are cached, because they rarely change and the inbox is read every few seconds. */
const fresh = createTimedCache<ShiftList>(5 * MINUTE_MS);

/** Reads the reader's shifts. If reading fails, returns no shifts, because the inbox can be shown without them. */
export const readDuty = ({ api, workspaceId, me }: PageContext): Promise<ShiftList> =>
  fresh(`${me} ${workspaceId}`, () => api("on-call/list-my-shifts", {})).catch((error: unknown) => {
    ignoreFailed(error);
    return [];
  });
