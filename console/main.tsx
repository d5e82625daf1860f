import { effect } from "@preact/signals";
import { render } from "preact";
import { createApi } from "./app/api.ts";
import { App } from "./app/app.tsx";
import { startClock } from "./app/clock.ts";
import { ignoreFailed } from "./app/failure.ts";
import { startKeyboard } from "./app/keys.ts";
import { handleWorkerMessage, startOutbox } from "./app/outbox.ts";
import { loadPart } from "./app/part.ts";
import { tryAgainNow } from "./app/resource.ts";
import { startRouter } from "./app/router.ts";
import { session, startSession } from "./app/session.ts";
import { isSettled, startSettleTimer } from "./app/settled.ts";
import { isLocal, setting } from "./app/setting.ts";
import { startTheme } from "./app/theme.ts";
import { stopLoadingWorkspaces, storeWorkspace, startLoadingWorkspaces, workspace } from "./app/workspace.ts";

declare global {
  /** Declares script URLs as strings, because TypeScript expects a string as a worker's URL. */
  var trustedTypes:
    | { createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(text: string): string } }
    | undefined;
}

/** Returns the worker's URL as a Trusted Type. The policy `worker` allows no other URL. */
const createWorkerUrl = (): string => {
  const address = "/worker.js";
  return (
    globalThis.trustedTypes?.createPolicy("worker", { createScriptURL: () => address }).createScriptURL("") ?? address
  );
};

let workerIsStarted = false;
/** Starts the worker for somebody who is signed in, because nobody else needs notifications or the console offline. */
const startWorker = async (): Promise<void> => {
  if (workerIsStarted) return;
  workerIsStarted = true;
  // Without the worker, the console still works online.
  await navigator.serviceWorker.register(createWorkerUrl()).catch(() => undefined);
  if (isLocal)
    await loadPart(() => import("./app/browser-push.ts")).then(
      ({ forwardPushes: followStandIn }) => followStandIn(),
      ignoreFailed,
    );
};

const startConsole = (): void => {
  // The worker's registration is not awaited, because the registration waits for the network.
  void startSession();
  startTheme();
  startRouter();
  startClock();
  startSettleTimer();
  startKeyboard();
  startOutbox();
  effect(() => {
    if (session.value.state === "in") startLoadingWorkspaces();
    else stopLoadingWorkspaces();
  });
  effect(() => {
    const { value: person } = session;
    const open = workspace.value;
    if (person.state !== "in" || open === undefined) return;
    storeWorkspace(open);
    const { id } = open;
    if (!isSettled.value) return;
    const place = { api: createApi(id), workspaceId: id, me: person.userId };
    // A failure does not affect the page, because the next visit tries again.
    loadPart(() => import("./app/check-devices.ts")).then(({ checkDevicesOnce: visit }) => visit(place), ignoreFailed);
  });
  isSettled.subscribe((settled) => {
    if (settled)
      loadPart(() => import("./app/focus.ts")).then(({ moveFocusOnRemoval: keepFocus }) => keepFocus(), ignoreFailed);
  });
  const root = document.querySelector("#app");
  if (root === null) throw new Error("the shell has no place for the page");
  root.replaceChildren();
  render(<App />, root);
  addEventListener("online", tryAgainNow);
  if ("serviceWorker" in navigator) {
    navigator.serviceWorker.addEventListener("message", ({ data }) => handleWorkerMessage(data));
    effect(() => {
      if (isSettled.value && session.value.state === "in") void startWorker();
    });
  }
};

// The user pool returns to only one URL after a sign-in, so other addresses of the console redirect to this URL.
if (location.origin === setting.origin) startConsole();
else location.replace(setting.origin + location.pathname + location.search);
