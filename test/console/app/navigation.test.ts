import { expect, it, vi } from "vitest";
import { pages } from "../../../console/app/paths.ts";
import { aBrowser, load } from "./browser.ts";

type Link = readonly [href: string, text: string];
type Navigation = {
  places: readonly { link: Link; key: string; tabs?: readonly Link[] }[];
  links: readonly Link[];
  isCurrentPlace: (place: object, pathname: string) => boolean;
  findInitialHeading: (pathname: string) => string;
};
const openNavigation = (): Promise<Navigation> => {
  aBrowser();
  return load<Navigation>("navigation");
};

/** Pages that other pages link to, or that nobody opens by a link. */
const UNLISTED: readonly string[] = ["home", "login", "press", "signedIn", "night"];

it("the navigation links to every page whose URL has no variable part, and each entry has its own shortcut key", async () => {
  const { places, links } = await openNavigation();

  const listed = pages.filter(({ name, path }) => !UNLISTED.includes(name) && path.lastIndexOf("/") === 0);
  expect([...new Set(links.map(([href]) => href))].toSorted()).toEqual(listed.map(({ path }) => path).toSorted());
  for (const { link, tabs = [link] } of places) expect(tabs[0]![0]).toBe(link[0]);
  expect(places.map(({ key }) => key).join("")).toBe("ieorcgsnpt,");
});

it.each([
  ["/", "/inbox", "Inbox"],
  ["/events/evt_1", "/events", "Events"],
  ["/load", "/insights", "Load"],
  ["/eventsmore", "none", "Event Alerting"],
])(
  "in the navigation, the page %s belongs to %s; until it is loaded, its heading is %s",
  async (pathname, href, heading) => {
    const { places, isCurrentPlace, findInitialHeading } = await openNavigation();

    expect(places.filter((place) => isCurrentPlace(place, pathname)).map(({ link }) => link[0])).toEqual(
      href === "none" ? [] : [href],
    );
    expect(findInitialHeading(pathname)).toBe(heading);
  },
);

it("a cached value is read again when it expires, and kept if reading fails", async () => {
  vi.useFakeTimers({ now: 0, toFake: ["Date"] });
  aBrowser();
  type Read = (name: string, read: () => Promise<number>) => Promise<number>;
  const { createTimedCache } = await load<{ createTimedCache: (ms: number) => Read }>("timed-cache");
  const cached = createTimedCache(1000);
  const failToRead = () => Promise.reject(new Error("down"));

  await expect(cached("a", failToRead)).rejects.toThrow("down");
  expect(await cached("a", async () => 1)).toBe(1);
  vi.setSystemTime(999);
  expect(await cached("a", async () => 2)).toBe(1);
  vi.setSystemTime(1000);
  expect(await cached("a", failToRead)).toBe(1);
  expect(await cached("a", async () => 3)).toBe(3);
  for (let name = 0; name < 49; name += 1) await cached(`${name}`, async () => name);
  expect(await cached("a", async () => 4)).toBe(3);
  await cached("49", async () => 49);
  expect(await cached("a", async () => 4)).toBe(4);
});

it.each([
  ["the next row, if the focused row is removed", "b", ["b"], "c"],
  ["the previous row, if the last row had the focus and is removed", "c", ["c"], "b"],
  ["the page's heading, if no row is left", "b", ["a", "b", "c"], "h1"],
  ["the row of the removed button, if only a button is removed", "button of b", [], "b"],
  ["no other element, if the focused element remains", "b", ["a"], undefined],
])("after the page removes rows or buttons, the focus moves to %s", async (_, from, removed, to) => {
  const browser = aBrowser();
  const seen: string[] = [];
  class Element {
    name: string;
    tagName = "LI";
    isConnected = true;
    parentElement: { isConnected: boolean; children: Element[] } | null = null;
    row: Element = this;
    constructor(name: string) {
      this.name = name;
    }
    closest = (selector: string) => (selector === "li, article" ? this.row : null);
    matches = (selector: string) => selector.startsWith("[data-row]");
    focus = () => seen.push(this.name);
  }
  const [body, heading, button] = ["body", "h1", `button of ${from}`].map((name) => new Element(name));
  const rows = ["a", "b", "c"].map((name) => new Element(name));
  const list = { isConnected: true, children: [Object.assign(new Element("head"), { tagName: "P" }), ...rows] };
  for (const row of rows) row.parentElement = list;
  let removal = (): void => {};
  const observe = vi.fn();
  vi.stubGlobal("Element", Element);
  vi.stubGlobal("HTMLElement", Element);
  vi.stubGlobal(
    "MutationObserver",
    class {
      observe = observe;
      constructor(run: () => void) {
        removal = run;
      }
    },
  );
  Object.assign(browser.document, { body, activeElement: body });
  browser.found.set("h1", heading);
  (await load<{ moveFocusOnRemoval: () => void }>("focus")).moveFocusOnRemoval();

  removal();
  const focused = rows.find(({ name }) => name === from) ?? Object.assign(button!, { row: rows[1] });
  browser.document.tell("focusin", { target: focused });
  list.children = list.children.filter(({ name }) => !removed.includes(name));
  for (const row of rows) row.isConnected = !removed.includes(row.name);
  button!.isConnected = false;
  removal();

  expect(seen).toEqual(to === undefined ? [] : [to]);
  expect(observe).toHaveBeenCalledWith(body, { childList: true, subtree: true });
  browser.document.activeElement = heading;
  removal();
  expect(seen.length).toBe(to === undefined ? 0 : 1);
});
