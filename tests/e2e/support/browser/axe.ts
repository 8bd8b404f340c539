import axe, { type AxeResults, type RunOptions } from "axe-core";
import type { Page } from "playwright";

/**
 * What axe finds serious or critical on the page, or in the part of it that a selector names, one
 * line each; an empty list is a pass.
 */
export function barriers(page: Page, within = "html"): Promise<string[]> {
  return found(page, within, {});
}

/**
 * The same of the colors alone, for a page whose rest was looked at: what else axe asks is the same
 * in every theme.
 */
export function colorBarriers(page: Page): Promise<string[]> {
  return found(page, "html", {
    runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
  });
}

declare global {
  interface Window {
    axe?: { run(within: string, options: RunOptions): Promise<AxeResults> };
  }
}

async function found(page: Page, within: string, options: RunOptions): Promise<string[]> {
  // Once into each document: its text is of a megabyte and a half.
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => window.axe !== undefined))) await frame.evaluate(axe.source);
  const { violations } = await page.evaluate(
    async ([part, asked]) => {
      if (window.axe === undefined) throw new Error("The page has gone.");
      return window.axe.run(part, asked);
    },
    // What passes is read by nobody.
    [within, { ...options, resultTypes: ["violations"] }] satisfies [string, RunOptions],
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id}: ${help} — ${node.html.slice(0, 160)}`),
    );
}
