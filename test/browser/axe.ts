import axe from "axe-core";
import type { Page } from "playwright-core";

type Found = { violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] };

export const addAxe = (page: Page) => page.addInitScript(axe.source);

/** Lists the faults that axe finds in both colour modes on a phone and a desktop, and elements wider than the phone. */
export const findAxeFaults = async (page: Page, path: string): Promise<string[]> => {
  const faults: string[] = [];
  for (const width of [1280, 360])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const { violations } = await page.evaluate<Found>(
        'axe.run({ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } })',
      );
      const where = `${path} ${width} ${colorScheme}`;
      const found = violations.map(({ id, nodes }) => ({
        id,
        // A shift in the calendar may be too narrow to press; the button "Override" opens the same form.
        nodes: nodes.filter(({ html }) => id !== "target-size" || !html.includes('class="shift')),
      }));
      for (const { id, nodes } of found.filter(({ nodes }) => nodes.length > 0))
        faults.push(`${where}: ${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
      const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
      if (wide > width) faults.push(`${where}: ${wide} pixels wide`);
    }
  return faults;
};
