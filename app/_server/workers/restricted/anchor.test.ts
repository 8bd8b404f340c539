import { describe, expect, it } from "vitest";
import type * as Y from "yjs";
import { placeOf } from "@/events/analysis/anchors/plain-stretch";
import { liveText } from "@/events/analysis/anchors/live-anchor";
import { fold } from "../fold";
import { anchor } from "../restricted-task";
import type { Tools } from "../task";
import { document, logOf, writing } from "./written-log.fixture";

const tools: Tools = { isLate: () => false, progress: () => undefined, service: () => null };
const text = "We met in London last week. The London office moved.";
/** The version that the page shows, which writes this text. Version 1 creates the paragraph. */
const shown = 2;
const [first, second] = ["Wemetin", "WemetinLondonlastweek.The"].map(({ length }) => length);

/** Returns where a comment is anchored, in letters of the current text; null if refused. */
async function placed(near: number, then: (line: Y.XmlText) => void, words = "London") {
  const { client } = logOf(
    writing((line) => {
      line.insert(0, text);
      then(line);
    }),
  );
  const made = await anchor(client, { document, at: shown, light: false, words, near }, tools);
  if (made === null) return null;
  expect(made.quote).toBe(words);
  const { confirmed } = await fold(client, { document, at: null, light: false }, tools);
  return placeOf(made, liveText(confirmed.doc.getXmlFragment("default")));
}

describe("a comment by a restricted reader", () => {
  it("[COMMENT-15] is anchored to the words that the page shows, despite later edits", async () => {
    const still = () => undefined;
    expect(await placed(first ?? 0, still)).toEqual({ from: 7, to: 13 });
    expect(await placed(second ?? 0, still)).toEqual({ from: 25, to: 31 });
    const before = (line: Y.XmlText) => line.insert(0, "In London, as planned: ");
    expect(await placed(first ?? 0, before)).toEqual({ from: 26, to: 32 });
    expect(await placed(second ?? 0, before)).toEqual({ from: 44, to: 50 });
  });

  it("[COMMENT-15] is refused when its words were deleted or changed, though equal words remain", async () => {
    const went = (line: Y.XmlText) => line.delete(text.indexOf("London"), "London ".length);
    expect(await placed(first ?? 0, went)).toBeNull();
    expect(await placed(second ?? 0, went)).toEqual({ from: 19, to: 25 });
    const changed = (line: Y.XmlText) => line.insert(text.indexOf("ndon"), "u");
    expect(await placed(first ?? 0, changed)).toBeNull();
  });

  it("[COMMENT-15] is refused for words that differ at its place, and for a version 1 000 edits back", async () => {
    expect(await placed((first ?? 0) + 1, () => undefined)).toBeNull();
    expect(await placed(first ?? 0, () => undefined, "Paris")).toBeNull();
    const often = (line: Y.XmlText) => {
      for (let times = 0; times <= 1_000; times += 1) line.insert(line.length, ".");
    };
    expect(await placed(first ?? 0, often)).toBeNull();
  });
});
