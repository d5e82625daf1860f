import { expect, test } from "vitest";
import { aPerson, asDora, callApi, makeGroup, makeRule, sendEvent, workspaceNamed } from "./person.ts";

const asGina = async () => {
  const gina = await aPerson({ keyboard: true });
  const { page } = gina;
  await gina.signInAs(workspaceNamed("Globex").members[0]!.email);
  const focused = () =>
    page.evaluate<string>(
      `((one) => one === document.body ? "nothing" : one.querySelector("h2")?.textContent ?? one.getAttribute("aria-label") ?? one.textContent)(document.activeElement)`,
    );
  const said = page.getByRole("status");
  const settled = async (): Promise<void> => {
    await page.waitForFunction('performance.getEntriesByType("resource").some(({ name }) => name.includes("/focus-"))');
  };
  return { ...gina, focused, said, settled };
};

test("after an acknowledgement is announced, the focus moves to the next alert, or to the heading if no alert is left", async () => {
  const before = await callApi("Globex", "GET", "/events?state=open&limit=100");
  const eventIds = before.items!.map(({ id }) => id);
  if (eventIds.length > 0) await callApi("Globex", "POST", "/events/acknowledge", { eventIds });
  const { userId } = workspaceNamed("Globex").members[0]!;
  const groupId = await makeGroup("Globex", `Listeners ${Date.now().toString(36)}`, [userId]);
  await makeRule("Globex", groupId, { name: "Listened to", eventKey: "heard.*" });
  for (const title of ["Heard third", "Heard second", "Heard first"]) {
    await sendEvent("Globex", { event: "heard.came", title, body: "b", priority: "HIGH" });
    await expect
      .poll(() => callApi<unknown[]>("Globex", "GET", "/notifications?state=open"))
      .toContainEqual(expect.objectContaining({ event: expect.objectContaining({ title }) as unknown }));
  }
  const { page, focused, said, settled, open, press, heading } = await asGina();
  await open("/inbox", "Globex");
  await expect.poll(() => page.getByRole("article", { name: /^Heard / }).count()).toBe(3);
  await settled();

  await page.keyboard.press("j");
  expect(await focused()).toBe("Heard first");
  await page.keyboard.press("a");
  await said.getByText("1 event acknowledged.").waitFor();
  await page.getByRole("article", { name: "Heard first" }).waitFor({ state: "detached" });
  await expect.poll(focused).toBe("Heard second");
  await page.keyboard.press("a");
  await page.getByRole("article", { name: "Heard second" }).waitFor({ state: "detached" });
  await expect.poll(focused).toBe("Heard third");

  await press(page.getByRole("article", { name: "Heard third" }).getByRole("button", { name: "Acknowledge" }));
  await heading("Inbox").waitFor();
  await page.getByRole("article").waitFor({ state: "detached" });
  await expect.poll(focused).toBe("Inbox");
});

test("a closed dialog returns the focus to where it was, or to the next row if the dialog deleted the focused row", async () => {
  const mark = Date.now().toString(36);
  for (const name of [`A ${mark}`, `B ${mark}`]) await callApi("Globex", "POST", "/api-keys", { name });
  const { page, focused, said, settled, open, press, pressNamed, heading } = await asGina();
  await open("/keys", "Globex");
  const deletes = page.getByRole("button", { name: /^Delete / });
  await deletes.first().waitFor();
  await settled();

  for (const [key, name] of [
    ["?", "Keys"],
    ["ControlOrMeta+k", "Go to"],
  ] as const) {
    await heading("API keys").focus();
    await page.keyboard.press(key);
    await page.getByRole("dialog", { name }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect([key, await focused()]).toEqual([key, "API keys"]);
  }

  const names = await deletes.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")!));
  const [at] = names.flatMap((name, index) => (name.endsWith(mark) ? [index] : []));
  const next = names[at! + 1] ?? names[at! - 1];
  await press(deletes.nth(at!));
  const question = page.getByRole("dialog", { name: names[at!]! });
  await question.waitFor();
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  expect(await focused()).toBe(names[at!]);
  await press(deletes.nth(at!));
  await pressNamed("Delete", question);
  await said.getByText(/ deleted\./).waitFor();
  await page.getByRole("button", { name: names[at!]!, exact: true }).waitFor({ state: "detached" });

  const row = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: next!, exact: true }) });
  await expect.poll(() => row.evaluate((one) => one.contains(one.ownerDocument.activeElement))).toBe(true);
});

/** The focused element if another element covers it. */
const COVERED = `((focused) => {
  const { left, width, top, height } = focused.getBoundingClientRect();
  const shown = document.elementFromPoint(Math.max(left + Math.min(width / 2, 40), 0), top + Math.min(height / 2, 20));
  const isShown = focused === document.body || (shown !== null && (focused.contains(shown) || shown.contains(focused)));
  return isShown ? "" : focused.outerHTML.slice(0, 100);
})(document.activeElement)`;

test.each([
  { width: 360, path: "/people" },
  { width: 360, path: "/rules/new" },
  { width: 1280, path: "/rules/new" },
])(
  "on the page $path, $width pixels wide, no bar covers the element that the Tab key focuses",
  async ({ width, path }) => {
    const { page } = await asDora({ viewport: { width, height: 800 }, reducedMotion: "reduce", at: path });
    await page.getByRole("main").getByRole("button").nth(2).waitFor();
    const covered: string[] = [];
    for (let tabs = 0; tabs < 60; tabs += 1) {
      await page.keyboard.press("Tab");
      covered.push(await page.evaluate<string>(COVERED));
    }
    expect(covered.filter((element) => element !== "")).toEqual([]);
  },
);
