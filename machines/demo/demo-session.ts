import { chance } from "./demo-acts";
import { demoFork, demoGuide, demoGuideTitle, demoPages } from "./demo-pages";
import { demoFirstTitle, demoScenes } from "./demo-script";
import type { DemoPerson, DemoScene } from "./demo-steps";
import { DemoStage } from "./demo-stage";
import type { DemoEvent } from "./demo-stage";

/**
 * A document of the demo, appended event by event. `ago` is the number of hours since its last
 * event.
 */
export type DemoDocument = {
  key: string;
  title: string;
  icon: string;
  ago: number;
  events: DemoEvent[];
};

/** The number of events before the text: the title and the icon. */
const created = 2;

const clientIds: Record<DemoPerson, number> = { ana: 310_519_417, ben: 2_718_281_828 };
/** The client ids in a fork. The original's ids are bound in the original document. */
const forkClientIds: Record<DemoPerson, number> = { ana: 577_215_664, ben: 1_618_033_988 };

function documentOf(
  key: string,
  title: string,
  icon: string,
  scenes: readonly DemoScene[],
  seed: number,
  ago = 0,
): DemoDocument & { text: string } {
  const random = chance(seed);
  const stage = new DemoStage(clientIds, [], created);
  stage.begin(scenes[0]?.ana === undefined ? "ben" : "ana");
  for (const scene of scenes) stage.play(scene, random);
  return { key, title, icon, ago, events: stage.events, text: stage.text };
}

/** Builds the document that Ana and Ben wrote together, byte-identical on every call. */
export function demoSession(): DemoDocument & { text: string } {
  return documentOf("session", demoFirstTitle, "🕰️", demoScenes, 20_261_121);
}

/** Builds the short guide beside the document, written by Ana. */
export function demoGuideDocument(): DemoDocument & { text: string } {
  return documentOf("guide", demoGuideTitle, "👋", [{ ana: demoGuide }], 7);
}

/** Builds the shorter pages of the workspace. */
export function demoOtherDocuments(): (DemoDocument & { text: string })[] {
  return demoPages.map(({ key, title, icon, ago, scenes }, index) =>
    documentOf(key, title, icon, scenes, 100 + index, ago),
  );
}

/** Returns the text events of the fork. `created` events have brought `base` into its document. */
export function demoForkEvents(base: readonly Uint8Array[], created: number): DemoEvent[] {
  const random = chance(211);
  const stage = new DemoStage(forkClientIds, base, created);
  for (const scene of demoFork.scenes) stage.play(scene, random);
  return stage.events;
}
