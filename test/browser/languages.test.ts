import { expect, test } from "vitest";
import { catalogueOf } from "../support/catalogues.ts";
import { cutOn } from "./cut.ts";
import { aPerson, callApi } from "./person.ts";

const plain = (texts: object): string[] =>
  Object.values(texts).flatMap((one: unknown) =>
    typeof one === "string" ? [one] : typeof one === "object" && one !== null ? plain(one) : [],
  );

const german = new Set(plain(await catalogueOf("de")));
/** The audit trail shows fields and values as the API names them. */
const ofApi = new Set(["signed", "all"]);
/** Texts that occur only in English. */
const english = plain(await catalogueOf("en")).filter((text) => !german.has(text) && !ofApi.has(text));

/** All texts on a page, and the accessible names of elements without text. */
const SAID = `[...document.querySelectorAll("body *")].flatMap((element) => [
  ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data),
  ...["aria-label", "placeholder", "title", "alt"].map((name) => element.getAttribute(name) ?? ""),
]).map((text) => text.trim()).filter((text) => text !== "")`;

const addresses = [
  ["/inbox", "Eingang"],
  ["/events", "Ereignisse"],
  ["/on-call", "Bereitschaft"],
  ["/rules", "Regeln"],
  ["/rules/new", "Neue Regel"],
  ["/escalation", "Eskalation"],
  ["/escalation/new", "Neue Richtlinie"],
  ["/groups", "Gruppen"],
  ["/silences", "Stummschaltungen"],
  ["/silences/new", "Neue Stummschaltung"],
  ["/heartbeats", "Lebenszeichen"],
  ["/keys", "API-Schlüssel"],
  ["/webhooks", "Webhooks"],
  ["/people", "Personen"],
  ["/devices", "Geräte"],
  ["/notification-rules", "Benachrichtigungen"],
  ["/statistics", "Auswertung"],
  ["/audit", "Änderungsprotokoll"],
  ["/shadow", "Schattenbetrieb"],
  ["/sources", "Integrationen"],
  ["/load", "Belastung"],
  ["/what-if", "Simulator"],
  ["/settings", "Einstellungen"],
  ["/second-factor", "Zweiter Faktor"],
  ["/night", "Nachts"],
] as const;

test("a person who prefers German reads German on every page, with German times and numbers", async () => {
  const dora = await aPerson({ locale: "de-CH" });
  const { page } = dora;
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  await dora.signInAs("dora@demo.example", "Eingang");
  expect(await page.getAttribute("html", "lang")).toBe("de");
  expect(await page.getAttribute("html", "dir")).toBe("ltr");

  const { items = [] } = await callApi("Demo", "GET", "/events?limit=1");
  const cut: string[] = [];
  const timeline = `/events/${items[0]?.id ?? ""}`;
  for (const [path, heading] of [...addresses, [timeline, undefined] as const]) {
    await dora.open(path, "Demo");
    if (heading === undefined) await page.getByText("Verlauf").waitFor();
    else await dora.heading(heading).waitFor();
    await page.locator("main:not([aria-busy=true])").waitFor();
    const said = new Set(await page.evaluate<string[]>(SAID));
    expect([path, english.filter((text) => said.has(text))]).toEqual([path, []]);
    // German is longer than English.
    cut.push(...(await cutOn(page, path)));
  }
  expect(cut).toEqual([]);

  // The date has the day before the month, and the time has 24 hours.
  await page
    .getByTitle(/^\d{2}\.\d{2}\.\d{4}, \d{2}:\d{2}:\d{2}$/)
    .first()
    .waitFor();
  expect(loaded.filter((path) => path.includes("/de-pages-"))).not.toEqual([]);
  expect(loaded.filter((path) => path.startsWith("/assets/en-"))).toEqual([]);
});

test("a person whose language the console does not support reads English", async () => {
  const reader = await aPerson({ locale: "fr-FR" });
  await reader.signInAs("dora@demo.example");
  expect(await reader.page.getAttribute("html", "lang")).toBe("en");
});
