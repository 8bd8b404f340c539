import type { Passage } from "@/events/analysis/attribution";
import type { CopyIn, ImportedPassage, Writer } from "@/events/analysis/lineage/copy-in";
import { firstName } from "@/events/read-models/person";
import type { Person } from "@/events/read-models/person";
import { authorOf } from "./analysis-model";
import type { AnalysisViewModel } from "./analysis-model";
import { countedWords, quoted } from "./analysis-words";

type ViewModel = Pick<AnalysisViewModel, "authors" | "people" | "titleOf">;

const list = new Intl.ListFormat("en-GB");
/** The author who is shown for content without a local author. */
export const elsewhere = {
  userId: "",
  name: "Written elsewhere",
  color: 10,
} as const satisfies Person;

/** Returns the author of imported content, or a placeholder if the author is unknown. */
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

/** Describes the origin of imported content: "came with the fork of “Minutes” that Ana made". */
export function cameWords(viewModel: ViewModel, copyIn: CopyIn): string {
  const copyInAuthor = firstName(authorOf(viewModel, copyIn.by));
  if (copyIn.type === "document.imported")
    return `imported by ${copyInAuthor}${copyIn.label === null ? "" : ` from ${copyIn.label}`}`;
  if (copyIn.type === "document.merged")
    return `came when ${copyInAuthor} merged ${titled(viewModel, copyIn)} in`;
  return `came with the fork of ${titled(viewModel, copyIn)} that ${copyInAuthor} made`;
}

/** Returns the author of a passage, local or imported. */
export function passageWriter(
  viewModel: ViewModel,
  { author, imported }: Pick<Passage, "author" | "imported">,
): Person {
  return imported ? writerOf(viewModel, imported) : authorOf(viewModel, author);
}

/** Describes how a passage entered the text: "typed", "inserted in one go", or its import. */
export function passageChangeKind(
  viewModel: ViewModel,
  { atOnce, imported }: Pick<Passage, "atOnce" | "imported">,
): string {
  // The file name is shown once, above the passages, so it is left out here.
  return imported
    ? cameWords(viewModel, { ...imported.copyIn, label: null })
    : atOnce
      ? "inserted in one go"
      : "typed";
}

/** Describes the source of an imported author's name: "By the names in the file." */
export function basisWords({ copyIn, writer }: ImportedPassage): string {
  if (writer === null) return "Who wrote it is told by the history there.";
  return copyIn.type === "document.imported"
    ? "By the names in the file."
    : "By the history of the other document.";
}

/** Names the authors: "Written there by Ben and Carol.". Empty if no author is known. */
export function writtenWords(viewModel: ViewModel, writers: readonly Writer[]): string {
  const names = writers.map((writer) => firstName(writerOf(viewModel, { writer })));
  return names.length === 0 ? "" : `Written there by ${list.format(new Set(names))}.`;
}

/** Describes a copy-in: "began it from “Minutes”, with 12 words that came from there." */
export function copyInWords(viewModel: ViewModel, copyIn: CopyIn, words: number): string {
  const action =
    copyIn.type === "document.imported"
      ? `imported it${copyIn.label === null ? "" : ` from ${copyIn.label}`}`
      : copyIn.type === "document.merged"
        ? `merged ${titled(viewModel, copyIn)} in`
        : `began it as a fork of ${titled(viewModel, copyIn)}`;
  return `${action}: ${countedWords(words)} came from there.`;
}
