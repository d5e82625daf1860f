import { ignoreFailed } from "../../app/failure.ts";
import type { PageContext } from "../../app/page.tsx";
import type { Answers } from "../../app/types.ts";
import { MINUTE_MS } from "../../../core/domain/basics/units.ts";

type Shifts = readonly Answers["Shift"][];

/** Shifts change seldom, and the inbox is read every few seconds. */
const FRESH_MS = 5 * MINUTE_MS;

let last: { of: string; at: number; shifts: Shifts } | undefined;

/** The reader's shifts, at most some minutes old. The inbox is shown without them if they cannot be had. */
export const readDuty = async ({ api, workspaceId, me }: PageContext): Promise<Shifts> => {
  const of = `${me} ${workspaceId}`;
  const known = last?.of === of ? last : undefined;
  if (known !== undefined && Date.now() - known.at < FRESH_MS) return known.shifts;
  try {
    const shifts = await api("on-call/list-my-shifts", {});
    last = { of, at: Date.now(), shifts };
    return shifts;
  } catch (error) {
    ignoreFailed(error);
    return known?.shifts ?? [];
  }
};
