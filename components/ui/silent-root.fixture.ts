import { act } from "react";
import type { ReactNode } from "react";
import { vi } from "vitest";

type SilentRoot = {
  render: (node: ReactNode) => Promise<void>;
  /** Unmounts everything and removes the stubbed globals. */
  end: () => Promise<void>;
};

/**
 * Creates a React root for components that render nothing. Tests observe their renders and hook
 * results, for which this minimal document is enough. The page counts as still loading.
 */
export async function silentRoot(): Promise<SilentRoot> {
  const ignore = () => undefined;
  const node = { addEventListener: ignore, removeEventListener: ignore, textContent: "" };
  const document = { ...node, nodeType: 9, activeElement: null, readyState: "loading" };
  const container: Element = Object.assign(Object.create(null), {
    ...node,
    nodeType: 1,
    tagName: "DIV",
    ownerDocument: document,
  });
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("document", document);
  vi.stubGlobal("window", { document, HTMLIFrameElement: class {} });
  vi.stubGlobal("addEventListener", ignore);
  vi.stubGlobal("removeEventListener", ignore);
  const { createRoot } = await import("react-dom/client");
  const root = createRoot(container);
  return {
    render: (shown) => act(async () => root.render(shown)),
    async end() {
      await act(async () => root.unmount());
      vi.unstubAllGlobals();
    },
  };
}
