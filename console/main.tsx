import { effect } from "@preact/signals";
import { render } from "preact";
import { createApi } from "./app/api.ts";
import { App } from "./app/app.tsx";
import { startClock } from "./app/clock.ts";
import { startKeys } from "./app/keys.ts";
import { hearWorker, startOutbox } from "./app/outbox.ts";
import { refreshAll } from "./app/resource.ts";
import { startRouter } from "./app/router.ts";
import { session, startSession } from "./app/session.ts";
import { isSettled, startSettling } from "./app/settled.ts";
import { isLocal, setting } from "./app/setting.ts";
import { startTheme } from "./app/theme.ts";
import { closeWorkspaces, keepWorkspace, openWorkspaces, workspace } from "./app/workspace.ts";

const startWorker = async (): Promise<void> => {
  // If a browser refuses a worker, the console works without one; then it needs the network.
  await navigator.serviceWorker.register("/worker.js").catch(() => undefined);
  if (isLocal) await import("./app/browser-push.ts").then(({ followStandIn }) => followStandIn());
};

const start = (): void => {
  // It waits for the network; everything else happens meanwhile.
  void startSession();
  startTheme();
  startRouter();
  startClock();
  startSettling();
  startKeys();
  startOutbox();
  effect(() => {
    if (session.value.state === "in") openWorkspaces();
    else closeWorkspaces();
  });
  effect(() => {
    const { value: person } = session;
    const id = workspace.value?.id;
    if (person.state !== "in" || id === undefined) return;
    keepWorkspace(id);
    if (!isSettled.value) return;
    const place = { api: createApi(id), workspaceId: id, me: person.userId };
    void import("./app/visit.ts").then(({ visit }) => visit(place));
  });
  const root = document.querySelector("#app");
  if (root === null) throw new Error("the shell has no place for the page");
  root.replaceChildren();
  render(<App />, root);
  addEventListener("online", refreshAll);
  if ("serviceWorker" in navigator) {
    // After a push, open pages load again.
    navigator.serviceWorker.addEventListener("message", ({ data }) => hearWorker(data));
    effect(() => {
      if (isSettled.value) void startWorker();
    });
  }
};

// Signing in knows one address of the console, so visitors of another one continue there.
if (location.origin === setting.origin) start();
else location.replace(setting.origin + location.pathname + location.search);
