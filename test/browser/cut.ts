import type { Page } from "playwright-core";

/*
 * Finds texts that a reader cannot see in full: outside the window, outside their link or row, or under a button. Elements
 * that scroll, float or are hidden are ignored.
 */
const CUT = `(() => {
  const scrolls = (element) =>
    element !== null && element !== document.body &&
    (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const floats = (element) =>
    element !== null && (["fixed", "sticky"].includes(getComputedStyle(element).position) || floats(element.parentElement));
  const buttons = [...document.querySelectorAll("main :is(button, a.button)")].filter(
    (one) => one.checkVisibility({ contentVisibilityAuto: true }) && !floats(one),
  );
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const cut = new Set();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    if (node.data.trim() === "" || parent.closest(".unseen, script, style, option") || scrolls(parent)) continue;
    if (!parent.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const around = parent.closest("a, button, li")?.getBoundingClientRect();
    for (const box of range.getClientRects()) {
      if (box.width === 0) continue;
      const said = JSON.stringify(node.data.trim().slice(0, 60));
      if (box.right > innerWidth + 1) cut.add(said + " is beyond the window");
      else if (around !== undefined && box.right > around.right + 1) cut.add(said + " is out of its place");
      for (const button of buttons) {
        const { left, right, top, bottom } = button.getBoundingClientRect();
        const isUnder = box.left < right - 2 && box.right > left + 2 && box.top < bottom - 4 && box.bottom > top + 4;
        if (isUnder && !button.contains(parent) && !floats(parent))
          cut.add(said + " is under " + JSON.stringify(button.textContent));
      }
    }
  }
  return [...cut];
})()`;

/** The texts that are cut on a page, on a desktop and on a phone. */
export const cutOn = async (page: Page, path: string): Promise<string[]> => {
  const found: string[] = [];
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const what of await page.evaluate<string[]>(CUT)) found.push(`${path} ${width}: ${what}`);
  }
  return found;
};
