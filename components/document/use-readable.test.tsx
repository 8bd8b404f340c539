import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as Y from "yjs";
import { silentRoot } from "@/components/ui/silent-root.fixture";
// Imported before the page's globals are stubbed: its modules would take them for a browser's.
import "@/events/content/static-html";
import { useReadable } from "./use-readable";

let root: Awaited<ReturnType<typeof silentRoot>>;

beforeEach(async () => {
  root = await silentRoot();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(async () => {
  vi.useRealTimers();
  await root.end();
});

/** A live document that begins with one paragraph and whose Y.Doc can be replaced. */
class ChangingText {
  fragment = paragraphs("One");
  readonly listeners = new Set<() => void>();
  onReplaced(listener: () => void) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
  replace(fragment: Y.XmlFragment) {
    this.fragment = fragment;
    for (const listener of this.listeners) listener();
  }
}

function paragraphs(...texts: string[]): Y.XmlFragment {
  const fragment = new Y.Doc().getXmlFragment("default");
  write(fragment, ...texts);
  return fragment;
}
function write(fragment: Y.XmlFragment, ...texts: string[]): void {
  for (const text of texts) {
    const paragraph = new Y.XmlElement("paragraph");
    paragraph.insert(0, [new Y.XmlText(text)]);
    fragment.push([paragraph]);
  }
}

const rendered: (string | null)[] = [];
function Page({ live }: { live: ChangingText | null }) {
  rendered.push(useReadable(live));
  return null;
}
const html = () => rendered.at(-1);
const pass = () => act(() => vi.advanceTimersByTimeAsync(1_000));
const opened = () =>
  vi.waitFor(
    async () => {
      await pass();
      expect(html()).toBe("<p>One</p>");
    },
    { timeout: 40_000 },
  );

it("[EDIT-5] a read-only text shows its current state, even after its Y.Doc is replaced", async () => {
  const live = new ChangingText();
  await root.render(<Page live={live} />);
  await opened();
  const before = live.fragment;
  rendered.length = 0;
  for (const text of ["Two", "Three"]) write(before, text);
  await pass();
  expect(rendered).toEqual(["<p>One</p><p>Two</p><p>Three</p>"]);
  live.replace(paragraphs("Four"));
  await pass();
  expect(html()).toBe("<p>Four</p>");
  write(before, "Nobody’s");
  await pass();
  write(live.fragment, "Five");
  await pass();
  expect(html()).toBe("<p>Four</p><p>Five</p>");
});

it("[EDIT-5] a large text is rendered less often, however fast others write in it", async () => {
  const live = new ChangingText();
  await root.render(<Page live={live} />);
  await opened();
  write(live.fragment, "a".repeat(3_000_000));
  await pass();
  rendered.length = 0;
  for (let second = 0; second < 9; second += 1) {
    write(live.fragment, "More");
    await pass();
  }
  expect(rendered).toHaveLength(2);
});

it("[EDIT-5] stops with its page", async () => {
  const live = new ChangingText();
  await root.render(<Page live={live} />);
  await opened();
  write(live.fragment, "Two");
  await root.render(<Page live={null} />);
  await pass();
  expect(html()).toBeNull();
  expect(live.listeners.size).toBe(0);
});
