import { cleanHtml } from "@/events/formats/foreign/clean-html";
import { treeOf } from "@/events/formats/foreign/tree";

/** Rows copied without their table. An HTML parser would drop them. */
const rows = /^(?:\s*<meta [^<>]*>)*\s*<(?:t[rdh]|tbody|thead)[\s>]/i;

/**
 * Reduces another program's HTML to the structure of its text. Palimpsest's own HTML is returned
 * unchanged.
 */
export function cleanPaste(html: string): string {
  const whole = rows.test(html) ? `<table>${html}</table>` : html;
  return cleanHtml(treeOf(new DOMParser().parseFromString(whole, "text/html"))) ?? html;
}
