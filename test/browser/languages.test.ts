import { expect, test } from "vitest";
import { consolePages, findFirstId } from "../../tools/console-pages.ts";
import { readCatalogue } from "../support/catalogues.ts";
import { findCutTexts, findPrintFaults } from "./cut.ts";
import { aPerson, callApi, make, workspaceNamed } from "./person.ts";

const listPlainTexts = (texts: object): string[] =>
  Object.values(texts).flatMap((one: unknown) =>
    typeof one === "string" ? [one] : typeof one === "object" && one !== null ? listPlainTexts(one) : [],
  );

const german = new Set(listPlainTexts(await readCatalogue("de")));
/** Texts that are not translated: fields and values in the audit trail, and names that the guide creates. */
const stored = new Set(["signed", "all", "On duty", "Everything", "First key", "Hello", "This is the first event."]);
const english = listPlainTexts(await readCatalogue("en")).filter((text) => !german.has(text) && !stored.has(text));

/** All texts on a page, and the accessible names of elements without text. */
const SAID = `[...document.querySelectorAll("body *")].flatMap((element) => [
  ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data),
  ...["aria-label", "placeholder", "title", "alt"].map((name) => element.getAttribute(name) ?? ""),
]).map((text) => text.trim()).filter((text) => text !== "")`;

const EMPTY = "Tiny";

/** Lists the addresses of all pages, and of views that have their own path. */
const listAddresses = async (workspace: string): Promise<string[]> => {
  const addresses = ["/on-call?by=people", "/on-call?by=month", "/groups?open=new", "/keys?edit=new"];
  for (const { path, list } of consolePages) {
    const id = list === undefined ? "" : findFirstId(await callApi(workspace, "GET", list));
    if (id !== undefined) addresses.push(path.replace(":id", id));
  }
  return addresses;
};

test.each([
  { locale: "de-CH", lang: "de", inbox: "Eingang", foreign: english, workspace: "Demo" },
  { locale: "en-GB", lang: "en", inbox: "Inbox", foreign: [], workspace: "Demo" },
  { locale: "de-CH", lang: "de", inbox: "Eingang", foreign: english, workspace: EMPTY },
])(
  "a person who prefers $locale reads each page of the workspace $workspace only in $lang, and no text is cut on screen or paper",
  async ({ locale, lang, inbox, foreign, workspace }) => {
    // A silence is created, because the navigation shows the number of active silences.
    const [startsAt, endsAt] = [0, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
    if (workspace !== EMPTY)
      await make(workspace, "/silences", { name: "Umbau", eventKey: "never.sent", startsAt, endsAt });
    const reader = await aPerson({ locale });
    const { page } = reader;
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
    await reader.signInAs(workspaceNamed(workspace).members[0]!.email, inbox);
    expect(await page.getAttribute("html", "lang")).toBe(lang);
    expect(await page.getAttribute("html", "dir")).toBe("ltr");

    const cut: string[] = [];
    for (const path of await listAddresses(workspace)) {
      await reader.open(path, workspace);
      await page.locator("main h1").waitFor();
      await page.locator("main:not([aria-busy=true]):not(:has(.skeleton))").waitFor();
      const said = new Set(await page.evaluate<string[]>(SAID));
      expect([path, foreign.filter((text) => said.has(text))]).toEqual([path, []]);
      cut.push(...(await findCutTexts(page, path)), ...(await findPrintFaults(page, path)));
    }
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByRole("navigation").getByRole("button", { expanded: false }).last().click();
    cut.push(...(await findCutTexts(page, "the menu with all pages")));
    expect(cut).toEqual([]);

    const other = lang === "de" ? "en" : "de";
    expect(loaded.filter((path) => path.startsWith(`/assets/${lang}-`))).not.toEqual([]);
    expect(loaded.filter((path) => path.startsWith(`/assets/${other}-`))).toEqual([]);
  },
);

test("a person who prefers German reads times with the day before the month, and 24 hours", async () => {
  const dora = await aPerson({ locale: "de-CH" });
  await dora.signInAs("dora@demo.example", "Eingang");
  await dora.open("/events", "Demo");
  await dora.page
    .getByTitle(/^\d{2}\.\d{2}\.\d{4}, \d{2}:\d{2}:\d{2}$/)
    .first()
    .waitFor();
});

test("a person whose language the console does not support reads English", async () => {
  const reader = await aPerson({ locale: "fr-FR" });
  await reader.signInAs("dora@demo.example");
  expect(await reader.page.getAttribute("html", "lang")).toBe("en");
});

test("on a phone, a person who prefers German reads questions in German word order, and no word among the shortcut keys is broken", async () => {
  const dora = await aPerson({ locale: "de-CH", viewport: { width: 360, height: 800 } });
  const { page } = dora;
  await dora.signInAs("dora@demo.example", "Eingang");
  await dora.open("/keys", "Demo");
  await dora.press(page.getByRole("button", { name: /^Demo .* löschen$/ }));
  await page.getByRole("dialog", { name: /^Demo .* löschen$/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await dora.heading("API-Schlüssel").focus();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Tasten" }).waitFor();

  expect(await findCutTexts(page, "the keys", [360])).toEqual([]);
});

test("on a phone, a person who prefers German sees every menu entry of an event and of a colleague in full", async () => {
  const dora = await aPerson({ locale: "de-CH", viewport: { width: 360, height: 800 } });
  await dora.signInAs("dora@demo.example", "Eingang");
  const eventId = findFirstId(await callApi("Demo", "GET", "/events"))!;
  const cut: unknown[] = [];
  for (const path of [`/events/${eventId}`, "/people"]) {
    await dora.open(path, "Demo");
    await dora.press(dora.page.getByRole("main").locator(".menu > button").first());
    const items = dora.page.locator(".menu-items > *");
    await items.first().waitFor();
    for (const item of await items.all()) {
      const { x, width } = (await item.boundingBox())!;
      const isWide = await item.evaluate("(item) => item.scrollWidth > item.clientWidth + 1");
      if (x < 0 || x + width > 360 || isWide) cut.push([path, await item.textContent()]);
    }
  }
  expect(cut).toEqual([]);
});
