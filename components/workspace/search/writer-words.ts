import { isolated } from "@/events/core/text/isolated";

const list = new Intl.ListFormat("en-GB");
const mostNamed = 3;

type Names = { me: string; nameOf: (userId: string) => string };

/** Lists the authors of a result, the reader first: "You and Dan", "Ana, Ben and 2 others". */
export function writerWords(authors: readonly string[], { me, nameOf }: Names): string {
  const names = [...authors]
    .sort((one, other) => Number(other === me) - Number(one === me))
    .map((author) => (author === me ? "You" : isolated(nameOf(author))));
  if (names.length <= mostNamed) return list.format(names);
  return list.format([...names.slice(0, mostNamed - 1), `${names.length - mostNamed + 1} others`]);
}
