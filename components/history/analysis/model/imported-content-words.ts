import { type Passage } from "@/events/analysis/attribution";
import { type CopyIn, type ImportedPassage, type Writer } from "@/events/analysis/lineage/copy-in";
import { firstName, type Person } from "@/events/read-models/person";
import { authorOf, type AnalysisViewModel } from "./analysis-model";
import { countedWords, quoted } from "./analysis-words";

type ViewModel = Pick<AnalysisViewModel, "authors" | "people" | "titleOf">;

const list = new Intl.ListFormat("en-GB");
/** The colour of what nobody here wrote. */
export const elsewhere = {
  userId: "",
  name: "Written elsewhere",
  color: 10,
} as const satisfies Person;

/** Who wrote what came from elsewhere, as far as that is known. */
export function writerOf(
  { people }: Pick<ViewModel, "people">,
  { writer }: Pick<ImportedPassage, "writer">,
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

function titled(viewModel: ViewModel, { source }: CopyIn): string {
  const title = viewModel.titleOf(source);
  return title === null ? "another document" : quoted(title || "Untitled");
}

/** How it came, as it follows a name: "came with the fork of “Minutes” that Ana made". */
export function cameWords(viewModel: ViewModel, copyIn: CopyIn): string {
  const copyInAuthor = firstName(authorOf(viewModel, copyIn.by));
  if (copyIn.type === "document.imported")
    return `imported by ${copyInAuthor}${copyIn.label === null ? "" : ` from ${copyIn.label}`}`;
  if (copyIn.type === "document.merged")
    return `came when ${copyInAuthor} merged ${titled(viewModel, copyIn)} in`;
  return `came with the fork of ${titled(viewModel, copyIn)} that ${copyInAuthor} made`;
}

/** Who wrote a passage, here or elsewhere. */
export function passageWriter(
  viewModel: ViewModel,
  { author, imported }: Pick<Passage, "author" | "imported">,
): Person {
  return imported ? writerOf(viewModel, imported) : authorOf(viewModel, author);
}

/** How a passage came into the text: "typed", "inserted in one go", or how it was carried here. */
export function passageChangeKind(
  viewModel: ViewModel,
  { atOnce, imported }: Pick<Passage, "atOnce" | "imported">,
): string {
  // Which file it was is told once, above the passages.
  return imported
    ? cameWords(viewModel, { ...imported.copyIn, label: null })
    : atOnce
      ? "inserted in one go"
      : "typed";
}

/** What the name of its writer rests on: "Who wrote it there is not known here." */
export function basisWords({ copyIn, writer }: ImportedPassage): string {
  if (writer === null) return "Who wrote it is told by the history there.";
  return copyIn.type === "document.imported"
    ? "By the names in the file."
    : "By the history of the other document.";
}

/** "Written there by Ben and Carol."; nothing where nobody is known. */
export function writtenWords(viewModel: ViewModel, writers: readonly Writer[]): string {
  const names = writers.map((writer) => firstName(writerOf(viewModel, { writer })));
  return names.length === 0 ? "" : `Written there by ${list.format(new Set(names))}.`;
}

/**
 * What a carrying event did, as it follows a name: "began it from “Minutes”, with 12 words that came
 * from there."
 */
export function copyInWords(viewModel: ViewModel, copyIn: CopyIn, words: number): string {
  const action =
    copyIn.type === "document.imported"
      ? `imported it${copyIn.label === null ? "" : ` from ${copyIn.label}`}`
      : copyIn.type === "document.merged"
        ? `merged ${titled(viewModel, copyIn)} in`
        : `began it as a fork of ${titled(viewModel, copyIn)}`;
  return `${action}: ${countedWords(words)} came from there.`;
}
