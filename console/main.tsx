import { effect } from "@preact/signals";
import { render } from "preact";
import { createApi } from "./app/api.ts";
import { App } from "./app/app.tsx";
import { startClock } from "./app/clock.ts";
import { ignoreFailed } from "./app/failure.ts";
import { startKeys } from "./app/keys.ts";
import { hearWorker, startOutbox } from "./app/outbox.ts";
import { loadPart } from "./app/part.ts";
import { tryAgainNow } from "./app/resource.ts";
import { startRouter } from "./app/router.ts";
import { session, startSession } from "./app/session.ts";
import { isSettled, startSettling } from "./app/settled.ts";
import { isLocal, setting } from "./app/setting.ts";
import { startTheme } from "./app/theme.ts";
import { closeWorkspaces, keepWorkspace, openWorkspaces, workspace } from "./app/workspace.ts";

declare global {
  /** The type of what a policy makes is said as what it stands for, because a worker's address is typed as text. */
  var trustedTypes:
    | { createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(text: string): string } }
    | undefined;
}

/** The only text that may become a script: the policy in the page's header names it. */
const workerAddress = (): string => {
  const address = "/worker.js";
  return (
    globalThis.trustedTypes?.createPolicy("worker", { createScriptURL: () => address }).createScriptURL("") ?? address
  );
};

let workerIsStarted = false;
/** For people who are signed in: nobody else needs the console without a network, or is told of anything. */
const startWorker = async (): Promise<void> => {
  if (workerIsStarted) return;
  workerIsStarted = true;
  // If a browser refuses a worker, the console works without one; then it needs the network.
  await navigator.serviceWorker.register(workerAddress()).catch(() => undefined);
  if (isLocal)
    await loadPart(() => import("./app/browser-push.ts")).then(({ followStandIn }) => followStandIn(), ignoreFailed);
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
    const open = workspace.value;
    if (person.state !== "in" || open === undefined) return;
    keepWorkspace(open);
    const { id } = open;
    if (!isSettled.value) return;
    const place = { api: createApi(id), workspaceId: id, me: person.userId };
    // Without it the page works; the next visit looks again.
    loadPart(() => import("./app/visit.ts")).then(({ visit }) => visit(place), ignoreFailed);
  });
  isSettled.subscribe((settled) => {
    if (settled) loadPart(() => import("./app/focus.ts")).then(({ keepFocus }) => keepFocus(), ignoreFailed);
  });
  const root = document.querySelector("#app");
  if (root === null) throw new Error("the shell has no place for the page");
  root.replaceChildren();
  render(<App />, root);
  addEventListener("online", tryAgainNow);
  if ("serviceWorker" in navigator) {
    // After a push, open pages load again.
    navigator.serviceWorker.addEventListener("message", ({ data }) => hearWorker(data));
    effect(() => {
      if (isSettled.value && session.value.state === "in") void startWorker();
    });
  }
};

// Signing in knows one address of the console, so visitors of another one continue there.
if (location.origin === setting.origin) start();
else location.replace(setting.origin + location.pathname + location.search);
