import type { Page } from "playwright";

/** Selects words of the document's text with the mouse, from the first letter to the last. */
export async function select(page: Page, words: string): Promise<void> {
  const box = await page.getByLabel("Document text").evaluate((editor, needle) => {
    const walker = document.createTreeWalker(editor, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const at = node.textContent?.indexOf(needle) ?? -1;
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + needle.length);
      const { left, right, top, height } = range.getBoundingClientRect();
      const selection = getSelection();
      const holds =
        selection !== null && !selection.isCollapsed && selection.containsNode(node, true);
      return { left, right, y: top + height / 2, holds };
    }
    throw new Error(`the text does not say ${needle}`);
  }, words);
  // Pressing the mouse within a selection would drag it.
  if (box.holds) await page.mouse.click(box.right - 1, box.y);
  await page.mouse.move(box.left + 1, box.y);
  await page.mouse.down();
  await page.mouse.move(box.right - 1, box.y, { steps: 4 });
  await page.mouse.up();
}
