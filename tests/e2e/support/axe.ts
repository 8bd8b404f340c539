import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright";

/**
 * What axe finds serious or critical on the page, or in the part of it that a selector names, one
 * line each; an empty list is a pass.
 */
export async function barriers(page: Page, within = "html"): Promise<string[]> {
  // Otherwise it puts the findings of frames together in a page of its own, and no page here has
  // frames of another origin.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().include(within).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id}: ${help} — ${node.html.slice(0, 160)}`),
    );
}
