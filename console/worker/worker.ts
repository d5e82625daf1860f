import { onClick, showPush } from "./push.ts";
import { sendKept, SYNC, tellPages } from "./receipts.ts";
import { keepShell, answerFromShell } from "./shell.ts";

declare const self: ServiceWorkerGlobalScope;

self.addEventListener("install", (event) => event.waitUntil(keepShell().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const answer = answerFromShell(event.request);
  if (answer !== undefined) event.respondWith(answer);
});
self.addEventListener("push", (event) => event.waitUntil(showPush(event.data?.text() ?? "")));
self.addEventListener("notificationclick", (event) => event.waitUntil(onClick(event)));
// Where browsers have it: there is a network again.
self.addEventListener("sync", (event) => {
  if (event instanceof ExtendableEvent && "tag" in event && event.tag === SYNC) event.waitUntil(sendKept());
});
self.addEventListener("message", (event) => {
  const text: unknown = event.data?.push;
  // On a machine that reaches no push service, a page hands over what came for it.
  if (typeof text === "string") event.waitUntil(showPush(text));
  // A page was opened, or is online again.
  if (event.data?.sendKept === true) event.waitUntil(sendKept().then(() => tellPages({ news: false })));
});
