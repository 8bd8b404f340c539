import { escapedHtml } from "@/events/core/text/escaped-html";
import { toBase64 } from "@/events/core/bytes/base64";
import { withLinkNames } from "@/events/content/static-links";
import { htmlPage } from "./html-page";
import type { FileImages } from "./file-images";
import type { FileLinks } from "./phrasing";

const style = `
:root { color-scheme: light dark; }
body { max-width: 42rem; margin: 3rem auto; padding: 0 1.25rem; font: 1.125rem/1.6 Georgia, serif; }
h1, h2, h3, h4 { line-height: 1.25; margin: 2em 0 0.5em; }
h1 { font-size: 2.2rem; margin-top: 0; }
h2 { font-size: 1.6rem; } h3 { font-size: 1.3rem; } h4 { font-size: 1.1rem; }
p, li { overflow-wrap: break-word; }
blockquote { margin: 1em 0; padding-left: 1em; border-left: 3px solid #8886; }
pre { overflow-x: auto; padding: 1em; background: #8882; border-radius: 6px; }
code { font: 0.9em ui-monospace, monospace; }
.table { overflow-x: auto; } table { border-collapse: collapse; }
th, td { border: 1px solid #8888; padding: 0.3em 0.7em; text-align: left; vertical-align: top; }
th > :first-child, td > :first-child { margin-top: 0; }
th > :last-child, td > :last-child { margin-bottom: 0; }
ul[data-type="taskList"] { list-style: none; padding-left: 0; }
ul[data-type="taskList"] li { display: flex; gap: 0.6em; } li > label + div > :first-child { margin-top: 0; }
figure { margin: 1.5em 0; } figure img { display: block; max-width: var(--scale, 100%); height: auto; }
figure[data-align="center"] img { margin-inline: auto; } figure[data-align="right"] img { margin-left: auto; }
figcaption { font-size: 0.85em; margin-top: 0.5em; opacity: 0.75; }
.icon { font-size: 2.5rem; }
@media print { body { margin: 0; max-width: none; } }`;

/** Makes this site's links absolute, so that they work wherever the file is opened. */
function withSite(html: string, origin: string): string {
  return html.replace(/(<a [^<>]*?href=")\/(?!\/)/g, `$1${origin}/`);
}

/**
 * The most image bytes in a page, counted at each use. A text may show a large image a thousand
 * times, and strings have a maximum length.
 */
const mostBytes = 96 * 2 ** 20;

/** Embeds the file's images. All other images are replaced by their descriptions. */
function withImages(html: string, images: FileImages): string {
  let left = mostBytes;
  return html.replace(/ src="\/files\/([0-9a-f-]{36})[^"]*"/g, (_, file: string) => {
    const image = images.get(file);
    if (!image || image.bytes.length > left) return "";
    left -= image.bytes.length;
    return ` src="data:${image.type};base64,${toBase64(image.bytes)}"`;
  });
}

/**
 * Returns a document as one self-contained page without scripts or requests. `text` is from
 * `staticHtml`, which escapes every letter.
 */
export function htmlFile(
  title: string,
  icon: string | null,
  text: string,
  { nameOf, origin, images = new Map() }: FileLinks,
): string {
  const head = icon === null ? "" : `<div class="icon">${escapedHtml(icon)}</div>\n`;
  const words = withImages(withSite(withLinkNames(text, nameOf), origin), images);
  return htmlPage({
    title,
    language: null,
    style,
    policy: "; img-src data:",
    body: `${head}<h1>${escapedHtml(title)}</h1>\n${words}`,
  });
}
