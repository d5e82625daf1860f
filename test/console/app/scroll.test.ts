import { expect, it } from "vitest";
import { aBrowser, load } from "./browser.ts";

type Router = { navigate: (to: string) => void; startRouter: () => void; restoreScroll: () => void };

it("going back restores a page's last scroll position once, and a newly opened page starts at its top", async () => {
  const browser = aBrowser({ at: "https://a.example/events?workspace=ws_1" });
  const scrolled: number[] = [];
  Object.assign(browser.windowGlobal, { scrollY: 740, scrollTo: (_: number, y: number) => scrolled.push(y) });
  const { navigate, startRouter, restoreScroll } = await load<Router>("router");
  startRouter();

  navigate("/events/evt_1");
  restoreScroll();
  expect(scrolled).toEqual([0]);
  browser.location.href = "https://a.example/events?workspace=ws_1";
  browser.window.tell("popstate");
  restoreScroll();
  restoreScroll();

  expect(scrolled).toEqual([0, 740]);

  browser.window.tell("popstate");
  navigate("/events/evt_2");
  restoreScroll();
  expect(scrolled).toEqual([0, 740, 0]);
});
