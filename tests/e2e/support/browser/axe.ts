import axe from "axe-core";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright";

/**
 * Returns axe's serious and critical findings on the page, or in the part that matches `within`,
 * one line each. An empty list is a pass.
 */
export function barriers(page: Page, within = "html"): Promise<string[]> {
  return found(page, within, {});
}

/**
 * Returns only the colour findings, for a page whose other rules were checked in another theme. The
 * other rules do not depend on the theme.
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
  // The script is injected once per document, because its source is 1.5 MB.
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => window.axe !== undefined))) await frame.evaluate(axe.source);
  const { violations } = await page.evaluate(
    async ([part, asked]) => {
      if (window.axe === undefined) throw new Error("The page has gone.");
      return window.axe.run(part, asked);
    },
    // Passes are not needed.
    [within, { ...options, resultTypes: ["violations"] }] satisfies [string, RunOptions],
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id}: ${help} — ${node.html.slice(0, 160)}`),
    );
}
