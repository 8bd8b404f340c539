import { expect, it } from "vitest";
import { withOwnStyles } from "./styles";
import { attribute, element, isElement, textNode } from "./tree";

it("[EDIT-62] a page’s rules are copied into its elements up to a limit, and no element is lost", () => {
  const rule = ".a{" + "x:y;".repeat(480) + "}";
  const named = Array.from({ length: 10_000 }, () => element("p", [textNode("x")], { class: "a" }));
  const page = withOwnStyles(element("body", [element("style", [textNode(rule)]), ...named]));
  const styles = page.children.filter(isElement).map((child) => attribute(child, "style"));
  expect(styles[1]?.length).toBeGreaterThan(1_900);
  expect(styles.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(9_000_000);
  expect(page.children).toHaveLength(10_001);
});
