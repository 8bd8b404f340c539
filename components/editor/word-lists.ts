/**
 * An item of a list as Word writes it: a paragraph whose style says how deep it stands, with its
 * sign as words of its own.
 */
type Item = {
  paragraph: HTMLElement;
  level: number;
  list: string;
  tag: "ol" | "ul";
  start: number;
};

const place = /mso-list:\s*(l\d+)\s+level(\d+)/i;

function itemOf(paragraph: HTMLElement): Item | null {
  const [, list, level] = place.exec(paragraph.getAttribute("style") ?? "") ?? [];
  const sign = [...paragraph.querySelectorAll("span")].find((span) =>
    /mso-list:\s*ignore/i.test(span.getAttribute("style") ?? ""),
  );
  if (list === undefined || sign === undefined) return null;
  const words = (sign.textContent ?? "").trim();
  sign.remove();
  return {
    paragraph,
    level: Number(level),
    list,
    tag: /^\(?\w+[.)]/.test(words) ? "ol" : "ul",
    start: Number.parseInt(words, 10) || 1,
  };
}

/** Makes lists of what Word copies as paragraphs that only look like items; any other HTML is answered as it is. */
export function listsOfWord(html: string): string {
  if (!place.test(html)) return html;
  const { body } = new DOMParser().parseFromString(html, "text/html");
  let open: (Item & { element: HTMLElement })[] = [];
  for (const paragraph of body.querySelectorAll("p")) {
    const item = itemOf(paragraph);
    if (item === null) continue;
    if (paragraph.previousElementSibling !== open[0]?.element) open = [];
    const isDeeper = (one: Item) =>
      one.level > item.level ||
      (one.level === item.level && (one.list !== item.list || one.tag !== item.tag));
    open = open.filter((one) => !isDeeper(one));
    let last = open.at(-1);
    if (last === undefined || last.level < item.level) {
      const element = body.ownerDocument.createElement(item.tag);
      if (item.start !== 1) element.setAttribute("start", String(item.start));
      if (last === undefined) paragraph.before(element);
      else last.element.lastElementChild?.append(element);
      last = { ...item, element };
      open.push(last);
    }
    const entry = body.ownerDocument.createElement("li");
    entry.append(paragraph);
    last.element.append(entry);
  }
  return body.innerHTML;
}
