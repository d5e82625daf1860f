import { effect } from "@preact/signals";
import { render } from "preact";
import { App } from "./app/app.tsx";
import { startClock } from "./app/clock.ts";
import { startKeys } from "./app/keys.ts";
import { startOutbox } from "./app/outbox.ts";
import { refreshAll } from "./app/resource.ts";
import { startRouter } from "./app/router.ts";
import { session, startSession } from "./app/session.ts";
import { isLocal, setting } from "./app/setting.ts";
import { startTheme } from "./app/theme.ts";
import { closeWorkspaces, openWorkspaces } from "./app/workspace.ts";

const start = (): void => {
  startTheme();
  startRouter();
  startClock();
  startKeys();
  startOutbox();
  effect(() => {
    if (session.value.state === "in") openWorkspaces();
    else closeWorkspaces();
  });
  const root = document.querySelector("#app");
  if (root === null) throw new Error("the shell has no place for the page");
  root.replaceChildren();
  render(<App />, root);
  void startSession();
  addEventListener("online", refreshAll);
  if ("serviceWorker" in navigator) {
    // Where a browser refuses one, the console works without: it needs the network then.
    navigator.serviceWorker.register("/worker.js").catch(() => undefined);
    // A push that came tells open pages to look again.
    navigator.serviceWorker.addEventListener("message", refreshAll);
    if (isLocal) void import("./app/browser-push.ts").then(({ followStandIn }) => followStandIn());
  }
};

// Signing in knows one address of the console; whoever comes by another goes on there.
if (location.origin === setting.origin) start();
else location.replace(setting.origin + location.pathname + location.search);
