import { beforeEach, expect, it, vi } from "vitest";
import { aBrowser, failureOf, load } from "./browser.ts";

type Parts = { loadPart: <Part>(load: () => Promise<Part>) => Promise<Part> };
const failToLoad = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
const createIndexAnswer = () => new Response('<meta name="event-alerting" content="{}" />');

let browser: ReturnType<typeof aBrowser>;
let reload: ReturnType<typeof vi.fn>;
const openPage = async (inbox: () => Response | Promise<Response>) => {
  vi.stubGlobal("fetch", async () => inbox());
  return load<Parts>("part");
};

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 23, 12), toFake: ["Date"] });
  browser = aBrowser();
  reload = vi.fn();
  Object.assign(browser.location, { reload });
});

it("a part of the page is shown if it can be loaded", async () => {
  const { loadPart } = await openPage(createIndexAnswer);

  expect(await loadPart(async () => "part")).toBe("part");
  expect(browser.session.size).toBe(0);
});

it("if a deployment has removed a part of the page, the page is reloaded once, and a second failure is reported", async () => {
  const { loadPart } = await openPage(createIndexAnswer);

  void loadPart(failToLoad);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1), { interval: 1 });
  expect(await failureOf(loadPart(failToLoad))).toMatchObject({ code: "not_possible", faults: [] });
  expect(reload).toHaveBeenCalledTimes(1);
  vi.setSystemTime(Date.now() + 60_000);
  void loadPart(failToLoad);

  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(2), { interval: 1 });
});

it.each([
  ["there is no network", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["a captive portal answers", () => new Response("<html>Hotel</html>")],
  ["the service fails", () => new Response("", { status: 503 })],
])("a part of the page that cannot be loaded because %s is retried, without a reload", async (_, inbox) => {
  const { loadPart } = await openPage(inbox);

  expect(await failureOf(loadPart(failToLoad))).toEqual({ kind: "offline" });
  expect(reload).not.toHaveBeenCalled();
});
