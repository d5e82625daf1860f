import type { createDynamo } from "./dynamo.ts";
import type { createKernel } from "./kernel.ts";

const STEP_LOOKAHEAD_MS = 75_000;
/** A sweep processes the marker of a new event up to this long before the marker is due. */
const EVENT_LOOKAHEAD_MS = 60_000;
/** Runs do not wait for later checks of a watched workspace, which happen once a day if nothing changes. */
const FAR_MS = 3 * 3_600_000;

export const MARKER_PARTITION = /^(PENDING|STEPS|AUDIT|HEARTBEATS|ENDS|LINES|PROOFS|COVERS)#/;

type DueContext = {
  kernel: ReturnType<typeof createKernel>;
  dynamo: ReturnType<typeof createDynamo>;
  heads: ReadonlySet<string>;
};

export const createDue = ({ kernel, dynamo, heads }: DueContext) => {
  /** Lists the times of the next checks of watched workspaces. A workspace is due at once if a change was recorded. */
  const listDueTimesOfWatched = (): number[] =>
    dynamo.list("WATCHES").flatMap((watch) => {
      const recorded = dynamo.get({ pk: `WS#${watch["sk"]?.S}`, sk: "TRAIL" })?.["seq"]?.N ?? 0;
      if (Number(recorded) > Number(watch["seen"]?.M?.["seq"]?.N)) return [kernel.now()];
      const due = Number(watch["due"]?.N ?? 0) - STEP_LOOKAHEAD_MS;
      return due > kernel.now() + FAR_MS ? [] : [due];
    });

  /** Returns the time of the next due work, or undefined if there is no marker. */
  return (audits: boolean): number | undefined => {
    let due: number | undefined;
    for (const at of listDueTimesOfWatched()) due = Math.min(due ?? at, at);
    for (const pk of heads) {
      if (pk.startsWith("AUDIT#") && !audits) continue;
      const first = dynamo.first(pk);
      const sk = first?.["sk"]?.S;
      if (sk === undefined) continue;
      const isStep = pk.startsWith("STEPS#") || pk.startsWith("LINES#");
      const isNew = pk.startsWith("PENDING#") && first?.["tries"]?.N === "0";
      const at = Number(sk.slice(0, 13)) - (isStep ? STEP_LOOKAHEAD_MS : isNew ? EVENT_LOOKAHEAD_MS : 0);
      due = Math.min(due ?? at, at);
    }
    return due;
  };
};
