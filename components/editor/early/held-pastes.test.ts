import { EditorState, TextSelection } from "@tiptap/pm/state";
import type { Transaction } from "@tiptap/pm/state";
import { expect, test } from "vitest";
import { documentSchema } from "@/events/content/schema";
import { HeldPastes } from "./held-pastes";

/** Creates a one-line text whose editor waits for the paste code until the test ends the load. */
function textOf(words: string) {
  let loaded = (_error?: Error) => {};
  const loading = new Promise<void>((resolve, reject) => {
    loaded = (error) => (error ? reject(error) : resolve());
  });
  const line = documentSchema.node("paragraph", null, [documentSchema.text(words)]);
  const editor = {
    state: EditorState.create({ doc: documentSchema.node("doc", null, [line]) }),
    isEditable: true,
    isDestroyed: false,
    view: {
      dispatch(transaction: Transaction) {
        editor.state = editor.state.apply(transaction);
        held.follow(transaction.mapping);
      },
    },
  };
  const insert = (letters: string) => editor.view.dispatch(editor.state.tr.insertText(letters));
  const held = new HeldPastes(editor, {
    load: () => loading,
    paste: ({ strings }) => insert(strings["text/plain"] ?? ""),
  });
  return {
    editor,
    insert,
    paste: (letters: string) => held.hold({ strings: { "text/plain": letters }, files: [] }),
    caret(from: number, to = from) {
      const { doc, tr } = editor.state;
      editor.view.dispatch(tr.setSelection(TextSelection.create(doc, from + 1, to + 1)));
    },
    async end(error?: Error) {
      loaded(error);
      await loading.catch(() => undefined);
    },
    shown: () => {
      const { doc, selection } = editor.state;
      return `${doc.textBetween(0, selection.from)}|${doc.textBetween(selection.to, doc.content.size)}`;
    },
  };
}

test("[EDIT-72] a paste waits for its code, and letters typed meanwhile follow it", async () => {
  const text = textOf("ad");
  text.caret(1);
  expect(text.paste("b")).toBe(true);
  text.insert("c");
  expect(text.shown()).toBe("ac|d");
  await text.end();
  expect(text.shown()).toBe("abc|d");
});

test("[EDIT-72] waiting pastes keep their order, each replacing its own selection", async () => {
  const text = textOf("one two");
  text.caret(4, 7);
  text.paste("three");
  text.caret(0);
  text.paste("A");
  text.paste("B");
  text.insert(" ");
  await text.end();
  expect(text.shown()).toBe("AB |one three");
});

test("[EDIT-72] the caret ends behind the last paste", async () => {
  const text = textOf("ab");
  text.caret(1);
  text.paste("x");
  text.paste("y");
  await text.end();
  expect(text.shown()).toBe("axy|b");
});

test("[EDIT-72] a paste is inserted even if its code fails to load", async () => {
  const text = textOf("ab");
  text.caret(2);
  text.paste("c");
  await text.end(new Error("no network"));
  expect(text.shown()).toBe("abc|");
});

test("[EDIT-72] a read-only text holds no paste", () => {
  const text = textOf("ab");
  text.editor.isEditable = false;
  expect(text.paste("c")).toBe(false);
});
