import type { Element } from "hast";
import { attribute, element, has, isBlank, isElement, wordsIn } from "./tree";
import type { Markup } from "./tree";

/** A task: whether it is done, and its item without the checkbox. */
type Task = { done: boolean; item: Element };

/** A checkbox that begins words: in Notion's notation, or as a character. */
const boxInWords = /^\s*(?:\[([ xX])\]\s|([☐☑☒])[\s\u00a0]?)\s*/u;

/** Removes the checkbox in front of all words. Returns null without a checkbox. */
function withoutBox(parent: Element): Task | null {
  for (const [at, child] of parent.children.entries()) {
    if (child.type === "comment" || (child.type === "text" && isBlank(child.value))) continue;
    const replaced = (...by: Markup[]) => ({
      ...parent,
      children: parent.children.toSpliced(at, 1, ...by),
    });
    if (child.type === "text") {
      const [box, letter, sign] = boxInWords.exec(child.value) ?? [];
      if (box === undefined) return null;
      const done = /x/i.test(letter ?? "") || (sign !== undefined && sign !== "☐");
      return { done, item: replaced({ type: "text", value: child.value.slice(box.length) }) };
    }
    if (child.tagName === "input") {
      if (attribute(child, "type").toLowerCase() !== "checkbox") return null;
      return { done: has(child, "checked"), item: replaced() };
    }
    const [, state] = /(?:^|\s)checkbox-(on|off)(?:\s|$)/.exec(attribute(child, "class")) ?? [];
    if (state !== undefined) return { done: state === "on", item: replaced() };
    if (/^(?:ul|ol|table|pre)$/.test(child.tagName)) return null;
    const inner = withoutBox(child);
    if (inner !== null) return { done: inner.done, item: replaced(inner.item) };
    // An icon or a drag handle may precede the checkbox.
    if (!isBlank(wordsIn(child))) return null;
  }
  return null;
}

/** Returns an item's state by its attributes, when its words hold no checkbox. */
function stateOf(item: Element): boolean | null {
  if (attribute(item, "role") === "checkbox") return attribute(item, "aria-checked") === "true";
  if (has(item, "data-checked")) return attribute(item, "data-checked") === "true";
  const listed = attribute(item, "data-list");
  return listed === "checked" || listed === "unchecked" ? listed === "checked" : null;
}

/** Removes the strikethrough of Google Docs' done tasks, which the checkbox shows here. */
function unstruck(one: Element): Element {
  const style = attribute(one, "style").replaceAll(/line-through/gi, "none");
  return {
    ...one,
    properties: has(one, "style") ? { ...one.properties, style } : one.properties,
    children: one.children.map((child) => (isElement(child) ? unstruck(child) : child)),
  };
}

function taskOf(item: Element): Task | null {
  const state = stateOf(item);
  const boxed = withoutBox(item);
  if (state === null) return boxed;
  const rest = boxed?.item ?? item;
  return { done: state, item: state ? unstruck(rest) : rest };
}

const listOfTasks = () => element("ul", [], { "data-type": "taskList" });
const taskItem = ({ done, item }: Task) =>
  element("li", item.children, { "data-type": "taskItem", "data-checked": String(done) });

/** Splits a list into task lists and other lists, in order. */
function split(list: Element): Element[] {
  const lists: Element[] = [];
  let tasks = false;
  for (const child of list.children) {
    const task = isElement(child) && child.tagName === "li" ? taskOf(child) : null;
    const isOther = isElement(child) && child.tagName === "li" && task === null;
    if (lists.length === 0 || (task !== null && !tasks) || (isOther && tasks)) {
      tasks = task !== null;
      lists.push(tasks ? listOfTasks() : { ...list, children: [] });
    }
    lists.at(-1)?.children.push(task === null ? child : taskItem(task));
  }
  return lists;
}

/** Turns items with a checkbox, and paragraphs that begin with one, into task lists. */
export function withTasks(parent: Element): Element {
  const made: Markup[] = [];
  let open: Element | null = null;
  for (const child of parent.children) {
    const isGap = !isElement(child) && (child.type === "comment" || isBlank(child.value));
    if (open !== null && isGap) continue;
    const task = isElement(child) && child.tagName === "p" ? withoutBox(child) : null;
    if (task === null) {
      open = null;
      const isList = isElement(child) && /^(?:ul|ol)$/.test(child.tagName);
      const nodes = isList && child.children.length > 0 ? split(child) : [child];
      for (const node of nodes) made.push(isElement(node) ? withTasks(node) : node);
      continue;
    }
    if (open === null) made.push((open = listOfTasks()));
    open.children.push(taskItem({ ...task, item: element("li", [task.item]) }));
  }
  return { ...parent, children: made };
}
