import type { PersonHere } from "@/components/document/bar/people-here";

const names = ["Ana", "Ben", "Carol", "Dai", "Élise", "Farid", "Grete (guest)"];

/** Sample people of a workspace. The third is away. */
export const people: readonly PersonHere[] = names.map((name, index) => ({
  userId: `gallery-${index}`,
  name,
  color: index,
  idle: index === 2,
  me: index === 0,
}));
