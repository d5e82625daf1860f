import { afterEach, describe, expect, it, vi } from "vitest";
import { aBrowser, load, type Signal } from "./browser.ts";

describe("the console's state", () => {
  const loadTheme = async (kept: string | undefined, systemDark = false) => {
    const browser = aBrowser();
    if (kept !== undefined) browser.kept.set("theme", kept);
    vi.stubGlobal("matchMedia", (query: string) => ({
      matches: systemDark && query === "(prefers-color-scheme: dark)",
    }));
    const { startTheme, switchTheme } = await load<{ startTheme: () => void; switchTheme: () => void }>("theme");
    startTheme();
    return {
      switchTheme,
      seen: () => browser.document.documentElement.dataset["theme"],
      kept: () => browser.kept.get("theme"),
    };
  };

  it.each([
    ["shows the stored theme dark", "light", "dark", "dark"],
    ["shows the stored theme light", "dark", "light", "light"],
    ["ignores the stored theme purple, which does not exist", "dark", "purple", undefined],
    ["sets no theme if none is stored", "dark", undefined, undefined],
  ])("%s, and has the theme %s after the user switches the theme", async (_, turned, chosen, shown) => {
    const { switchTheme, seen, kept } = await loadTheme(chosen);
    expect(seen()).toBe(shown);

    switchTheme();
    expect([seen(), kept()]).toEqual([turned, turned]);
  });

  it("has the system's theme if none was chosen", async () => {
    const { switchTheme, kept } = await loadTheme(undefined, true);
    switchTheme();
    expect(kept()).toBe("light");
  });

  it("keeps the message about the latest action for eight seconds", async () => {
    const browser = aBrowser();
    const { status, showStatus } = await load<{ status: Signal<string>; showStatus: (text: string) => void }>("status");

    showStatus("Saved.");
    showStatus("Removed.");
    expect([status.value, browser.timers.map(({ ms }) => ms)]).toEqual(["Removed.", [8000]]);
    browser.timers[0]!.run();
    expect(status.value).toBe("");
  });

  it("keeps the last change that can be undone until its message is closed or another change is made", async () => {
    const browser = aBrowser();
    type Status = { undoable: Signal<unknown>; showStatus: (result: string | object) => void };
    const { undoable, showStatus } = await load<Status>("status");
    const change = { message: "Rule disabled.", undo: vi.fn() };

    showStatus(change);
    showStatus("New, high: The disk is full");
    browser.timers[0]!.run();

    expect([undoable.value, browser.timers.length]).toEqual([change, 1]);
  });

  it("allows postponed work to begin after five seconds, even if the first page has not shown its content", async () => {
    type Settled = { isSettled: Signal<boolean>; startSettleTimer: () => void };
    const browser = aBrowser();
    const { isSettled, startSettleTimer } = await load<Settled>("settled");
    startSettleTimer();
    expect([isSettled.value, browser.timers[0]!.ms]).toEqual([false, 5000]);

    browser.timers[0]!.run();
    expect(isSettled.value).toBe(true);
  });
});

it.each([
  ["if a viewer needs the role responder", "viewer", "responder", "needs the role responder; you are a viewer"],
  ["if a responder needs the role manager", "responder", "manager", "needs the role manager; you are a responder"],
  ["not if a manager needs the role manager", "manager", "manager", undefined],
  ["not if an owner needs the role responder", "owner", "responder", undefined],
  ["not if a viewer needs no role", "viewer", undefined, undefined],
])("the console names the role that a person lacks for an action: %s", async (_, role, needed, reason) => {
  aBrowser();
  const { workspaces } = await load<{ workspaces: Signal<unknown> }>("workspace");
  workspaces.value = { state: { value: { kind: "ready", data: [{ id: "ws_1", role }] } } };
  const { explainMissingRole } = await load<{
    explainMissingRole: (needed?: string, what?: string) => string | undefined;
  }>("role");

  const said = explainMissingRole(needed, "Saving");
  expect(said === undefined ? undefined : /needs.*?(?=\.)/.exec(said)?.[0]).toBe(reason);
});

describe("a page's request for data", () => {
  type Loaded = { kind: string; data?: unknown; trouble?: unknown; failure?: unknown };
  type Resource = { state: Signal<Loaded>; refresh: () => Promise<void>; close: () => void };
  type Outage = { failure: object; shownAt: number | undefined; nextAt: number | undefined };
  type Parts = {
    createResource: (load: (signal: AbortSignal) => Promise<unknown>, everySeconds?: number) => Resource;
    refreshAll: () => void;
    tryAgainNow: () => void;
  };
  const NOON = Date.UTC(2026, 10, 23, 12);
  const openPage = async (everySeconds?: number) => {
    vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
    vi.spyOn(Math, "random").mockReturnValue(1);
    const browser = aBrowser();
    const parts = await load<Parts>("resource");
    const { outage } = await load<{ outage: Signal<Outage | undefined> }>("outage");
    const { Failed } = await load<{ Failed: new (failure: object) => Error }>("failure");
    const asked: (PromiseWithResolvers<unknown> & { signal: AbortSignal })[] = [];
    const createResource = () =>
      parts.createResource((signal) => {
        const one = { ...Promise.withResolvers<unknown>(), signal };
        asked.push(one);
        return one.promise;
      }, everySeconds);
    const flush = () => new Promise((resolve) => setImmediate(resolve));
    const answer = async (index: number, data: unknown) => {
      asked[index]!.resolve(data);
      await flush();
    };
    const showFailure = async (index: number, failure: object = { kind: "offline" }) => {
      asked[index]!.reject(new Failed(failure));
      await flush();
    };
    return {
      ...parts,
      browser,
      make: createResource,
      resource: createResource(),
      outage,
      asked,
      flush,
      answer,
      showFailure,
    };
  };
  const createRefusal = (status: number, retryAfter?: number) => ({ kind: "refused", status, retryAfter });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("is loading, then ready; a later failure keeps the old data and shows an error message", async () => {
    const { resource, answer, showFailure } = await openPage();
    expect(resource.state.value).toEqual({ kind: "loading" });
    await answer(0, "one");
    expect(resource.state.value).toEqual({ kind: "ready", data: "one", trouble: undefined });

    void resource.refresh();
    await showFailure(1);

    expect(resource.state.value).toEqual({ kind: "ready", data: "one", trouble: { kind: "offline" } });
  });

  it("has failed if no answer came; a programming error of the page is thrown instead", async () => {
    const { resource, asked, showFailure } = await openPage();
    await showFailure(0);
    expect(resource.state.value).toEqual({ kind: "failed", failure: { kind: "offline" } });

    const again = resource.refresh();
    asked[1]!.reject(new TypeError("mine"));
    await expect(again).rejects.toThrow("mine");
  });

  it("is aborted by a later request, and its answer is ignored after the user has left the page", async () => {
    const { browser, resource, refreshAll, asked, answer } = await openPage(10);
    void resource.refresh();
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    await answer(1, "second");
    await answer(0, "first");
    expect(resource.state.value).toMatchObject({ data: "second" });

    void resource.refresh();
    resource.close();
    expect(asked[2]!.signal.aborted).toBe(true);
    await answer(2, "third");
    expect(resource.state.value).toMatchObject({ data: "second" });
    refreshAll();
    browser.document.tell("visibilitychange");
    expect([asked.length, browser.timers.length]).toEqual([3, 0]);
  });

  it("is repeated after some time, after a push, and when the page is shown again, but not while the page is hidden", async () => {
    const { browser, refreshAll, asked, answer } = await openPage(10);
    expect(browser.timers).toEqual([]);
    await answer(0, "one");
    const [timer] = browser.timers;
    expect([timer!.ms, timer!.every]).toEqual([10_000, false]);

    timer!.run();
    await answer(1, "two");
    refreshAll();
    await answer(2, "three");
    browser.document.tell("visibilitychange");
    await answer(3, "four");
    expect(asked).toHaveLength(4);
    browser.document.visibilityState = "hidden";
    browser.timers.at(-1)!.run();
    refreshAll();
    browser.document.tell("visibilitychange");

    expect(asked).toHaveLength(4);
  });

  it("is not repeated before its answer has come, and is then repeated if a push has arrived meanwhile", async () => {
    const { browser, resource, refreshAll, asked, answer } = await openPage(5);

    refreshAll();
    refreshAll();
    browser.document.tell("visibilitychange");
    expect(asked).toHaveLength(1);
    await answer(0, "before the push");
    expect(resource.state.value).toMatchObject({ data: "before the push" });
    expect(asked).toHaveLength(2);
    await answer(1, "after the push");

    expect(resource.state.value).toMatchObject({ data: "after the push" });
    expect(asked).toHaveLength(2);
  });

  it("that has no refresh interval is repeated only when all requests are repeated", async () => {
    const { browser, refreshAll, asked, answer } = await openPage();
    await answer(0, "one");

    browser.document.tell("visibilitychange");
    expect([asked.length, browser.timers.length]).toEqual([1, 0]);
    refreshAll();
    expect(asked).toHaveLength(2);
  });

  it("without an answer is retried after growing pauses, and the connection bar is shown until an answer comes", async () => {
    const { browser, resource, outage, asked, answer, showFailure } = await openPage();
    const pauses: number[] = [];
    await showFailure(0);
    expect(outage.value).toEqual({ failure: { kind: "offline" }, shownAt: undefined, nextAt: NOON + 5000 });
    for (let round = 1; round <= 5; round += 1) {
      pauses.push(browser.timers.at(-1)!.ms);
      browser.timers.at(-1)!.run();
      expect(outage.value).toMatchObject({ nextAt: undefined });
      await showFailure(round);
    }
    expect(pauses).toEqual([5000, 10_000, 20_000, 40_000, 60_000]);

    browser.timers.at(-1)!.run();
    await answer(6, "there");

    expect(outage.value).toBeUndefined();
    expect([asked.length, browser.timers.length]).toEqual([7, 0]);

    void resource.refresh();
    await showFailure(7);
    expect(browser.timers.map(({ ms }) => ms)).toEqual([5000]);
  });

  it("is repeated after the pause that a busy service requests, or up to 25 % later; the page shows its data's age", async () => {
    const { browser, outage, answer, showFailure } = await openPage(5);
    await answer(0, "one");
    vi.setSystemTime(NOON + 7000);
    browser.timers.at(-1)!.run();
    await showFailure(1, createRefusal(429, 30));

    expect(outage.value).toEqual({ failure: createRefusal(429, 30), shownAt: NOON, nextAt: NOON + 44_500 });
    expect(browser.timers.map(({ ms }) => ms)).toEqual([37_500]);
  });

  it.each([
    ["with the status 404", createRefusal(404)],
    ["with the status 403", createRefusal(403)],
    ["because nobody is signed in", { kind: "signed-out" }],
  ])("that is refused %s is not a connection error", async (_, failure) => {
    const { browser, outage, showFailure } = await openPage();
    await showFailure(0, failure);

    expect([outage.value, browser.timers.length]).toEqual([undefined, 0]);
  });

  it("is retried at once if the user asks for it or the page is shown again; an unanswered retry is aborted", async () => {
    const { browser, tryAgainNow, asked, showFailure } = await openPage();
    await showFailure(0);
    tryAgainNow();
    tryAgainNow();

    expect(asked.map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
    expect(browser.timers).toEqual([]);
    await showFailure(2);
    browser.document.visibilityState = "hidden";
    browser.timers.at(-1)!.run();
    expect(asked).toHaveLength(3);
    browser.document.visibilityState = "visible";
    browser.document.tell("visibilitychange");
    expect(asked).toHaveLength(4);
  });

  it("shares one connection bar with all other requests: it shows the oldest data's age, the next retry, and a missing network", async () => {
    const { outage, make, resource, answer, showFailure } = await openPage();
    await answer(0, "one");
    vi.setSystemTime(NOON + 60_000);
    const second = make();
    await answer(1, "two");
    void resource.refresh();
    await showFailure(2, createRefusal(503));
    expect(outage.value).toEqual({ failure: createRefusal(503), shownAt: NOON, nextAt: NOON + 65_000 });
    vi.setSystemTime(NOON + 62_000);
    void second.refresh();
    await showFailure(3);

    expect(outage.value).toEqual({ failure: { kind: "offline" }, shownAt: NOON, nextAt: NOON + 65_000 });
    resource.close();
    expect(outage.value).toMatchObject({ shownAt: NOON + 60_000, nextAt: NOON + 67_000 });
    second.close();
    expect(outage.value).toBeUndefined();
  });
});
