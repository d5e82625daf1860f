import { openNotification, showPush } from "./push.ts";
import { keepShell, answerFromShell } from "./shell.ts";

declare const self: ServiceWorkerGlobalScope;

self.addEventListener("install", (event) => event.waitUntil(keepShell().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const answer = answerFromShell(event.request);
  if (answer !== undefined) event.respondWith(answer);
});
self.addEventListener("push", (event) => event.waitUntil(showPush(event.data?.text() ?? "")));
self.addEventListener("notificationclick", (event) => event.waitUntil(openNotification(event)));
// On a machine that reaches no push service, a page hands over what came for it.
self.addEventListener("message", (event) => {
  const text: unknown = event.data?.push;
  if (typeof text === "string") event.waitUntil(showPush(text));
});
