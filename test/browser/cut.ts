import type { Page } from "playwright-core";

/*
 * Finds texts that a reader cannot see in full because they are cut, covered or outside of their element, and words that
 * continue on the next line. Elements that scroll, float or are hidden are ignored.
 */
const CUT = `(() => {
  const cut = new Set();
  const findScroller = (element) =>
    element === null || element === document.body ? undefined
      : ["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(element).overflowX) ? element
      : findScroller(element.parentElement);
  const isFloating = (element) =>
    element !== null && (["fixed", "sticky"].includes(getComputedStyle(element).position) || isFloating(element.parentElement));
  const isVisible = (element) => element.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true });
  const buttons = [...document.querySelectorAll("main :is(button, a.button)")].filter((one) => isVisible(one) && !isFloating(one));
  for (const button of buttons) {
    const place = button.closest("li, fieldset, .panel");
    const isPlaced = place === null || place.contains(findScroller(button) ?? null);
    if (!isPlaced && button.getBoundingClientRect().right > place.getBoundingClientRect().right + 1)
      cut.add(JSON.stringify(button.textContent) + " is out of its place");
  }
  const countLines = (range) => new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 4))).size;
  for (const select of document.querySelectorAll("main select")) {
    const [option] = select.selectedOptions;
    if (option === undefined || !isVisible(select)) continue;
    const copy = select.cloneNode(false);
    copy.append(option.cloneNode(true));
    copy.style = "position: absolute; width: auto; min-width: 0; max-width: none";
    select.after(copy);
    if (copy.offsetWidth > select.offsetWidth + 1) cut.add(JSON.stringify(option.text) + " is wider than its list");
    copy.remove();
  }
  for (const days of document.querySelectorAll(".timeline-days")) {
    const boxes = [...days.querySelectorAll("b")].map((day) => day.getBoundingClientRect()).filter(({ width }) => width > 0);
    const { right: end } = days.getBoundingClientRect();
    if (boxes.some(({ right }, index) => right > (boxes[index + 1]?.left ?? end))) cut.add("a day of the timeline is cut");
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    if (node.data.trim() === "" || parent.closest(".unseen, script, style, option") || !isVisible(parent)) continue;
    const said = JSON.stringify(node.data.trim().slice(0, 60));
    const { overflowX, textOverflow } = getComputedStyle(parent);
    const isClipped = ["hidden", "clip"].includes(overflowX) && parent.clientWidth > 1;
    if (isClipped && textOverflow === "clip" && parent.scrollWidth > parent.clientWidth + 1) cut.add(said + " is cut");
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
    if (!parent.closest("code, pre") && countLines(range) > 1)
      for (const { 0: token, index } of node.data.matchAll(/\\S+/g)) {
        // An address may be broken anywhere, and a word at its soft hyphen.
        if (/\\u00ad|[.@:_/]\\p{L}/u.test(token)) continue;
        for (const { 0: word, index: offset } of token.matchAll(/\\p{L}+/gu)) {
          range.setStart(node, index + offset);
          range.setEnd(node, index + offset + word.length);
          if (countLines(range) > 1) cut.add(JSON.stringify(word) + " continues on the next line");
        }
      }
    const outside = findScroller(parent);
    const around = parent.closest("a, button, li, fieldset");
    for (const box of boxes) {
      if (around !== null && !around.contains(outside ?? null) && box.right > around.getBoundingClientRect().right + 1)
        cut.add(said + " is out of its place");
      if (outside !== undefined) continue;
      if (box.right > innerWidth + 1) cut.add(said + " is beyond the window");
      for (const button of buttons) {
        const { left, right, top, bottom } = button.getBoundingClientRect();
        const isUnder = box.left < right - 2 && box.right > left + 2 && box.top < bottom - 4 && box.bottom > top + 4;
        if (isUnder && !button.contains(parent) && !isFloating(parent))
          cut.add(said + " is under " + JSON.stringify(button.textContent));
      }
    }
  }
  return [...cut];
})()`;

/** Finds controls outside forms that should not be printed, and elements that the paper's edge cuts. */
const PRINTED = `(() => {
  const isVisible = (element) => element.checkVisibility() && element.closest(".unseen") === null;
  const controls = [...document.querySelectorAll("button:not(.shift), a.button, nav, input[type=checkbox]:not(form *)")];
  const scrollers = [...document.querySelectorAll("main *")].filter(
    (element) => getComputedStyle(element).overflowX === "auto" && element.scrollWidth > element.clientWidth + 1,
  );
  return [
    ...controls.filter(isVisible).map(({ outerHTML }) => "prints " + outerHTML.slice(0, 80)),
    ...scrollers.filter(isVisible).map(({ outerHTML }) => "prints only a part of " + outerHTML.slice(0, 80)),
  ];
})()`;

/** Lists the faults of the page as printed on A4 paper. */
export const findPrintFaults = async (page: Page, path: string): Promise<string[]> => {
  await page.setViewportSize({ width: 718, height: 1_000 });
  await page.emulateMedia({ media: "print" });
  const found = await page.evaluate<string[]>(PRINTED);
  await page.emulateMedia({ media: "screen" });
  return found.map((what) => `${path}: ${what}`);
};

/** `widths`: by default those of a phone and a desktop. */
export const findCutTexts = async (page: Page, path: string, widths = [360, 1280]): Promise<string[]> => {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const what of await page.evaluate<string[]>(CUT)) found.push(`${path} ${width}: ${what}`);
  }
  return found;
};
