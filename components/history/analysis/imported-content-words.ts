import { type Passage } from "@/events/analysis/attribution";
import { type Carriage, type Carried, type Writer } from "@/events/analysis/lineage/carriage";
import { firstName, type Person } from "@/events/read-models/person";
import { authorOf, type InsightScene } from "./analysis-model";
import { countedWords, quoted } from "./analysis-words";

type Scene = Pick<InsightScene, "authors" | "people" | "titleOf">;

const list = new Intl.ListFormat("en-GB");
/** The colour of what nobody here wrote. */
export const elsewhere = {
  userId: "",
  name: "Written elsewhere",
  color: 10,
} as const satisfies Person;

/** Who wrote what came from elsewhere, as far as that is known. */
export function writerOf(
  { people }: Pick<Scene, "people">,
  { writer }: Pick<Carried, "writer">,
): Person {
  if (writer === null) return elsewhere;
  if (writer.userId === null) return { ...elsewhere, name: writer.name ?? elsewhere.name };
  return (
    people.get(writer.userId) ?? {
      userId: writer.userId,
      name: "Somebody in the other document",
      color: elsewhere.color,
    }
  );
}

function titled(scene: Scene, { source }: Carriage): string {
  const title = scene.titleOf(source);
  return title === null ? "another document" : quoted(title || "Untitled");
}

/** How it came, as it follows a name: "came with the fork of “Minutes” that Ana made". */
export function cameWords(scene: Scene, carriage: Carriage): string {
  const carrier = firstName(authorOf(scene, carriage.by));
  if (carriage.type === "document.imported")
    return `imported by ${carrier}${carriage.label === null ? "" : ` from ${carriage.label}`}`;
  if (carriage.type === "document.merged")
    return `came when ${carrier} merged ${titled(scene, carriage)} in`;
  return `came with the fork of ${titled(scene, carriage)} that ${carrier} made`;
}

/** Who wrote a passage, here or elsewhere. */
export function passageWriter(
  scene: Scene,
  { author, carried }: Pick<Passage, "author" | "carried">,
): Person {
  return carried ? writerOf(scene, carried) : authorOf(scene, author);
}

/** How a passage came into the text: "typed", "inserted at once", or how it was carried here. */
export function passageDeed(
  scene: Scene,
  { atOnce, carried }: Pick<Passage, "atOnce" | "carried">,
): string {
  // Which file it was is told once, above the passages.
  return carried
    ? cameWords(scene, { ...carried.carriage, label: null })
    : atOnce
      ? "inserted at once"
      : "typed";
}

/** What the name of its writer rests on: "Who wrote it there is not known here." */
export function basisWords({ carriage, writer }: Carried): string {
  if (writer === null) return "Who wrote it is told by the history there.";
  return carriage.type === "document.imported"
    ? "By the names in the file."
    : "By the history of the other document.";
}

/** "Written there by Ben and Carol."; nothing where nobody is known. */
export function writtenWords(scene: Scene, writers: readonly Writer[]): string {
  const names = writers.map((writer) => firstName(writerOf(scene, { writer })));
  return names.length === 0 ? "" : `Written there by ${list.format(new Set(names))}.`;
}

/** What a carrying event did, as it follows a name: "began it from “Minutes”, with 12 words that came from there." */
export function carriageWords(scene: Scene, carriage: Carriage, words: number): string {
  const deed =
    carriage.type === "document.imported"
      ? `imported it${carriage.label === null ? "" : ` from ${carriage.label}`}`
      : carriage.type === "document.merged"
        ? `merged ${titled(scene, carriage)} in`
        : `began it as a fork of ${titled(scene, carriage)}`;
  return `${deed}: ${countedWords(words)} came from there.`;
}
