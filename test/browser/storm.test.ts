import { expect, test } from "vitest";
import { aPerson, callApi, makeGroup, makeRule, sendEvent, workspaceNamed } from "./person.ts";

const FLOOD = 215;
const WAIT_MS = 120_000;

test(
  "in a storm, the inbox shows the urgent event first and all others as one row, and polls twelve times a minute",
  async () => {
    const [ann] = workspaceNamed("Globex").members;
    const name = `storm_${Date.now().toString(36)}`;
    const groupId = await makeGroup("Globex", name, [ann!.userId]);
    await makeRule("Globex", groupId, { name: `Urgent ${name}`, eventKey: `${name}.urgent` });
    await makeRule("Globex", groupId, { name: `Flood ${name}`, eventKey: `${name}.low` });
    const countOpenEvents = () =>
      callApi<{ total: number }>("Globex", "GET", "/events?state=open&order=urgency&user=me&limit=1");
    const total = (await countOpenEvents()).total + FLOOD + 1;
    await sendEvent("Globex", { event: `${name}.urgent`, title: "The till is down", body: "b", priority: "URGENT" });
    const flood = { event: `${name}.low`, body: "b", priority: "LOW" };
    for (let sent = 0; sent < FLOOD; sent += 43)
      await Promise.all(
        Array.from({ length: 43 }, (_, n) => sendEvent("Globex", { ...flood, title: `Low ${sent + n}` })),
      );
    await expect.poll(async () => (await countOpenEvents()).total, { timeout: WAIT_MS }).toBe(total);

    const reader = await aPerson();
    const { page } = reader;
    await page.clock.install();
    await reader.signInAs(ann!.email);
    await reader.open("/inbox", "Globex");
    await page.getByText(`${total} open`).waitFor();
    await page.getByText("1 urgent", { exact: true }).waitFor();
    const [first] = await page.getByRole("article").all();
    expect(await first!.getByRole("heading").textContent()).toBe("The till is down");
    const row = page.getByRole("article", { name: `Flood ${name}` });
    await row.getByText(String(FLOOD), { exact: true }).waitFor();
    expect((await row.boundingBox())!.height).toBeLessThanOrEqual(58);
    await expect.poll(() => page.title()).toMatch(new RegExp(`^\\(${total}\\)`));

    await reader.pressNamed(`Flood ${name} ${FLOOD}`, row);
    await page.getByRole("article", { name: "Low 200", exact: true }).waitFor();
    await reader.pressNamed(`Flood ${name} ${FLOOD}`, row);

    let asked = 0;
    page.on("request", (request) => (asked += Number(new URL(request.url()).pathname.startsWith("/v1/"))));
    for (let second = 0; second < 60; second += 1) {
      await page.clock.runFor(1000);
      await page.waitForTimeout(20);
    }
    expect(asked).toBeLessThanOrEqual(12);

    await reader.pressNamed("Acknowledge all");
    await page.getByRole("heading", { name: `Acknowledge ${total} events?` }).waitFor();
    await reader.pressNamed("Cancel");
    await reader.pressNamed("Acknowledge", first);
    await page.clock.runFor(7000);
    await reader.pressNamed("Acknowledge", row);
    await expect.poll(async () => (await countOpenEvents()).total, { timeout: WAIT_MS }).toBe(total - FLOOD - 1);
  },
  4 * WAIT_MS,
);
