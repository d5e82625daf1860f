import { handleClick, showPush } from "./push.ts";
import { requestSync, sendStoredReceipts, SYNC, reportToPages } from "./receipts.ts";
import { cacheShell, answerFromShell } from "./shell.ts";

declare const self: ServiceWorkerGlobalScope;

self.addEventListener("install", (event) => event.waitUntil(cacheShell().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const answer = answerFromShell(event.request);
  if (answer !== undefined) event.respondWith(answer);
});
self.addEventListener("push", (event) => event.waitUntil(showPush(event.data?.text() ?? "")));
self.addEventListener("notificationclick", (event) => event.waitUntil(handleClick(event)));
/** Sends stored receipts. Throws if a receipt is unsent, so that the browser retries. The last retry requests a new sync. */
const handleSync = async (isLastRetry: boolean): Promise<void> => {
  if (await sendStoredReceipts()) return;
  if (isLastRetry) await requestSync();
  throw new Error("a stored receipt could not be sent");
};
// Only some browsers send the event `sync`.
self.addEventListener("sync", (event) => {
  if (!(event instanceof ExtendableEvent) || !("tag" in event) || event.tag !== SYNC) return;
  event.waitUntil(handleSync("lastChance" in event && event.lastChance === true));
});
self.addEventListener("message", (event) => {
  const text: unknown = event.data?.push;
  // On a developer's machine without a push service, a page passes pushes to the worker.
  if (typeof text === "string") event.waitUntil(showPush(text));
  // A page sends `sendKept` when it is opened, and when it is online again.
  if (event.data?.sendKept === true) event.waitUntil(sendStoredReceipts().then(() => reportToPages({ news: false })));
});
