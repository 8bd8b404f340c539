import { updateYFragment } from "@tiptap/y-tiptap";
import { EditorState, TextSelection } from "@tiptap/pm/state";
import type { Transaction } from "@tiptap/pm/state";
import { wrapIn, joinBackward, splitBlock } from "@tiptap/pm/commands";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { accountOfChanges } from "./account-of-changes";
import { passagesAt } from "./attribution";
import { stream } from "@/events/history/timeline/rows.fixture";
import type { Timeline } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { documentSchema } from "@/events/content/schema";

type Step = (state: EditorState, dispatch: (transaction: Transaction) => void) => void;

const typed = "The managing editor reads every correction before it is published, and signs it.";
const { nodes } = documentSchema;
const typeOf = (name: string) => nodes[name] ?? documentSchema.topNodeType;

/** Records the editor's updates when Ana types two paragraphs and Ben changes them once. */
function edited(step: Step): Timeline {
  const doc = new Y.Doc({ gc: false });
  const updates: { update: Uint8Array; actorId: string; time: number }[] = [];
  let actorId = "Ana";
  let time = Date.UTC(2026, 10, 14, 15, 42);
  doc.on("update", (update: Uint8Array) => updates.push({ update, actorId, time: (time += 160) }));
  const fragment = doc.getXmlFragment("default");
  const meta = { mapping: new Map(), isOMark: new Map() };
  const show = (state: EditorState) =>
    doc.transact(() => updateYFragment(doc, fragment, state.doc, meta));
  const paragraph = () => typeOf("paragraph").create();
  let state = EditorState.create({
    doc: documentSchema.topNodeType.create(null, [paragraph(), paragraph()]),
  });
  const apply = (transaction: Transaction) => {
    state = state.apply(transaction);
    show(state);
  };
  show(state);
  for (const [at, letter] of [...typed].entries()) apply(state.tr.insertText(letter, 1 + at));
  apply(state.tr.insertText("Nobody else does.", typed.length + 3));
  doc.clientID += 1;
  actorId = "Ben";
  time += 3_600_000;
  step(state, apply);
  return openTimeline(
    stream(
      "Minutes",
      updates.map((update) => [update]),
    ),
  );
}

const selected = (state: EditorState, at: number) =>
  state.apply(state.tr.setSelection(TextSelection.create(state.doc, at)));

describe("a block that another person changes in the editor", () => {
  const steps: [string, Step][] = [
    [
      "made a heading",
      (state, dispatch) => dispatch(state.tr.setBlockType(1, 2, typeOf("heading"), { level: 2 })),
    ],
    [
      "made a quote",
      (state, dispatch) => void wrapIn(typeOf("blockquote"))(selected(state, 3), dispatch),
    ],
    [
      "made a list",
      (state, dispatch) => {
        const item = typeOf("listItem").create(null, state.doc.firstChild);
        dispatch(
          state.tr.replaceWith(
            0,
            state.doc.firstChild?.nodeSize ?? 0,
            typeOf("bulletList").create(null, item),
          ),
        );
      },
    ],
    ["parted within a word", (state, dispatch) => void splitBlock(selected(state, 8), dispatch)],
    [
      "joined with the one before",
      (state, dispatch) => void joinBackward(selected(state, typed.length + 3), dispatch),
    ],
    [
      "moved below the next",
      (state, dispatch) => {
        const [first, second] = [state.doc.child(0), state.doc.child(1)];
        dispatch(state.tr.replaceWith(0, state.doc.content.size, [second, first]));
      },
    ],
  ];
  it.each(steps)(
    "stays Ana’s typed words, with none counted for Ben, when it is %s [UNDERSTAND-17]",
    (_, step) => {
      const timeline = edited(step);
      const passages = passagesAt(timeline, timeline.length - 1);
      expect(passages.map(({ text }) => text).join("").length).toBe(typed.length + 17);
      for (const { author, atOnce } of passages)
        expect([timeline.authors[author], atOnce]).toEqual(["Ana", false]);
      const account = accountOfChanges(timeline, { after: -1, to: timeline.length - 1 });
      expect(
        account.map(({ author, added, removed, atOnce }) => [
          timeline.authors[author],
          added,
          removed,
          atOnce,
        ]),
      ).toEqual([["Ana", 16, 0, 0]]);
    },
  );
});
