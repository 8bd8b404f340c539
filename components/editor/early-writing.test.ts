import { expect, it } from "vitest";
import { watchEarlyWriting } from "./early-writing";

/** As much of an element as is asked: its events, and whether the focus is in it. */
class TextElement extends EventTarget {
  focused = true;
  readonly ownerDocument = { getSelection: () => null, activeElement: null };
  contains(node: unknown) {
    return node === null && this.focused;
  }
  press(key: string) {
    const event = Object.assign(new Event("keydown", { cancelable: true }), { key });
    this.dispatchEvent(event);
    return event.defaultPrevented;
  }
}

const watch = (mayWrite = true) => {
  const element = new TextElement();
  // The parts of an element that the watch asks for are all there.
  const watched = watchEarlyWriting(element as unknown as HTMLElement, () => mayWrite);
  return { element, take: watched.take };
};

it("[EDIT-25] keeps what is typed before the editor is there", () => {
  const { element, take } = watch();
  for (const key of ["a", "b", "x", "Backspace", "Enter", "F5"]) element.press(key);
  expect(take()).toMatchObject({ keys: ["a", "b", "Enter"], stays: true });
});

it("[EDIT-25] keeps it also where the focus has gone on, and says so", () => {
  const { element, take } = watch();
  element.press("a");
  element.focused = false;
  expect(take()).toMatchObject({ keys: ["a"], stays: false });
});

it("[EDIT-25] keeps nothing of who was elsewhere, or may not write", () => {
  const { element, take } = watch();
  element.focused = false;
  expect(take()).toBe(null);
  const reader = watch(false);
  expect(reader.element.press("a")).toBe(false);
  expect(reader.take()).toMatchObject({ keys: [] });
});
