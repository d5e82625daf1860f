import { PressEvent } from "../core/domain/delivery/push/press.ts";
import { parseOrThrow } from "../core/domain/basics/read-own.ts";
import { processKeyPress, type KeyDeps } from "../core/flow/notify/take-key-press.ts";
import { liveReceiptKeys } from "../core/live-push.ts";
import { liveDeps } from "../core/live.ts";

/** Creates the handler of keys pressed in calls. If the handler throws, the call flow announces an error and asks again. */
export const createVoice = (deps: KeyDeps) => (event: unknown) =>
  processKeyPress(deps, parseOrThrow("the press", PressEvent, event));

export const handler = createVoice({
  ...liveDeps("pushes", "escalations", "webhooks"),
  receiptKeys: liveReceiptKeys(),
});
