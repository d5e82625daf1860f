import { describe, expect, it, vi } from "vitest";
import { formatDay, listMidnights, formatMinute, toTimestamp } from "../../../console/app/dates.ts";
import { aBrowser, load, type Signal } from "./browser.ts";

type Router = {
  here: Signal<URL>;
  matched: Signal<unknown>;
  matchPath: (path: string) => unknown;
  navigate: (to: string, options?: { replace?: boolean }) => void;
  setQuery: (values: Record<string, string | undefined>) => void;
  startRouter: () => void;
};

describe("a console URL", () => {
  it.each([
    ["/", "the home page", { name: "home", params: {} }],
    ["/inbox", "the inbox", { name: "inbox", params: {} }],
    ["/events/evt_1", "the page of this event", { name: "event", params: { id: "evt_1" } }],
    ["/rules/new", "the page of a new rule", { name: "newRule", params: {} }],
    ["/rules/a%2Fb", "the page of the rule a/b", { name: "rule", params: { id: "a/b" } }],
    ["/on-call/grp_1", "the on-call schedule of this group", { name: "schedule", params: { id: "grp_1" } }],
    ["/signed-in", "the page that a person returns to after signing in", { name: "signedIn", params: {} }],
    ["/events/evt_1/more", "no page", { name: undefined }],
    ["/event", "no page", { name: undefined }],
  ])("with the path %s opens %s", async (path, _, page) => {
    aBrowser();
    const { matchPath } = await load<Router>("router");

    expect(matchPath(path)).toEqual(page);
  });

  it("keeps the current workspace unless the link names another, and a new page is shown from its top", async () => {
    const browser = aBrowser({ at: "https://a.example/inbox?workspace=ws_1&state=open" });
    const { here, matched, navigate } = await load<Router>("router");

    navigate("/events");
    expect([here.value.href, browser.scrolls.length]).toEqual(["https://a.example/events?workspace=ws_1", 1]);
    expect(matched.value).toEqual({ name: "events", params: {} });
    navigate("/events?state=open", { replace: true });
    navigate("/events?workspace=ws_2");

    expect(browser.history).toEqual([
      "push /events?workspace=ws_1",
      "replace /events?state=open&workspace=ws_1",
      "push /events?workspace=ws_2",
    ]);
    expect(browser.scrolls.length).toBe(1);
  });

  it("names no workspace if neither the current URL nor the link names one", async () => {
    const browser = aBrowser();
    (await load<Router>("router")).navigate("/events");

    expect(browser.history).toEqual(["push /events"]);
  });

  it("is replaced when the filters change, without empty filters and without a new entry in the browser's history", async () => {
    const browser = aBrowser({ at: "https://a.example/events?state=open&site=x" });
    (await load<Router>("router")).setQuery({ state: undefined, site: "", eventKey: "a.*" });

    expect(browser.history).toEqual(["replace /events?eventKey=a.*"]);
  });

  it("is opened again when the user goes back", async () => {
    const browser = aBrowser();
    const { here, startRouter } = await load<Router>("router");
    startRouter();
    browser.location.href = "https://a.example/rules";

    browser.window.tell("popstate");

    expect(here.value.pathname).toBe("/rules");
  });
});

describe("pressing a link", () => {
  class Element {
    link: unknown;
    constructor(link: unknown) {
      this.link = link;
    }
    closest(selector: string) {
      return selector === "a" ? this.link : null;
    }
  }
  type Link = { href?: string; target?: string; download?: boolean };
  const pressLink = async ({ href = "https://a.example/rules", target = "", download = false }: Link, keys = {}) => {
    const browser = aBrowser({ at: "https://a.example/events" });
    vi.stubGlobal("Element", Element);
    const { startRouter } = await load<Router>("router");
    startRouter();
    const preventDefault = vi.fn();
    const link = { href, target, hasAttribute: (name: string) => download && name === "download" };
    const event = { button: 0, target: new Element(link), preventDefault, ...keys };
    browser.document.tell("click", event);
    expect(preventDefault).toHaveBeenCalledTimes(browser.history.length);
    return browser.history;
  };

  it("to a page of the console opens it without a reload", async () => {
    expect(await pressLink({})).toEqual(["push /rules"]);
    expect(await pressLink({ href: "https://a.example/events#more" })).toEqual([]);
    expect(await pressLink({ href: "https://a.example/rules#more" })).toEqual(["push /rules#more"]);
    expect(await pressLink({ href: "https://a.example/events" })).toEqual(["push /events"]);
  });

  it.each([
    ["to another site", { href: "https://b.example/rules" }, {}],
    ["to a URL that is not a page of the console", { href: "https://a.example/v1/openapi.json" }, {}],
    ["into another window", { target: "_blank" }, {}],
    ["to a file", { download: true }, {}],
    ["that has no address", { href: "" }, {}],
    ["with the middle mouse button", {}, { button: 1 }],
    ["with Ctrl", {}, { ctrlKey: true }],
    ["with Cmd", {}, { metaKey: true }],
    ["with Shift", {}, { shiftKey: true }],
    ["with Alt", {}, { altKey: true }],
    ["that something else has handled", {}, { defaultPrevented: true }],
    ["on an element that is not a link", {}, { target: new Element(null) }],
    ["whose press has no target", {}, { target: null }],
  ])("%s is handled by the browser alone", async (_, link, keys) => {
    expect(await pressLink(link, keys)).toEqual([]);
  });
});

describe("a time on a page", () => {
  type Clock = {
    now: Signal<number>;
    startClock: () => void;
    formatTimeAgo: (iso: string, at?: number) => string;
    formatExactTime: (iso: string) => string;
    formatDayAndTime: (iso: string) => string;
    formatClockTime: (ms: number) => string;
    formatLongDay: (iso: string) => string;
    setClock: (date: string | null) => void;
    readServiceTime: () => number;
  };
  const NOON = Date.UTC(2026, 10, 23, 12);
  const toTimeAfterNoon = (seconds: number) => new Date(NOON + seconds * 1000).toISOString();

  it.each([
    [0, "just now"],
    [30, "just now"],
    [31, "in a moment"],
    [59, "in a moment"],
    [-59, "just now"],
    [-60, "1 min ago"],
    [-90 * 60, "1 hr ago"],
    [59 * 60, "in 59 min"],
    [3600, "in 1 hr"],
    [-23 * 3600, "23 hr ago"],
    [-24 * 3600, "yesterday"],
    [6 * 24 * 3600, "in 6 days"],
    [-7 * 24 * 3600, "last week"],
    [-51 * 7 * 24 * 3600, "51 weeks ago"],
    [-52 * 7 * 24 * 3600, "last yr"],
    [-2 * 52 * 7 * 24 * 3600, "2 yr ago"],
  ])('that is %i seconds from now is shown as "%s"', async (seconds, says) => {
    aBrowser();

    expect((await load<Clock>("clock")).formatTimeAgo(toTimeAfterNoon(seconds), NOON)).toBe(says);
  });

  it("is written in the user's time zone", async () => {
    aBrowser();
    const { formatExactTime, formatDayAndTime, formatClockTime, formatLongDay, now } = await load<Clock>("clock");
    const local = new Date(2026, 2, 2, 9, 5, 7).toISOString();

    expect(formatExactTime(local)).toBe("2 Mar 2026, 09:05:07");
    expect(formatDayAndTime(local)).toBe("Mon 2 Mar, 09:05");
    expect(formatLongDay(local)).toBe("Monday 2 March");
    expect(formatClockTime(Date.parse(local))).toBe("Mon 2 Mar, 09:05");
    now.value = new Date(2026, 2, 2, 23).getTime();
    expect(formatClockTime(Date.parse(local))).toBe("09:05");
  });

  it("follows the service's clock if this machine's clock differs by more than three seconds", async () => {
    vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
    aBrowser();
    const { now, setClock, readServiceTime } = await load<Clock>("clock");
    const { status } = await load<{ status: Signal<string> }>("status");

    const seconds = [3, 3.001, -20, undefined, 40, 101].map((second) => {
      setClock(second === undefined ? null : toTimeAfterNoon(second));
      return [(readServiceTime() - NOON) / 1000, (now.value - NOON) / 1000];
    });

    expect(seconds.map(([service]) => service)).toEqual([0, 3.001, -20, -20, 40, 101]);
    expect(seconds.every(([service, shown]) => service === shown)).toBe(true);
    await vi.waitFor(() => expect(status.value).not.toBe(""));
  });

  it("is updated while the page is visible, and at once when it is shown again", async () => {
    vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
    const browser = aBrowser();
    const { now, startClock, formatTimeAgo } = await load<Clock>("clock");
    startClock();
    const tick = browser.timers.find(({ every }) => every)!;
    expect(tick.ms).toBe(30_000);

    vi.setSystemTime(NOON + 60_000);
    browser.document.visibilityState = "hidden";
    tick.run();
    expect(now.value).toBe(NOON);
    browser.document.tell("visibilitychange");
    expect(now.value).toBe(NOON + 60_000);
    vi.setSystemTime(NOON + 120_000);
    browser.document.visibilityState = "visible";
    tick.run();

    expect(now.value).toBe(NOON + 120_000);
    expect(formatTimeAgo(toTimeAfterNoon(0))).toBe("2 min ago");
    browser.timers.find(({ every }) => !every)!.run();
  });

  it("that is typed in local time is sent as the same instant", () => {
    const at = new Date(2026, 2, 2, 9, 5).getTime();

    expect([formatDay(at), formatMinute(at)]).toEqual(["2026-03-02", "2026-03-02T09:05"]);
    expect(formatMinute(new Date(2026, 10, 12, 0, 0).getTime())).toBe("2026-11-12T00:00");
    expect(toTimestamp("2026-03-02T09:05")).toBe(new Date(at).toISOString());
    expect(toTimestamp("soon")).toBe("soon");
  });

  it("that begins or ends a day is midnight in local time, even after a clock change", () => {
    const startOfDay = (month: number, date: number) => new Date(2026, month, date).getTime();

    expect(listMidnights("2026-03-28", 3)).toEqual([
      startOfDay(2, 28),
      startOfDay(2, 29),
      startOfDay(2, 30),
      startOfDay(2, 31),
    ]);
    expect(listMidnights("2026-12-31", 1)).toEqual([startOfDay(11, 31), startOfDay(11, 32)]);
  });
});

describe("pressing a key", () => {
  type Keys = { keysShown: Signal<boolean>; startKeyboard: () => void };
  class HTMLElement {
    tagName = "DIV";
    isContentEditable = false;
    constructor(fields: object = {}) {
      Object.assign(this, fields);
    }
  }
  const aRow = (fields: object = {}) => ({
    focus: vi.fn(),
    scrollIntoView: vi.fn(),
    contains: (other: unknown) => other === fields,
    ...fields,
  });
  const openPage = async () => {
    const browser = aBrowser();
    vi.stubGlobal("HTMLElement", HTMLElement);
    const { keysShown, startKeyboard } = await load<Keys>("keys");
    startKeyboard();
    const preventDefault = vi.fn();
    const pressButton = (key: string, event: object = {}) =>
      browser.document.tell("keydown", { key, target: new HTMLElement(), preventDefault, ...event });
    return { browser, keysShown, pressButton, preventDefault };
  };

  it("opens the list of shortcuts if the key is ?, and prevents the browser's own action for ?", async () => {
    const { keysShown, pressButton, preventDefault } = await openPage();

    pressButton("?");

    expect(keysShown.value).toBe(true);
    expect(preventDefault).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["with Ctrl", { ctrlKey: true }],
    ["with Cmd", { metaKey: true }],
    ["with Alt", { altKey: true }],
    ["in a text field", { target: new HTMLElement({ tagName: "INPUT" }) }],
    ["in a text field of several lines", { target: new HTMLElement({ tagName: "TEXTAREA" }) }],
    ["in a drop-down list", { target: new HTMLElement({ tagName: "SELECT" }) }],
    ["in a text that is edited", { target: new HTMLElement({ isContentEditable: true }) }],
  ])("does not open the list of shortcuts if the key ? is pressed %s", async (_, event) => {
    const { keysShown, pressButton, preventDefault } = await openPage();

    pressButton("?", event);

    expect(keysShown.value).toBe(false);
    expect(preventDefault).not.toHaveBeenCalled();
  });

  it("does nothing while a dialog is open, or if the key is no shortcut", async () => {
    const { browser, keysShown, pressButton, preventDefault } = await openPage();
    pressButton("x");
    browser.found.set("dialog[open]", {});
    pressButton("?");

    expect(keysShown.value).toBe(false);
    expect(preventDefault).not.toHaveBeenCalled();
  });

  it.each([
    ["Ctrl+K does both", { ctrlKey: true }, true],
    ["Cmd with a capital K does both", { metaKey: true, key: "K" }, true],
    ["Ctrl+J does neither", { ctrlKey: true, key: "j" }, false],
    ["Ctrl+Alt+K does neither", { ctrlKey: true, altKey: true }, false],
    ["Ctrl+Shift+K does neither", { ctrlKey: true, shiftKey: true }, false],
  ])("opens the Ctrl+K dialog, or closes it if it is open: %s", async (_, keys, opens) => {
    const { browser, pressButton } = await openPage();
    const { paletteShown } = await load<{ paletteShown: Signal<boolean> }>("keys");
    const press = () => pressButton("k", keys);

    expect(paletteShown.value).toBe(false);
    press();
    expect(paletteShown.value).toBe(opens);
    browser.found.set("dialog[open]", {});
    press();
    press();
    expect(paletteShown.value).toBe(false);
  });

  it("opens the key's page if g was pressed at most a second and a half before", async () => {
    const { browser, pressButton } = await openPage();
    const press = (keys: string, timeStamp: number) => pressButton(keys, { timeStamp });

    press("e", 10);
    press("g", 2000);
    press("e", 3499);
    press("o", 3500);
    press("g", 5000);
    press("e", 6500);
    press("g", 8000);
    press("g", 8001);
    press("e", 8002);

    expect(browser.history).toEqual(["push /events", "push /groups"]);
  });

  it("moves the focus between rows, and stops at the first and the last row", async () => {
    const { browser, pressButton } = await openPage();
    const rows = [aRow(), aRow(), aRow()];
    const setActiveRow = (index: number | undefined) => {
      browser.document.activeElement = index === undefined ? undefined : index;
      for (const [at, row] of rows.entries()) row.contains = () => at === index;
    };
    browser.found.set("[data-row]", rows);
    const seen: number[] = [];
    for (const [index, row] of rows.entries()) row.focus.mockImplementation(() => seen.push(index));

    for (const [at, key] of [
      [undefined, "j"],
      [0, "j"],
      [2, "j"],
      [2, "k"],
      [0, "k"],
    ] as const) {
      setActiveRow(at);
      pressButton(key);
    }

    expect(seen).toEqual([0, 1, 2, 1, 0]);
    expect(rows[0]!.scrollIntoView).toHaveBeenCalledWith({ block: "nearest" });
    browser.found.set("[data-row]", []);
    pressButton("j");
  });

  it("opens the search if the key is /, and acknowledges the focused row or the page's event if the key is a", async () => {
    const { browser, pressButton } = await openPage();
    const [search, inPage, inRow] = [{ focus: vi.fn() }, { click: vi.fn() }, { click: vi.fn() }];
    browser.found.set('input[type="search"]', search);
    browser.found.set('[data-key="a"]:not([data-row] *)', inPage);
    pressButton("/");
    pressButton("a");
    expect([search.focus.mock.calls.length, inPage.click.mock.calls.length]).toEqual([1, 1]);

    const row = { querySelector: (selector: string) => (selector === '[data-key="a"]' ? inRow : null) };
    browser.document.activeElement = { closest: (selector: string) => (selector === "[data-row]" ? row : null) };
    pressButton("a");

    expect([inPage.click.mock.calls.length, inRow.click.mock.calls.length]).toEqual([1, 1]);
    browser.found.clear();
    browser.document.activeElement = null;
    pressButton("/");
    pressButton("a");
  });

  it("acknowledges nothing if no row is chosen, and says how to choose one", async () => {
    const { browser, pressButton } = await openPage();
    const { status } = await load<{ status: Signal<string> }>("status");
    const inRow = { click: vi.fn() };
    browser.found.set('[data-key="a"]', inRow);

    pressButton("a");

    expect(inRow.click).not.toHaveBeenCalled();
    expect(status.value).toBe("First select an entry with j or k.");
  });
});
