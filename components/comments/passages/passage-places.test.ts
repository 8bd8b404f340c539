import { expect, it } from "vitest";
import * as Y from "yjs";
import { AnchorMemory } from "@/events/analysis/anchors/anchor-memory";
import { anchorOf, liveText } from "@/events/analysis/anchors/live-anchor";
import { BoundText } from "@/components/editor/bound-text.fixture";
import { placesOf } from "./passage-places";

it("[COMMENT-14] reads the text only when it has threads to place", () => {
  const bound = new BoundText(new Y.Doc());
  bound.type("We meet at nine.", 1);
  const { doc } = bound.state;
  let readings = 0;
  const text = {
    lasting: true,
    get fragment() {
      readings += 1;
      return bound.doc.getXmlFragment("default");
    },
  };
  expect(placesOf(doc, text, [])).toEqual({ places: new Map(), passages: [] });
  expect(readings).toBe(0);
  const spot = (offset: number) => ({ textblock: 0, offset });
  const anchor = anchorOf(liveText(bound.doc.getXmlFragment("default")), spot(8), spot(15), 100);
  if (!anchor) throw new Error("There are no words.");
  expect(placesOf(doc, text, [{ id: "when", anchor, className: "noted" }])).toEqual({
    places: new Map([["when", { position: 9, gone: false }]]),
    passages: [{ id: "when", from: 9, to: 16, className: "noted" }],
  });
  expect(readings).toBe(1);
  bound.destroy();
});

it("[COMMENT-5] marks words as gone once the page saw them go or the history says so", () => {
  const bound = new BoundText(new Y.Doc());
  bound.type("We meet at nine. At nine!", 1);
  const fragment = bound.doc.getXmlFragment("default");
  const spot = (offset: number) => ({ textblock: 0, offset });
  const anchor = anchorOf(liveText(fragment), spot(8), spot(15), 100);
  if (!anchor) throw new Error("There are no words.");
  const memory = () => new AnchorMemory(Y.decodeStateVector(Y.encodeStateVector(bound.doc)));
  const isGone = (known: AnchorMemory) => {
    const lineage = { memory: known, settle: () => undefined, onLearned: () => () => true };
    const marked = [{ id: "when", anchor, className: "noted" }];
    const shown = placesOf(bound.state.doc, { lasting: true, fragment, lineage }, marked);
    return shown?.places.get("when")?.gone;
  };
  const earlier = memory();
  expect(isGone(earlier)).toBe(false);
  bound.dispatch(bound.state.tr.delete(9, 16));
  expect(isGone(earlier)).toBe(true);
  const later = memory();
  expect(isGone(later)).toBe(false);
  later.learn([{ anchor, outcome: null }], new Map());
  expect(isGone(later)).toBe(true);
  bound.destroy();
});
