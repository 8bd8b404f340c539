import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright";

/**
 * What axe finds serious or critical on the page, or in the part of it that a selector names, one
 * line each; an empty list is a pass.
 */
export async function barriers(page: Page, within = "html"): Promise<string[]> {
  return found(builder(page).include(within));
}

/**
 * The same of the colors alone, for a page whose rest was looked at: what else axe asks is the same
 * in every theme.
 */
export async function colorBarriers(page: Page): Promise<string[]> {
  return found(builder(page).withRules(["color-contrast", "link-in-text-block"]));
}

// Otherwise it puts the findings of frames together in a page of its own, and no page here has
// frames of another origin. What passes is counted by nobody.
const builder = (page: Page) =>
  new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode();

async function found(builder: AxeBuilder): Promise<string[]> {
  const { violations } = await builder.analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id}: ${help} — ${node.html.slice(0, 160)}`),
    );
}
