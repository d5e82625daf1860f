import { ignoreFailed } from "../../app/failure.ts";
import { createTimedCache } from "../../app/timed-cache.ts";
import type { PageContext } from "../../app/page.tsx";
import type { Answers } from "../../app/types.ts";
import { MINUTE_MS } from "../../../core/domain/basics/units.ts";

type Shifts = readonly Answers["Shift"][];

/** Shifts change rarely, and the inbox is read every few seconds. */
const fresh = createTimedCache<Shifts>(5 * MINUTE_MS);

/** If shifts cannot be read, the inbox is shown without them. */
export const readDuty = ({ api, workspaceId, me }: PageContext): Promise<Shifts> =>
  fresh(`${me} ${workspaceId}`, () => api("on-call/list-my-shifts", {})).catch((error: unknown) => {
    ignoreFailed(error);
    return [];
  });
