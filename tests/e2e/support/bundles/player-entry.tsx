import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { Profiler } from "react";
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { authoredRows } from "@/events/history/timeline/authored-rows.fixture";
import { Player } from "@/components/history/player/player";
import { Announcer } from "@/components/ui/screen/announcer";
import { ToastRegion } from "@/components/ui/toast";
import { firstView } from "@/components/workspace-state/initial-view";
import { partsStore } from "@/components/workspace-state/parts-store";
import { WorkspaceContext } from "@/components/workspace-state/workspace-context";
import "@/app/tokens.css";
import "@/app/fonts.css";
import "@/app/globals.css";

/** One frame of the page: the shown revision, and how often each part rendered. */
export type Frame = { shown: string; renders: Record<string, number> };

declare global {
  interface Window {
    /** Advances the page's clock and draws a frame. */
    frame: (ms: number) => Promise<Frame>;
  }
}

let now = 0;
let handles = 0;
const frames = new Map<number, FrameRequestCallback>();
const nextDrawing = window.requestAnimationFrame.bind(window);
performance.now = () => now;
window.requestAnimationFrame = (callback) => {
  handles += 1;
  frames.set(handles, callback);
  return handles;
};
window.cancelAnimationFrame = (handle) => frames.delete(handle);

let renders: Record<string, number> = {};
const count = (part: string) => {
  renders[part] = (renders[part] ?? 0) + 1;
};
const shown = () =>
  /[\d ]+ of [\d ]+/.exec(document.querySelector("[aria-label=Player]")?.textContent ?? "")?.[0] ??
  "";
/**
 * Resolves once the browser has painted, resize observers have run, and React has rendered their
 * changes.
 */
const settled = () =>
  new Promise((resolve) => nextDrawing(() => nextDrawing(() => setTimeout(resolve, 0))));

window.frame = async (ms) => {
  await settled();
  renders = {};
  now += ms;
  const due = [...frames.values()];
  frames.clear();
  for (const callback of due) callback(now);
  await settled();
  return { shown: shown(), renders };
};

const acts = Array.from({ length: 40 }, (_, at) => ({
  who: at % 2,
  at,
  text: "a",
  erase: 0,
  sync: true,
}));
const rows = authoredRows(acts).map((row) => ({
  streamId: "atlas",
  streamKind: "document" as const,
  workspaceId: "w",
  position: row.version,
  fromPhase: "live",
  payloadHash: "",
  hash: "",
  bodyText: null,
  salt: null,
  ...row,
}));
const store = {
  read: (_: string, after: number, max = Infinity) =>
    Promise.resolve(rows.slice(after, after + max)),
  append: () => Promise.reject(new Error("The test writes nothing")),
};
const ana = { userId: "Ana", name: "Ana", color: 1 };
const ben = { userId: "Ben", name: "Ben", color: 2 };
const clock = { now: Date.UTC(2026, 10, 15), zone: "UTC" };
const createdAt = new Date(clock.now).toISOString();
const { view } = firstView({
  me: ana,
  workspace: {
    id: "w",
    name: "Library",
    phase: "active",
    version: 1,
    createdBy: "Ana",
    createdAt,
    history: { viewer: "everything", commenter: "everything" },
  },
  workspaces: [{ id: "w", name: "Library" }],
  members: [],
  invitations: [],
  documents: [],
  changes: {},
  rest: null,
  lines: {},
  personal: { readAt: "", favourites: [], recents: [], unread: {} },
  clock,
  allowed: [],
});
const workspace = partsStore({ ...view, clock });
const nothing = () => undefined;
const router = {
  bfcacheId: "",
  back: nothing,
  forward: nothing,
  refresh: nothing,
  push: nothing,
  replace: nothing,
  prefetch: nothing,
};
const opening = {
  at: null,
  range: null,
  play: false,
  speed: 1,
  within: null,
  compare: null,
} as const;
const address = { opening, show: nothing, leave: nothing };
const played = { documentId: "atlas", store, liveVersion: rows.length, mayRestore: true };
const members = [ana, ben];

function Counted({ part, children }: { part: string; children: ReactNode }) {
  return (
    <Profiler id={part} onRender={count}>
      {children}
    </Profiler>
  );
}

const root = document.createElement("div");
document.body.append(root);
createRoot(root).render(
  <AppRouterContext value={router}>
    <WorkspaceContext value={workspace}>
      <ToastRegion>
        <Announcer>
          <Player
            document={played}
            address={address}
            members={members}
            from={null}
            writing={[]}
            membershipChanges={[]}
            onVerify={nothing}
          >
            {({ bar, page, aside, controlBar }) => {
              count("player");
              return (
                <>
                  <Counted part="bar">{bar}</Counted>
                  <main>
                    <Counted part="page">{page}</Counted>
                  </main>
                  <Counted part="aside">{aside}</Counted>
                  <Counted part="controlBar">{controlBar}</Counted>
                </>
              );
            }}
          </Player>
        </Announcer>
      </ToastRegion>
    </WorkspaceContext>
  </AppRouterContext>,
);
