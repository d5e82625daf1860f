import { expect, test } from "vitest";
import { aPerson, asDora, HANDS } from "./person.ts";

const dayOfNextMonth = (day: number): Date => new Date(new Date().getFullYear(), new Date().getMonth() + 1, day);
const formatMidnight = (date: Date): string => {
  const padToTwo = (n: number): string => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${padToTwo(date.getMonth() + 1)}-${padToTwo(date.getDate())}T00:00`;
};

test.each(HANDS)("with $input, a person chooses two days of the next month for an override", async ({ keyboard }) => {
  const { page, pressNamed } = await asDora({ at: "/on-call?by=month" });
  await pressNamed("Later");
  const findDayCell = (n: number) => page.getByRole("gridcell", { name: new RegExp(`\\b${n}: `) });
  await findDayCell(10).waitFor();

  if (keyboard) {
    await page.getByRole("gridcell").and(page.locator('[tabindex="0"]')).focus();
    for (let n = 1; n < 10; n += 1) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Enter");
  } else {
    await findDayCell(10).hover();
    await page.mouse.down();
    await findDayCell(11).hover();
    await page.mouse.up();
  }

  const form = page.getByRole("region", { name: /^Override / });
  expect(await form.getByLabel("From").inputValue()).toBe(formatMidnight(dayOfNextMonth(10)));
  expect(await form.getByLabel("To", { exact: true }).inputValue()).toBe(formatMidnight(dayOfNextMonth(12)));
});

test("on a narrow screen, the on-call calendar lists the month day by day, also in German", async () => {
  const { page, open, signInAs } = await aPerson({ viewport: { width: 360, height: 740 }, locale: "de-DE" });
  await signInAs("dora@demo.example", "Eingang");
  await open("/on-call?by=month", "Demo");

  const days = page.getByRole("list", { name: "Platform" }).getByRole("listitem");
  await days.first().waitFor();
  await days.last().getByRole("button").last().click();

  await page.getByRole("region", { name: /^Vertretung in / }).waitFor();
});
