import { Fragment, Slice } from "@tiptap/pm/model";
import type { Node } from "@tiptap/pm/model";
import {
  AddMarkStep,
  RemoveMarkStep,
  ReplaceAroundStep,
  ReplaceStep,
  StepMap,
} from "@tiptap/pm/transform";
import type { Mapping, Step, Transform } from "@tiptap/pm/transform";
import { survivingPieces } from "./undo-pieces";
import type { Piece } from "./undo-pieces";

/** A range and its new content. */
type Replacement = { from: number; to: number; slice: Slice };

/**
 * The inverse of a person's own change: ranges of one document that are replaced together, or
 * another kind of step.
 */
export type Change = { replacements: Replacement[] } | { step: Step };

/** An applied change: its step map and its inverse. */
export type Made = { map: StepMap; back: Change };

function changeOf(step: Step): Change {
  return step instanceof ReplaceStep
    ? { replacements: [{ from: step.from, to: step.to, slice: step.slice }] }
    : { step };
}

/** Returns a step that was applied to this document as an applied change. */
export function madeBy(step: Step, doc: Node): Made {
  return { map: step.getMap(), back: changeOf(step.invert(doc)) };
}

function isApplicable(doc: Node, { from, to, slice }: Replacement): boolean {
  return new ReplaceStep(from, to, slice).apply(doc).doc !== null;
}

function takesIn(doc: Node, at: number, slice: Slice): boolean {
  const $at = doc.resolve(at);
  return (
    slice.openStart === 0 &&
    slice.openEnd === 0 &&
    $at.parent.canReplace($at.index(), $at.index(), slice.content)
  );
}

/**
 * Returns the pieces that can be deleted. A block stays if it contains remote content or its parent
 * requires it.
 */
function removable(doc: Node, pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap(({ from, to }) => {
    const gone: Piece[] = [];
    doc.nodesBetween(from, to, (node, at, parent, index) => {
      const end = at + node.nodeSize;
      if (node.isText) gone.push({ from: Math.max(from, at), to: Math.min(to, end) });
      else if (at >= from && end <= to && parent?.canReplace(index, index + 1) === true)
        gone.push({ from: at, to: end });
      else return true;
      return false;
    });
    return gone;
  });
}

/** Returns the parts of a replacement in whose range others have written. */
function replacementsAmongOthers(doc: Node, pieces: readonly Piece[], slice: Slice): Replacement[] {
  const replacements = removable(doc, pieces).map((piece) => ({ ...piece, slice: Slice.empty }));
  const [first] = replacements;
  if (first && slice.size > 0 && takesIn(doc, first.from, slice)) first.slice = slice;
  return replacements;
}

function rebasedReplacement(
  { from, to, slice }: Replacement,
  mapping: Mapping,
  begin: number,
  doc: Node,
): Replacement[] {
  const pieces = survivingPieces(from, to, mapping, begin);
  const at = mapping.slice(begin).map(from, 1);
  const [only = { from: at, to: at }, ...others] = pieces;
  if (only.from === only.to && slice.size === 0) return [];
  const whole = { ...only, slice };
  return others.length === 0 && isApplicable(doc, whole)
    ? [whole]
    : replacementsAmongOthers(doc, pieces, slice);
}

function isWhole(from: number, to: number, mapping: Mapping, begin: number): boolean {
  const pieces = survivingPieces(from, to, mapping, begin);
  return (
    from === to ||
    (pieces.length === 1 && pieces.every((piece) => piece.to - piece.from === to - from))
  );
}

/** Rebases a change over the maps from `begin` on. Returns an empty list if none of it is left. */
export function rebased(change: Change, mapping: Mapping, begin: number, doc: Node): Change[] {
  if ("replacements" in change) {
    const replacements = change.replacements.flatMap((replacement) =>
      rebasedReplacement(replacement, mapping, begin, doc),
    );
    return replacements.length === 0 ? [] : [{ replacements }];
  }
  const { step } = change;
  if (step instanceof AddMarkStep || step instanceof RemoveMarkStep) {
    const made = step instanceof AddMarkStep ? AddMarkStep : RemoveMarkStep;
    return survivingPieces(step.from, step.to, mapping, begin).map(({ from, to }) => ({
      step: new made(from, to, step.mark),
    }));
  }
  if (step instanceof ReplaceAroundStep) {
    // Remote words between the two ends that the step removes would be deleted too.
    if (
      !isWhole(step.from, step.gapFrom, mapping, begin) ||
      !isWhole(step.gapTo, step.to, mapping, begin)
    )
      return [];
  }
  const mapped = step.map(mapping.slice(begin));
  return mapped ? [{ step: mapped }] : [];
}

/** Returns the step map of replacements in one document. Adjacent replacements form one range. */
function mapOf(replacements: readonly Replacement[]): StepMap {
  const ranges: { from: number; to: number; size: number }[] = [];
  for (const { from, to, slice } of replacements) {
    const last = ranges.at(-1);
    if (last?.to === from) {
      last.to = to;
      last.size += slice.size;
    } else ranges.push({ from, to, size: slice.size });
  }
  return new StepMap(ranges.flatMap(({ from, to, size }) => [from, to - from, size]));
}

function replaced(transform: Transform, replacements: readonly Replacement[]): Made[] {
  const before = transform.doc;
  const done: Replacement[] = [];
  // From the last to the first of the ordered replacements, so that none moves a later one.
  for (const replacement of replacements.toReversed()) {
    if (
      transform.maybeStep(new ReplaceStep(replacement.from, replacement.to, replacement.slice)).doc
    )
      done.unshift(replacement);
  }
  if (done.length === 0) return [];
  let shift = 0;
  const back = done.map(({ from, to, slice }) => {
    const replacement = {
      from: from + shift,
      to: from + shift + slice.size,
      slice: before.slice(from, to),
    };
    shift += slice.size - (to - from);
    return replacement;
  });
  return [{ map: mapOf(done), back: { replacements: back } }];
}

/** Applies the parts of a change that the document allows. Returns the applied changes. */
export function makeChange(transform: Transform, change: Change): Made[] {
  if ("replacements" in change) return replaced(transform, change.replacements);
  const { step } = change;
  const begin = transform.steps.length;
  // A mark change becomes the steps that it requires, and each of them has an exact inverse.
  if (step instanceof AddMarkStep) transform.addMark(step.from, step.to, step.mark);
  else if (step instanceof RemoveMarkStep) transform.removeMark(step.from, step.to, step.mark);
  else transform.maybeStep(step);
  return transform.steps.slice(begin).flatMap((made, index) => {
    const doc = transform.docs[begin + index];
    return doc ? [madeBy(made, doc)] : [];
  });
}

/** Returns the letters of a slice that contains only text, or null for other slices. */
export function lettersOf({ content, openStart, openEnd }: Slice): string | null {
  if (openStart > 0 || openEnd > 0) return null;
  let letters = "";
  content.forEach((node) => (letters += node.text ?? "\u0000"));
  return letters.includes("\u0000") ? null : letters;
}

/** Returns a step that replaces a range with letters, as typing does. */
export function typedStep(from: number, to: number, letters: Node): ReplaceStep {
  return new ReplaceStep(from, to, new Slice(Fragment.from(letters), 0, 0));
}
