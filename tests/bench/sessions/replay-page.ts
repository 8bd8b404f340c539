import { RevisionView } from "@/components/history/revision/revision-view";
import textStyles from "@/components/editor/text.module.css";
import page from "@/components/history/revision/revision-page.module.css";
import player from "@/components/history/player/player.module.css";
import { pageBackground } from "@/events/worker/page-background";
import { readTimeline } from "@/events/worker/history";
import { unframed } from "@/events/history/segments/segment-stream";
import type { Timeline } from "@/events/history/timeline/timeline";
import "@/app/tokens.css";

/** The cost of one session in the page, in ms. A frame is state, DOM and forced layout. */
export type PageNumbers = {
  opened: number[];
  /** The longest time without a frame during the opening. */
  stoodStill: number[];
  firstSeek: number[];
  far: number[];
  forwards: number[];
  backwards: number[];
  played: { frames: number; late: number; scripts: number[] };
  shown: { blocks: number; nodes: number };
};

type Opened = {
  timeline: Timeline;
  view: RevisionView;
  opened: number;
  firstSeek: number;
  stoodStill: number;
};

async function open(name: string): Promise<Opened> {
  document.body.innerHTML =
    `<div class="${player.player}"><main ` +
    `style="position:fixed;inset:0;overflow:auto"><section ` +
    `class="${page.page}"><div class="${textStyles.text} ${page.past}" ` +
    `id="root"></div></section></main></div>`;
  const root = document.getElementById("root");
  if (!root) throw new Error("The page has no text.");
  await frame();
  const began = performance.now();
  const watch = watchFrames();
  let firstSeek = 0;
  const source = {
    read: async () => [],
    async *segments() {
      const { body } = await fetch(`/segments/${name}`);
      for await (const segment of unframed(body ?? new ReadableStream())) {
        yield segment;
        // The reader requests the next segment after this segment is applied.
        firstSeek ||= performance.now() - began;
      }
    },
  };
  const timeline = await readTimeline({
    source,
    documentId: name,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    derive: () => pageBackground.deriver(),
  });
  const view = new RevisionView(root, timeline, new Map());
  view.show(timeline.length - 1, "session");
  laidOut();
  const opened = performance.now() - began;
  await frame();
  return { timeline, view, opened, firstSeek, stoodStill: watch() };
}

function laidOut(): number {
  return document.body.offsetHeight + (document.querySelector("main")?.scrollHeight ?? 0);
}

/** Watches animation frames. Returns a function that stops and returns the longest gap. */
function watchFrames(): () => number {
  let [last, longest, watching] = [performance.now(), 0, true];
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (watching) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  return () => {
    watching = false;
    return longest;
  };
}

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

async function timed(view: RevisionView, revisions: number[]): Promise<number[]> {
  const took: number[] = [];
  for (const at of revisions) {
    await frame();
    const began = performance.now();
    view.show(at, "session", false, true);
    laidOut();
    took.push(performance.now() - began);
  }
  return took;
}

/** Plays at a speed for a while, as the player does. Each frame shows the clock's position. */
async function play(
  timeline: Timeline,
  view: RevisionView,
  speed: number,
  ms: number,
): Promise<PageNumbers["played"]> {
  const from = timeline.timingMap.playedAt(Math.floor(timeline.length / 2));
  const scripts: number[] = [];
  let late = 0;
  await frame();
  const began = performance.now();
  for (let last = began; ;) {
    await frame();
    const now = performance.now();
    if (now - last > 1000 / 60 + 8) late += 1;
    last = now;
    if (now - began > ms) return { frames: scripts.length, late, scripts };
    view.show(timeline.timingMap.revisionAt(from + (now - began) * speed), "session", true, true);
    laidOut();
    scripts.push(performance.now() - now);
  }
}

/** Measures a session with `rounds` openings and `seeks` far seeks. */
async function measure(name: string, rounds: number, seeks: number): Promise<PageNumbers> {
  const opened: number[] = [];
  const firstSeek: number[] = [];
  const stoodStill: number[] = [];
  let last = await open(name);
  for (let round = 0; round < rounds; round += 1) {
    last = await open(name);
    opened.push(last.opened);
    firstSeek.push(last.firstSeek);
    stoodStill.push(last.stoodStill);
  }
  const { timeline, view } = last;
  let seed = 12345;
  const random = () => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
  const far = await timed(
    view,
    Array.from({ length: seeks }, () => Math.floor(random() * timeline.length)),
  );
  const middle = Math.floor(timeline.length / 2);
  const near = Array.from({ length: 150 }, (_, index) => middle + index);
  await timed(view, [middle]);
  const forwards = await timed(view, near);
  const backwards = await timed(view, near.toReversed());
  const played = await play(timeline, view, 32, 5_000);
  const root = document.getElementById("root");
  return {
    opened,
    stoodStill,
    firstSeek,
    far,
    forwards,
    backwards,
    played,
    shown: { blocks: root?.children.length ?? 0, nodes: root?.querySelectorAll("*").length ?? 0 },
  };
}

Object.assign(window, { measure });
