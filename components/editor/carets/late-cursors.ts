import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import type { PluginView } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { afterCritical } from "@/components/loading/after-critical";
import { importWithRetry } from "@/components/loading/retrying-import";

async function fetchCursors(): Promise<{ gap: Plugin; drop: Plugin }> {
  await afterCritical();
  const [{ gapCursor }, { dropCursor }] = await importWithRetry(() =>
    Promise.all([import("@tiptap/pm/gapcursor"), import("@tiptap/pm/dropcursor")]),
  );
  return { gap: gapCursor(), drop: dropCursor({ color: false, width: 2, class: "dropcursor" }) };
}

/**
 * The gap cursor between two blocks, and the drop cursor. Neither is needed at first, so their code
 * loads once the text can be edited. Both run through a plugin that is registered from the start,
 * because registering new plugins would redraw the text under an open composition.
 */
export const LateCursors = Extension.create({
  name: "lateCursors",
  addProseMirrorPlugins() {
    let gap: Plugin | null = null;
    const view = (of: EditorView): PluginView => {
      let drop: PluginView | undefined;
      let gone = false;
      void fetchCursors().then((cursors) => {
        if (gone) return;
        gap = cursors.gap;
        drop = cursors.drop.spec.view?.(of);
      });
      return {
        update: (now, before) => drop?.update?.(now, before),
        destroy: () => {
          gone = true;
          drop?.destroy?.();
        },
      };
    };
    return [
      new Plugin({
        view,
        props: {
          decorations: (state) => gap?.props.decorations?.call(gap, state),
          createSelectionBetween: (...at) =>
            gap?.props.createSelectionBetween?.apply(gap, at) ?? null,
          handleClick: (...at) => gap?.props.handleClick?.apply(gap, at) ?? false,
          handleKeyDown: (...at) => gap?.props.handleKeyDown?.apply(gap, at) ?? false,
          handleDOMEvents: {
            beforeinput: (...at) =>
              gap?.props.handleDOMEvents?.beforeinput?.apply(gap, at) ?? false,
          },
        },
      }),
    ];
  },
});
