import { expect, test } from "vitest";
import { asDora } from "./person.ts";

test("eleven links lead to every page of the workspace, related pages are tabs, and old URLs redirect", async () => {
  const dora = await asDora({ at: "/inbox" });
  const { page } = dora;
  const main = page.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "Settings" }).waitFor();
  const names = (await main.getByRole("link").allTextContents()).map((text) => text.replace(/\d+$/, ""));
  expect(names.join(", ")).toBe(
    "Inbox, Events, On call, Rules, Escalation, Groups, Silences, Integrations, People, Insights, Settings",
  );

  await dora.open("/sources", "Demo");
  await dora.heading("Integrations").waitFor();
  expect(new URL(page.url()).pathname).toBe("/integrations");
  const tabs = page.getByRole("navigation", { name: "Integrations" });
  expect(await tabs.getByRole("link").allTextContents()).toEqual([
    "Sources",
    "API keys",
    "Webhooks",
    "Channels",
    "Heartbeats",
    "Import",
  ]);
  await dora.goTo("Webhooks", tabs);
  expect(await main.getByRole("link", { name: "Integrations" }).getAttribute("aria-current")).toBe("page");
  await dora.open("/statistics?by=rule", "Demo");
  await dora.heading("Insights").waitFor();
  expect([new URL(page.url()).pathname, new URL(page.url()).searchParams.get("by")]).toEqual(["/insights", "rule"]);
});

test("the navigation stays visible, the menu under the user's name has the personal pages, and g plus a letter opens a page", async () => {
  const dora = await asDora({ at: "/rules", viewport: { width: 1280, height: 600 } });
  const { page } = dora;
  await dora.heading("Rules").waitFor();
  await page.getByRole("listitem").first().waitFor();
  await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  const inbox = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Inbox/ });
  expect((await inbox.boundingBox())!.y).toBeGreaterThanOrEqual(0);

  await dora.pressNamed("Dora");
  for (const name of ["Notification steps", "Second factor"])
    await page.getByRole("banner").getByRole("link", { name }).waitFor();
  for (const name of ["Theme", "Sign out"]) await page.getByRole("banner").getByRole("button", { name }).waitFor();
  await dora.goTo("Devices", page.getByRole("banner"));

  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await dora.heading("Inbox").waitFor();
  await page.keyboard.press("i");
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("g t").waitFor();
});
