import { expect, test } from "vitest";
import { asDora, HANDS } from "./person.ts";

test.each(HANDS)(
  "a team lead with $input sees the on-call load of each person over three months",
  async ({ keyboard }) => {
    const dora = await asDora({ keyboard, at: "/insights" });
    const { page } = dora;
    await dora.pressNamed("Load");
    const months = page.getByRole("table");
    await months.first().waitFor();

    const columns = await months.first().getByRole("columnheader").allTextContents();
    expect(columns.slice(0, 5)).toEqual(["Person", "Hours", "Night hours", "Weekend hours", "Holiday hours"]);
    expect(await months.count()).toBe(3);
    await dora.choose("Load of", "Group");
    await months.first().getByRole("columnheader", { name: "Group" }).waitFor();
    expect(await page.getByRole("link", { name: /^Download CSV: / }).count()).toBe(3);
  },
);
