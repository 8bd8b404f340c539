import { passageAt } from "@/events/analysis/returning-passage";
import { momentStamp } from "@/components/history/words/revision-choices";
import { excerpt } from "@/components/history/words/change-words";
import { type Wish } from "@/events/revisions/restore";

/** A wish as it is asked back: the question, what the text will be like, and the button. */
type WishWords = { title: string; will: string; action: string };

/** Says what a wish means. `nameOf` gives a person's name by user id. */
export function wishWords(wish: Wish, nameOf: (userId: string) => string): WishWords {
  if (wish.kind === "moment") {
    return {
      title: "Restore this moment?",
      will: `The document will read as it did on ${momentStamp(wish.timeline, wish.index)}.`,
      action: "Restore",
    };
  }
  if (wish.kind === "passage") {
    const { change, timeline, index } = wish;
    const words = excerpt(change.out) || excerpt(change.in);
    return {
      title: "Take back this change?",
      will: `“${words}”: only this passage will read as it did on ${momentStamp(timeline, index)}.`,
      action: "Take back",
    };
  }
  if (wish.kind === "words") {
    const { timeline, index, range } = wish;
    const will = `“${excerpt(passageAt(timeline, index, range))}” comes back as it stood on ${momentStamp(timeline, index)}, in place of what became of it. Everything else stays.`;
    return { title: "Bring this passage back?", will, action: "Bring back" };
  }
  if (wish.kind === "author") {
    const name = nameOf(wish.author);
    const [from, to] = [wish.from, wish.to].map((index) => momentStamp(wish.timeline, index));
    return {
      title: `Take back what ${name} did?`,
      will: `What ${name} wrote between ${from} and ${to} goes, and what ${name} took away then returns. What everybody else did stays.`,
      action: "Take back",
    };
  }
  return {
    title: "Take this back?",
    will: "What it changed will be as it was before.",
    action: "Take back",
  };
}
