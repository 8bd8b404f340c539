import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { DocumentIcon } from "./document-icon";
import { PageIcon } from "./page-icon";
import { titleWithIcon } from "./title-with-icon";

const change = () => undefined;
const shown = (emoji: string | null, onChange: (() => void) | null) =>
  renderToStaticMarkup(<PageIcon emoji={emoji} onChange={onChange} />);

it("[ICON-1] is a button for people who may change it, otherwise a picture or nothing", () => {
  expect(shown("🌊", change)).toMatch(/<button[^>]*aria-label="Change icon 🌊"[^>]*>🌊<\/button>/);
  expect(shown(null, change)).toMatch(/<button.*Add icon<\/button>/);
  expect(shown("🌊", null)).toMatch(/role="img" aria-label="Icon 🌊"/);
  expect(shown("🌊", null)).not.toContain("<button");
  expect(shown(null, null)).toBe("");
});

it("[ICON-3] is hidden from screen readers before a title", () => {
  expect(renderToStaticMarkup(<DocumentIcon emoji="🌊" />)).toContain('aria-hidden="true"');
  expect(renderToStaticMarkup(<DocumentIcon emoji={null} />)).toBe("");
  expect([titleWithIcon("🌊", "Tides"), titleWithIcon(null, "Tides")]).toEqual([
    "🌊 Tides",
    "Tides",
  ]);
});
