import { expect, onTestFinished, test } from "vitest";
import { addAxe, findAxeFaults } from "./axe.ts";
import { findCutTexts } from "./cut.ts";
import { aPerson, callApi, makeGroup, makeRule, sendEvent, readSession, workspaceNamed } from "./person.ts";

const english = {
  inbox: "Inbox",
  begin: "Begin shadow",
  begun: /^Shadow until .*: the service determines/,
  rows: [["Nobody", "nobody"], ["Same"], ["More people", "nobody"]],
  onlyNobody: "Nobody: 1",
  end: "End shadow",
  ended: "The shadow has ended. From the next event on, people are notified.",
};
const german: typeof english = {
  inbox: "Eingang",
  begin: "Schattenbetrieb beginnen",
  begun: /^Schattenbetrieb bis .*: Der Dienst ermittelt/,
  rows: [["Niemand", "niemand"], ["Gleich"], ["Mehr Personen", "niemand"]],
  onlyNobody: "Niemand: 1",
  end: "Schattenbetrieb beenden",
  ended: "Der Schattenbetrieb ist beendet. Ab dem nächsten Ereignis wird wieder benachrichtigt.",
};

type Comparison = { active: boolean; items: { title: string; pages: object[] }[] };

/** The workspace of this test, in which no rule of another test matches these events. */
const workspace = "Globex";

/** Acknowledges the alert with this alias in the old service. */
const acknowledgeElsewhere = async (alias: string, email: string): Promise<void> => {
  const answer = await fetch(`${readSession().baseUrl}/v1/events/from/opsgenie/v2/incumbent`, {
    method: "POST",
    headers: { "X-Api-Key": workspaceNamed(workspace).apiKey, "Content-Type": "application/json" },
    body: JSON.stringify({
      action: "Acknowledge",
      source: { name: "", type: "web" },
      alert: { alertId: alias, alias, message: alias, username: email },
    }),
  });
  expect(answer.status).toBe(200);
};

/** The number of further events that are sent after the two compared events. */
const MORE = 12;

test.each([
  { locale: "en-GB", width: 1280, said: english },
  { locale: "de-DE", width: 360, said: german },
])(
  "in $locale at $width pixels, an owner begins a shadow, compares the shadow with the old service, and ends the shadow in one press",
  async ({ locale, width, said }) => {
    const [first, second] = workspaceNamed(workspace).members;
    const key = `shadow_${Date.now().toString(36)}`;
    const groupId = await makeGroup(workspace, `Shadow ${key}`, [first!.userId, second!.userId]);
    for (const member of [0, 1]) {
      const { id } = await callApi(
        workspace,
        "POST",
        "/devices",
        { token: `${key}-${member}`, platform: "ios" },
        member,
      );
      onTestFinished(async () => void (await callApi(workspace, "DELETE", `/devices/${id}`, undefined, member)));
    }
    await makeRule(workspace, groupId, { name: `Shadow ${key}`, eventKey: `${key}.known` });
    const readComparison = () => callApi<Comparison>(workspace, "GET", "/shadow");
    onTestFinished(async () => {
      if ((await readComparison()).active) await callApi(workspace, "DELETE", "/shadow");
    });

    const owner = await aPerson({ locale, viewport: { width, height: 800 } });
    const { page } = owner;
    await addAxe(page);
    await owner.signInAs(first!.email, said.inbox);
    await owner.open("/shadow", workspace);
    await owner.pressNamed(said.begin);
    await page.getByText(said.begun).waitFor();

    const [known, unknown] = [`Known ${key}`, `Unknown ${key}`];
    await sendEvent(workspace, { event: `${key}.known`, title: known, body: "b", dedupeKey: known });
    await sendEvent(workspace, { event: `${key}.other`, title: unknown, body: "b", dedupeKey: unknown });
    const findComparedEvent = async (title: string) =>
      (await readComparison()).items.find((one) => one.title === title);
    await expect.poll(async () => (await findComparedEvent(known))?.pages.length, { timeout: 20_000 }).toBe(2);
    await acknowledgeElsewhere(known, second!.email);
    await acknowledgeElsewhere(unknown, second!.email);
    for (let n = 0; n < MORE; n += 1)
      await sendEvent(workspace, { event: `${key}.other`, title: `Another ${n} ${key}`, body: "b" });
    await expect.poll(async () => (await readComparison()).items.length, { timeout: 20_000 }).toBeGreaterThan(MORE);

    await owner.open("/shadow", workspace);
    const rows = page.getByRole("row").filter({ has: page.getByText(/@/) });
    await rows.first().waitFor();
    const texts = await rows.allInnerTexts();
    for (const [index, words] of said.rows.entries()) for (const word of words) expect(texts[index]).toContain(word);
    expect(await findCutTexts(page, "/shadow")).toEqual([]);
    expect(await findAxeFaults(page, "/shadow")).toEqual([]);
    await page.setViewportSize({ width, height: 800 });
    await owner.pressNamed(said.onlyNobody);
    await page.getByRole("link", { name: known, exact: true }).waitFor({ state: "detached" });
    await owner.pressNamed(unknown);
    await owner.heading(unknown).waitFor();

    const presses = owner.presses();
    await owner.pressNamed(said.end);
    await page.getByText(said.ended).waitFor();
    await page.getByText(said.begun).waitFor({ state: "detached" });
    expect([owner.presses() - presses, (await readComparison()).active]).toEqual([1, false]);
  },
);

test("a member who is not an owner sees the comparison of a shadow with the old service, and cannot begin a shadow", async () => {
  const { members } = workspaceNamed("Demo");
  const dan = members.find(({ name }) => name === "Dan")!;
  const manager = await aPerson();
  await manager.signInAs(dan.email);
  await manager.open("/shadow", "Demo");
  const begin = manager.page.getByRole("button", { name: "Begin shadow" });
  await begin.waitFor();
  expect(await begin.isDisabled()).toBe(true);
  await manager.page.getByText("No shadow yet.").waitFor();
});
