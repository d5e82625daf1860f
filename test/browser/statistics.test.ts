import { expect, test } from "vitest";
import { asDora, HANDS } from "./person.ts";

test.each(HANDS)(
  "a team lead with $input sees how fast alerts are acknowledged, by week, by rule and by group",
  async ({ keyboard }) => {
    const dora = await asDora({ keyboard, at: "/inbox" });
    const { page } = dora;
    await dora.goTo("Insights");
    const weeks = page.getByRole("table", { name: "Week by week" });
    await weeks.waitFor();
    const columns = await weeks.getByRole("columnheader").allTextContents();
    expect(columns).toEqual([
      "Week from",
      "Time to acknowledge",
      "Time to resolve",
      "Paged at night",
      "Acknowledged",
      "Notifications",
      "Notifications avoided by grouping",
      "Events",
    ]);
    // The week with the most events, because on a Monday the newest week has hardly any.
    const rows = await weeks
      .getByRole("row")
      .filter({ has: page.getByRole("cell") })
      .all();
    const read = await Promise.all(
      rows.map(async (row) => ({
        name: (await row.getByRole("rowheader").textContent()) ?? "",
        cells: await row.getByRole("cell").allTextContents(),
      })),
    );
    const [week] = read.sort((a, b) => Number(b.cells.at(-1)) - Number(a.cells.at(-1)));
    expect(week?.cells[0]).toMatch(/^\d+ (s|min)(mean of \d+ values|.*90 % within \d+ (s|min))$/);

    await dora.choose("Statistics of", "Rules");
    await dora.choose("Week from", week?.name ?? "");
    await page
      .getByRole("table", { name: /^Rules, week from/ })
      .getByRole("row", { name: /^Deployments/ })
      .waitFor();
    await page.reload();
    await page.getByRole("table", { name: /^Rules, week from/ }).waitFor();
    await dora.choose("Statistics of", "Groups");
    await page
      .getByRole("table", { name: /^Groups, week from/ })
      .getByRole("row", { name: /^Platform/ })
      .waitFor();
  },
);

test("a workspace without statistics says when its first statistics will appear", async () => {
  const dora = await asDora();
  await dora.page.route("**/v1/**/statistics?*", (route) => route.fulfill({ json: [] }));

  await dora.open("/statistics", "Demo");

  await dora.page.getByText(/^No statistics yet/).waitFor();
  await dora.page.getByRole("link", { name: "See all events" }).waitFor();
});
