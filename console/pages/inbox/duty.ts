import { ignoreFailed } from "../../app/failure.ts";
import { keepFresh } from "../../app/fresh.ts";
import type { PageContext } from "../../app/page.tsx";
import type { Answers } from "../../app/types.ts";
import { MINUTE_MS } from "../../../core/domain/basics/units.ts";

type Shifts = readonly Answers["Shift"][];

/** Shifts change seldom, and the inbox is read every few seconds. */
const fresh = keepFresh<Shifts>(5 * MINUTE_MS);

/** The reader's shifts, at most some minutes old. The inbox is shown without them if they cannot be had. */
export const readDuty = ({ api, workspaceId, me }: PageContext): Promise<Shifts> =>
  fresh(`${me} ${workspaceId}`, () => api("on-call/list-my-shifts", {})).catch((error: unknown) => {
    ignoreFailed(error);
    return [];
  });
