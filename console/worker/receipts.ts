import { dropReceipt, keepReceipt, listReceipts } from "../receipts/store.ts";
import { signReceipt } from "../receipts/sign.ts";

declare const self: ServiceWorkerGlobalScope;

/** What a notification carries of its push. */
export type PushData = Partial<Record<string, string>>;

/** `kept`: it could not be sent, and is sent as soon as it can be. `refused`: it is not taken; a page has to do it. */
export type Told = "taken" | "kept" | "refused";

const ADDRESS = "/v1/receipts";
/** The name under which the browser wakes the worker when there is a network again. */
export const SYNC = "receipts";

/** A network that answers nothing is none: somebody waits to see whether the press has worked. */
const PATIENCE_MS = 10_000;

const post = async (body: string): Promise<Told> => {
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

/** Has the browser wake the worker as soon as there is a network. */
export const askForSync = async (): Promise<void> => {
  if (!("sync" in self.registration)) return;
  const { sync } = self.registration;
  if (typeof sync !== "object" || sync === null || !("register" in sync) || typeof sync.register !== "function") return;
  // Refused where the reader allows none: then the next push or page is the occasion.
  await Promise.resolve(sync.register(SYNC)).catch(() => undefined);
};

/** The events whose acknowledgement is pressed and not sent. */
const unsentEvents = async (): Promise<string[]> =>
  (await listReceipts()).filter(({ status }) => status === "ACKNOWLEDGED").map(({ eventId }) => eventId);

/** Tells open pages what is not sent; where there is news, they look again. */
export const tellPages = async ({ news }: { news: boolean }): Promise<void> => {
  const unsent = await unsentEvents();
  for (const page of await self.clients.matchAll({ type: "window" })) page.postMessage({ unsent, news });
};

/**
 * Tells the service what became of a push. It is kept before it is sent, since a browser may end its worker while that waits
 * for an answer; what cannot be sent now stays kept.
 */
export const tell = async (data: PushData, status: "DELIVERED" | "OPENED" | "ACKNOWLEDGED"): Promise<Told> => {
  const { receipt = "", notificationId = "", eventId = "" } = data;
  const body = receipt === "" ? undefined : await signReceipt(receipt, status, Date.now());
  if (body === undefined) return "refused";
  const id = `${notificationId} ${status}`;
  // Where nothing can be kept, on a full disk, it is sent all the same.
  await keepReceipt({ id, body, status, tag: notificationId, eventId }).catch(() => undefined);
  const told = await post(body);
  if (told === "kept") await askForSync();
  else await dropReceipt(id);
  return told;
};

/**
 * Sends what is kept, acknowledgements first, and takes away the notifications that said so. What is refused by now is
 * dropped. False where something could not be sent.
 */
export const sendKept = async (): Promise<boolean> => {
  const kept = (await listReceipts()).toSorted((a, b) => a.status.localeCompare(b.status));
  let isSent = true;
  for (const { id, body, status, tag } of kept) {
    const told = await post(body);
    if (told === "kept") {
      isSent = false;
      break;
    }
    await dropReceipt(id);
    if (told !== "taken" || status !== "ACKNOWLEDGED") continue;
    for (const shown of await self.registration.getNotifications({ tag })) shown.close();
  }
  if (kept.length > 0) await tellPages({ news: true });
  return isSent;
};
