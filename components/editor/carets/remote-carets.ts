import { Extension } from "@tiptap/core";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import type { EditorState } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import type { EditorView } from "@tiptap/pm/view";
import {
  absolutePositionToRelativePosition,
  relativePositionToAbsolutePosition,
  ySyncPluginKey,
} from "@tiptap/y-tiptap";
import type { Awareness } from "y-protocols/awareness";
import { compareRelativePositions, createRelativePositionFromJSON } from "yjs";
import type { RelativePosition } from "yjs";
import { caretSettings, onCaretSettings } from "@/components/presence/caret-settings";
import { coversLetter } from "./caret-flag";
import { readSelection } from "./own-selection";

/** The person behind a caret, from the members list. A peer chooses neither name nor colour. */
export type CaretPerson = { userId: string; name: string; color: number };

/** The source of peers' states, and the person behind each state. Null hides the caret. */
export type RemoteCaretsOptions = {
  /** A getter, because the awareness can be replaced. */
  awareness: () => Awareness | null;
  /** The user id that this tab announces until the log has bound its client id. */
  userId: string;
  personOf: (clientId: number, state: Record<string, unknown>) => CaretPerson | null;
};

type Caret = { clientId: number; person: CaretPerson; anchor: number; head: number; moved: number };

const key = new PluginKey<DecorationSet>("remote-carets");
const mostCarets = 50;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Parses a position that a peer sent. Returns null if it is invalid. */
function readPosition(value: unknown): RelativePosition | null {
  if (!isRecord(value)) return null;
  try {
    return createRelativePositionFromJSON(value);
  } catch (fault) {
    // A peer may send any value. An invalid position shows no caret.
    if (fault instanceof Error) return null;
    throw fault;
  }
}

function readCursor(
  state: Record<string, unknown> | null,
): { anchor: RelativePosition; head: RelativePosition } | null {
  const cursor = state?.cursor;
  if (!isRecord(cursor)) return null;
  const anchor = readPosition(cursor.anchor);
  const head = readPosition(cursor.head);
  return anchor === null || head === null ? null : { anchor, head };
}

function caretElement(caret: Caret): HTMLElement {
  const element = document.createElement("span");
  element.className = `caret p${caret.person.color}`;
  element.dataset.user = caret.person.userId;
  element.setAttribute("aria-hidden", "true");
  const flag = document.createElement("span");
  // An attribute keeps the name out of the text that is copied or read aloud.
  flag.dataset.name = caret.person.name;
  element.append(flag);
  return element;
}

function decorate(state: EditorState, carets: Caret[]): DecorationSet {
  const end = state.doc.content.size;
  const decorations = carets.flatMap(({ anchor, head, ...caret }) => {
    const [from, to] = [Math.min(anchor, head, end), Math.min(Math.max(anchor, head), end)];
    const place = Decoration.widget(
      Math.min(head, end),
      () => caretElement({ ...caret, anchor, head }),
      {
        // A new key creates a new element, so the flag appears again after each change without a
        // timer.
        key: `${caret.clientId}:${caret.moved}:${caret.person.color}:${caret.person.name}`,
        side: 10,
        ignoreSelection: true,
      },
    );
    return from === to
      ? [place]
      : [place, Decoration.inline(from, to, { class: `washed picked p${caret.person.color}` })];
  });
  return DecorationSet.create(state.doc, decorations);
}

class CaretTracker {
  private readonly moves = new Map<number, { cursor: string; moved: number }>();
  private readonly options: RemoteCaretsOptions;
  awareness: Awareness;

  constructor(awareness: Awareness, options: RemoteCaretsOptions) {
    this.awareness = awareness;
    this.options = options;
  }

  decorations(state: EditorState): DecorationSet {
    const sync = ySyncPluginKey.getState(state);
    if (sync === undefined || sync.binding.mapping.size === 0 || !caretSettings().others)
      return DecorationSet.empty;
    const carets: Caret[] = [];
    for (const [clientId, peer] of this.awareness.getStates()) {
      if (clientId === this.awareness.clientID || carets.length >= mostCarets) continue;
      const cursor = readCursor(peer);
      const person = cursor === null ? null : this.options.personOf(clientId, peer);
      if (cursor === null || person === null) continue;
      const [anchor, head] = [cursor.anchor, cursor.head].map((position) =>
        relativePositionToAbsolutePosition(sync.doc, sync.type, position, sync.binding.mapping),
      );
      if (typeof anchor !== "number" || typeof head !== "number") continue;
      carets.push({
        clientId,
        person,
        anchor,
        head,
        moved: this.moved(clientId, JSON.stringify(peer.cursor)),
      });
    }
    return decorate(state, carets);
  }

  private moved(clientId: number, cursor: string): number {
    const before = this.moves.get(clientId);
    if (before?.cursor === cursor) return before.moved;
    const moved = (before?.moved ?? 0) + 1;
    this.moves.set(clientId, { cursor, moved });
    return moved;
  }

  /**
   * Sends this person's caret to the peers. Removes it if the text has no focus or a setting hides
   * it.
   */
  announce(view: EditorView): void {
    const sync = ySyncPluginKey.getState(view.state);
    if (sync === undefined || (this.awareness.getLocalState() === null && !view.editable)) return;
    const current = readCursor(this.awareness.getLocalState());
    if (!view.hasFocus() || !view.editable || !caretSettings().own) {
      if (current !== null) this.awareness.setLocalStateField("cursor", null);
      return;
    }
    const { anchor, head } = view.state.selection;
    const [from, to] = [anchor, head].map((position) =>
      absolutePositionToRelativePosition(position, sync.type, sync.binding.mapping),
    );
    const same =
      current !== null &&
      compareRelativePositions(current.anchor, from) &&
      compareRelativePositions(current.head, to);
    if (same) return;
    this.awareness.setLocalState({
      ...this.awareness.getLocalState(),
      userId: this.options.userId,
      cursor: { anchor: from, head: to },
    });
  }
}

function liveView(tracker: CaretTracker, source: RemoteCaretsOptions["awareness"]) {
  return (view: EditorView) => {
    let frame = 0;
    const settleFlags = () => {
      for (const caret of view.dom.querySelectorAll(".caret:not([data-settled])")) {
        const covers = coversLetter(caret);
        // A flag outside the viewport is checked again later, because the reader may scroll to it.
        if (covers === null) continue;
        caret.setAttribute("data-settled", "");
        if (covers) caret.classList.add("rest");
      }
    };
    const settleSoon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(settleFlags);
    };
    const redraw = ({
      added,
      updated,
      removed,
    }: {
      added: number[];
      updated: number[];
      removed: number[];
    }) => {
      const others = [...added, ...updated, ...removed].some(
        (clientId) => clientId !== tracker.awareness.clientID,
      );
      if (others && !view.isDestroyed) refreshCarets(view);
    };
    const focusChange = () => tracker.announce(view);
    const stopSettings = onCaretSettings(() => {
      if (view.isDestroyed) return;
      tracker.announce(view);
      refreshCarets(view);
    });
    tracker.awareness.on("change", redraw);
    const follow = (awareness: Awareness) => {
      tracker.awareness.off("change", redraw);
      tracker.awareness = awareness;
      awareness.on("change", redraw);
    };
    view.dom.addEventListener("focusin", focusChange);
    view.dom.addEventListener("focusout", focusChange);
    return {
      update: () => {
        const awareness = source();
        if (awareness !== null && awareness !== tracker.awareness) follow(awareness);
        tracker.announce(view);
        settleSoon();
      },
      destroy: () => {
        cancelAnimationFrame(frame);
        stopSettings();
        const { awareness } = tracker;
        awareness.off("change", redraw);
        view.dom.removeEventListener("focusin", focusChange);
        view.dom.removeEventListener("focusout", focusChange);
        if (awareness.getLocalState() !== null) awareness.setLocalStateField("cursor", null);
      },
    };
  };
}

/** Returns a test for whether another person's caret is between two positions. */
export function othersWriteIn(state: EditorState): (from: number, to: number) => boolean {
  return (from, to) => (key.getState(state)?.find(from + 1, to - 1).length ?? 0) > 0;
}

/** Redraws every caret after names or colours in the members list have changed. */
export function refreshCarets(view: EditorView): void {
  readSelection(view);
  view.dispatch(view.state.tr.setMeta(key, "moved"));
}

/**
 * Shows other people's carets and selections, hidden from assistive technology, and sends this
 * person's caret.
 */
export const RemoteCarets = Extension.create<RemoteCaretsOptions>({
  name: "remoteCarets",
  priority: 900,
  addOptions() {
    return { awareness: () => null, userId: "", personOf: () => null };
  },
  addProseMirrorPlugins() {
    const awareness = this.options.awareness();
    if (awareness === null) return [];
    const tracker = new CaretTracker(awareness, this.options);
    return [
      new Plugin<DecorationSet>({
        key,
        state: {
          init: () => DecorationSet.empty,
          apply: (transaction, shown, _before, state) => {
            const remote = ySyncPluginKey.getState(state)?.isChangeOrigin === true;
            if (remote || transaction.getMeta(key) !== undefined) return tracker.decorations(state);
            return transaction.docChanged ? shown.map(transaction.mapping, transaction.doc) : shown;
          },
        },
        props: { decorations: (state) => key.getState(state) },
        view: liveView(tracker, this.options.awareness),
      }),
    ];
  },
});
