import * as Y from "yjs";
import type { Clock } from "@/events/core/clock";
import { TimeSlices } from "../channel/time-slices";

/** The result of a comparison so far, after a slice. */
type Likeness = "same" | "different" | "unfinished";

type Shared = Y.XmlFragment | Y.XmlText | Y.XmlHook;

/**
 * Compares two shared texts part by part, a slice at a time, because the cost grows with their
 * length. Equal parts are remembered until one of them changes. Text written between two slices, or
 * between two comparisons, makes only its own parts be compared again.
 */
export class TextComparison {
  readonly page: Y.XmlFragment;
  readonly log: Y.XmlFragment;
  private readonly clock: Clock;
  /** Equal parts, as a map from each text's part to the other's. */
  private readonly equals = new WeakMap<object, Shared>();

  constructor(clock: Clock, page: Y.XmlFragment, log: Y.XmlFragment) {
    this.clock = clock;
    this.page = page;
    this.log = log;
    for (const { doc } of [page, log]) doc?.on("afterTransaction", this.forget);
  }

  /** Compares for one slice. The result applies to the current texts. */
  advance(): Likeness {
    return this.compareContent(this.page, this.log, new TimeSlices(this.clock));
  }

  end(): void {
    for (const { doc } of [this.page, this.log]) doc?.off("afterTransaction", this.forget);
  }

  private readonly forget = ({ changedParentTypes }: Y.Transaction): void => {
    for (const changed of changedParentTypes.keys()) this.equals.delete(changed);
  };

  private compareContent(page: Y.XmlFragment, log: Y.XmlFragment, slice: TimeSlices): Likeness {
    const [shown, logged] = [page.toArray(), log.toArray()];
    if (shown.length !== logged.length) return "different";
    for (const [index, part] of shown.entries()) {
      const other = logged[index];
      if (other === undefined) return "different";
      if (this.equals.get(part) === other && this.equals.get(other) === part) continue;
      const likeness = this.compare(part, other, slice);
      if (likeness !== "same") return likeness;
      this.equals.set(part, other);
      this.equals.set(other, part);
      // Checked only after a part, so that every slice makes progress.
      if (slice.isDue()) return "unfinished";
    }
    return "same";
  }

  private compare(page: Shared, log: Shared, slice: TimeSlices): Likeness {
    if (!(page instanceof Y.XmlElement && log instanceof Y.XmlElement))
      return page.toString() === log.toString() ? "same" : "different";
    return headOf(page) === headOf(log) ? this.compareContent(page, log, slice) : "different";
  }
}

/** Returns an element's name and attributes, without its content. */
function headOf(element: Y.XmlElement): string {
  const attributes = Object.entries(element.getAttributes()).map(
    ([key, value]) => `${key}=${value}`,
  );
  return JSON.stringify([element.nodeName.toLowerCase(), ...attributes.sort()]);
}
