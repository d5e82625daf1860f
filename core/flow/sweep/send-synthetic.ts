import * as v from "valibot";
import type { Deps, TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { parseApiKey } from "../../domain/workspace/api-key-text.ts";
import { parseOrThrow } from "../../domain/basics/read-own.ts";
import { readEvent } from "../../store/events/events.ts";
import { metrics } from "../../wiring.ts";
import { readEventPacks } from "../read/read-event.ts";
import { toSeconds } from "../../domain/basics/seconds.ts";
import { SECOND_MS } from "../../domain/basics/units.ts";

const SYNTHETIC_WAIT_MS = 25 * SECOND_MS;
const SYNTHETIC_POLL_MS = SECOND_MS;

export type PostEvent = (apiKey: string, event: object) => Promise<{ status: number; body: string }>;

export type SyntheticDeps = Pick<Deps, "table" | "now" | "sleep" | "log"> & {
  readApiKey: () => Promise<string>;
  postEvent: PostEvent;
};

const Accepted = v.pipe(v.string(), v.parseJson(), v.object({ eventId: v.string() }));

const SYNTHETIC_EVENT = {
  event: "synthetic.check",
  title: "Synthetic event",
  body: "Sent every minute to check the whole path. No action is needed.",
  priority: "LOW",
};

/** Returns whether FCM has accepted all notifications of the event. */
const isAcceptedByFcm = async (deps: TableDeps, ws: WorkspaceId, eventId: string): Promise<boolean> => {
  const event = await readEvent(deps, ws, eventId);
  const packs = event === undefined ? [] : await readEventPacks(deps, event);
  const recipients = packs.flatMap((pack) => pack.recipients);
  return recipients.length > 0 && recipients.every(({ status }) => status !== "QUEUED" && status !== "FAILED");
};

/** Sends a synthetic event. Throws if FCM does not accept the event's push in time. An alarm watches the number of successes. */
export const sendSynthetic = async (deps: SyntheticDeps): Promise<void> => {
  const key = parseApiKey(await deps.readApiKey());
  if (key === undefined)
    throw new Error(
      "the secret of the synthetic event contains no API key; store one with npm run operator -- synthetic",
    );
  const start = deps.now();
  const { status, body } = await deps.postEvent(key.text, SYNTHETIC_EVENT);
  if (status !== 201) throw new Error(`the synthetic event was answered with ${status}`);
  const { eventId } = parseOrThrow("the answer to the synthetic event", Accepted, body);
  while (deps.now() - start < SYNTHETIC_WAIT_MS) {
    if (await isAcceptedByFcm(deps, key.workspaceId, eventId)) {
      deps.log.metric(metrics.syntheticArrived, 1);
      deps.log.info("synthetic.arrived", { workspaceId: key.workspaceId, eventId, ms: deps.now() - start });
      return;
    }
    await deps.sleep(SYNTHETIC_POLL_MS);
  }
  throw new Error(`the synthetic event ${eventId} has not arrived after ${toSeconds(SYNTHETIC_WAIT_MS)} s`);
};
