import { chance } from "./demo-acts";
import { demoFork, demoGuide, demoGuideTitle, demoPages } from "./demo-pages";
import { demoFirstTitle, demoScenes } from "./demo-script";
import type { DemoPerson, DemoScene } from "./demo-steps";
import { type DemoEvent, DemoStage } from "./demo-stage";

/** A document of the demo, ready to be appended event by event; `ago` is how many hours ago its last event was. */
export type DemoDocument = {
  key: string;
  title: string;
  icon: string;
  ago: number;
  events: DemoEvent[];
};

/** A document of the demo begins with its title and its icon. */
const created = 2;

const clientIds: Record<DemoPerson, number> = { ana: 310_519_417, ben: 2_718_281_828 };
/** Where the writing goes on in a fork: the ids of what it began with are bound in the document that it came from. */
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

/** The document Ana and Ben wrote together: the same events, to the byte, every time. */
export function demoSession(): DemoDocument & { text: string } {
  return documentOf("session", demoFirstTitle, "🕰️", demoScenes, 20_261_121);
}

/** The short guide beside it, written by Ana. */
export function demoGuideDocument(): DemoDocument & { text: string } {
  return documentOf("guide", demoGuideTitle, "👋", [{ ana: demoGuide }], 7);
}

/** The shorter pages of the workspace. */
export function demoOtherDocuments(): (DemoDocument & { text: string })[] {
  return demoPages.map(({ key, title, icon, ago, scenes }, index) =>
    documentOf(key, title, icon, scenes, 100 + index, ago),
  );
}

/** What is written in the fork, whose document begins with these updates, brought by so many events. */
export function demoForkEvents(base: readonly Uint8Array[], created: number): DemoEvent[] {
  const random = chance(211);
  const stage = new DemoStage(forkClientIds, base, created);
  for (const scene of demoFork.scenes) stage.play(scene, random);
  return stage.events;
}
