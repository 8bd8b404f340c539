import { cleanHtml } from "@/events/formats/foreign/clean-html";
import { treeOf } from "@/events/formats/foreign/tree";

/** Rows that were copied without their table, which a page would not keep as rows. */
const rows = /^(?:\s*<meta [^<>]*>)*\s*<(?:t[rdh]|tbody|thead)[\s>]/i;

/** HTML of another program with the structure of its text and without its look; ours is answered as it is. */
export function cleanPaste(html: string): string {
  const whole = rows.test(html) ? `<table>${html}</table>` : html;
  return cleanHtml(treeOf(new DOMParser().parseFromString(whole, "text/html"))) ?? html;
}
