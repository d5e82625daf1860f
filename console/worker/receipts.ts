import { deleteReceipt, storeReceipt, listReceipts } from "../receipts/store.ts";
import { signReceipt } from "../receipts/sign.ts";

declare const self: ServiceWorkerGlobalScope;

export type PushData = Partial<Record<string, string>>;

/** `kept`: the receipt is stored until it can be sent. `refused`: the reader must acknowledge on the page. */
export type ReceiptOutcome = "taken" | "kept" | "refused";

const ADDRESS = "/v1/receipts";
/** The tag of the event with which the browser wakes the worker when the network is back. */
export const SYNC = "receipts";

/** The timeout of a request, which is short because a person waits for the outcome. */
const PATIENCE_MS = 10_000;

/** Sends a receipt. Returns "refused" after the status 401, and "kept" if the receipt has to be sent again. */
const postReceipt = async (body: string): Promise<ReceiptOutcome> => {
  try {
    const headers = { "Content-Type": "application/json" };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { ok, status } = await fetch(ADDRESS, { method: "POST", headers, body, credentials: "omit", signal });
    if (ok) return "taken";
    return status === 401 ? "refused" : "kept";
  } catch {
    return "kept";
  }
};

/** Asks the browser to wake the worker when the network is back, if the browser supports this. */
export const requestSync = async (): Promise<void> => {
  if (!("sync" in self.registration)) return;
  const { sync } = self.registration;
  if (typeof sync !== "object" || sync === null || !("register" in sync) || typeof sync.register !== "function") return;
  // If the browser refuses, the receipts are sent when the next push arrives or the next page is opened.
  await Promise.resolve(sync.register(SYNC)).catch(() => undefined);
};

const listEventIdsOfUnsentAcknowledgements = async (): Promise<string[]> =>
  (await listReceipts()).filter(({ status }) => status === "ACKNOWLEDGED").map(({ eventId }) => eventId);

/** Tells open pages which acknowledgements are unsent. `news`: whether the pages load their data again. */
export const reportToPages = async ({ news }: { news: boolean }): Promise<void> => {
  const unsent = await listEventIdsOfUnsentAcknowledgements();
  for (const page of await self.clients.matchAll({ type: "window" })) page.postMessage({ unsent, news });
};

/** Signs, stores and sends a receipt. Storing comes first, because a browser may end the worker while it sends. */
export const reportReceipt = async (
  data: PushData,
  status: "DELIVERED" | "OPENED" | "ACKNOWLEDGED",
): Promise<ReceiptOutcome> => {
  const { receipt = "", notificationId = "", eventId = "" } = data;
  const body = receipt === "" ? undefined : await signReceipt(receipt, status, Date.now());
  if (body === undefined) return "refused";
  const id = `${notificationId} ${status}`;
  // Without storage, such as on a full disk, the receipt is sent anyway.
  await storeReceipt({ id, body, status, tag: notificationId, eventId }).catch(() => undefined);
  const answer = await postReceipt(body);
  if (answer === "kept") await requestSync();
  else await deleteReceipt(id);
  return answer;
};

/**
 * Sends the stored receipts, acknowledgements first. Removes notifications which said that an acknowledgement was not sent. Drops
 * refused receipts. Returns false if a receipt could not be sent.
 */
export const sendStoredReceipts = async (): Promise<boolean> => {
  const kept = (await listReceipts()).toSorted((a, b) => a.status.localeCompare(b.status));
  let isSent = true;
  for (const { id, body, status, tag } of kept) {
    const answer = await postReceipt(body);
    if (answer === "kept") {
      isSent = false;
      break;
    }
    await deleteReceipt(id);
    if (answer !== "taken" || status !== "ACKNOWLEDGED") continue;
    for (const shown of await self.registration.getNotifications({ tag })) shown.close();
  }
  if (kept.length > 0) await reportToPages({ news: true });
  return isSent;
};
