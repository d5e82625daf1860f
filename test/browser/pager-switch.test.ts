import { expect, onTestFinished, test } from "vitest";
import { addAxe, findAxeFaults } from "./axe.ts";
import { findCutTexts } from "./cut.ts";
import { aPerson, callApi, workspaceNamed } from "./person.ts";

const english = {
  inbox: "Inbox",
  page: "Heartbeats",
  heading: "Dead man's switch for this service",
  setUp: "Set up",
  url: "URL of the monitor",
  minutes: "Minutes between two rounds",
  device: "Device",
  save: "Save",
  saved: "Switch saved. Look for the first call within two minutes.",
  waiting: ["No call yet", "every 20 minutes", "· Last call to the URL: not yet"],
  remove: "Remove",
  removeOf: "Remove Dead man's switch for this service",
  removed: "Switch removed.",
};
const german: typeof english = {
  inbox: "Eingang",
  page: "Lebenszeichen",
  heading: "Totmannschalter für diesen Dienst",
  setUp: "Einrichten",
  url: "URL der Überwachung",
  minutes: "Minuten zwischen zwei Runden",
  device: "Gerät",
  save: "Speichern",
  saved: "Der Totmannschalter ist gespeichert. Der erste Aufruf kommt innerhalb von zwei Minuten.",
  waiting: ["Noch kein Aufruf", "alle 20 Minuten", "· Letzter Aufruf der URL: noch nicht"],
  remove: "Entfernen",
  removeOf: "Totmannschalter für diesen Dienst entfernen",
  removed: "Der Totmannschalter ist entfernt.",
};

const WORKSPACE = "Globex";

test.each([
  { locale: "en-GB", width: 1280, said: english },
  { locale: "de-DE", width: 360, said: german },
])(
  "in $locale at $width pixels, an owner sets a dead man's switch, reads its faults and its results, and removes it",
  async ({ locale, width, said }) => {
    const curve = { name: "ECDSA", namedCurve: "P-256" };
    const { publicKey } = await crypto.subtle.generateKey(curve, true, ["sign", "verify"]);
    const receiptKey = Buffer.from(await crypto.subtle.exportKey("raw", publicKey)).toString("base64url");
    const token = `display-${Date.now().toString(36)}`;
    const { id } = await callApi(WORKSPACE, "POST", "/devices", { token, platform: "android", receiptKey });
    onTestFinished(async () => void (await callApi(WORKSPACE, "DELETE", `/devices/${id}`)));
    const owner = await aPerson({ locale, viewport: { width, height: 800 } });
    const { page } = owner;
    await addAxe(page);
    await owner.signInAs(workspaceNamed(WORKSPACE).members[0]!.email, said.inbox);
    await owner.open("/heartbeats", WORKSPACE);
    const section = page.getByRole("region", { name: said.heading });

    await owner.pressNamed(said.setUp, section);
    await owner.fill(said.url, "http://10.0.0.1/");
    await owner.fill(said.minutes, "4");
    const saveWrong = async (label: string) => {
      await owner.pressNamed(said.save, section);
      await expect.poll(() => section.getByLabel(label).getAttribute("aria-invalid"), { timeout: 10_000 }).toBe("true");
    };
    await saveWrong(said.minutes);
    await owner.fill(said.minutes, "20");
    await saveWrong(said.url);
    await owner.fill(said.url, "https://hc-ping.example.com/secret");
    await saveWrong(said.device);
    expect(await findAxeFaults(page, "/heartbeats?edit=switch")).toEqual([]);
    await page.setViewportSize({ width, height: 800 });

    await section.getByLabel(said.device).selectOption({ index: 1 });
    await owner.pressNamed(said.save, section);
    await page.getByText(said.saved).waitFor();
    await section.getByRole("list").waitFor();
    const shown = await section.innerText();
    for (const text of [...said.waiting, "hc-ping.example.com"]) expect(shown).toContain(text);
    expect(shown).not.toContain("secret");
    expect(await findAxeFaults(page, "/heartbeats")).toEqual([]);
    expect(await findCutTexts(page, "/heartbeats")).toEqual([]);
    await page.setViewportSize({ width, height: 800 });

    await owner.pressNamed(said.removeOf, section);
    await owner.pressNamed(said.remove, page.getByRole("dialog"));
    await page.getByText(said.removed).waitFor();
    await section.getByRole("button", { name: said.setUp }).waitFor();
    await expect(callApi(WORKSPACE, "GET", "/switch")).rejects.toThrow("404");
  },
);

test("a member who is not an owner sees no dead man's switch", async () => {
  const dan = workspaceNamed("Demo").members.find(({ name }) => name === "Dan")!;
  const manager = await aPerson();
  await manager.signInAs(dan.email);
  await manager.open("/heartbeats", "Demo");
  await manager.page.getByRole("listitem").filter({ hasText: "Billing run" }).first().waitFor();

  expect(await manager.page.getByRole("heading", { level: 2 }).allInnerTexts()).toEqual([]);
});
