type Method = "find" | "findIndex" | "findLast" | "filter" | "some";
const searches: readonly Method[] = ["find", "findIndex", "findLast", "filter", "some"];

/**
 * Counts the array elements that are iterated, copied or searched while `work` runs: a measure of
 * work that does not depend on the machine.
 */
async function arrayStepsOf(work: () => unknown): Promise<number> {
  const { prototype } = Array;
  const names = [Symbol.iterator, ...searches];
  const before = names.map((name) => Object.getOwnPropertyDescriptor(prototype, name));
  const iterate = prototype[Symbol.iterator];
  let steps = 0;
  const put = (name: string | symbol, value: unknown) =>
    Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
  try {
    put(Symbol.iterator, function (this: unknown[]) {
      steps += this.length;
      return iterate.call(this);
    });
    for (const name of searches) {
      const search: unknown = prototype[name];
      if (typeof search !== "function") continue;
      put(name, function (this: unknown[], test: (...args: unknown[]) => unknown, of: unknown) {
        const counted = (...args: unknown[]) => {
          steps += 1;
          return Reflect.apply(test, of, args);
        };
        return Reflect.apply(search, this, [counted]);
      });
    }
    await work();
  } finally {
    names.forEach((name, index) => {
      const known = before[index];
      if (known) Object.defineProperty(prototype, name, known);
    });
  }
  return steps;
}

/** Returns the growth of the work when its size doubles: 2 if it is linear, 4 if quadratic. */
export async function growthOf(
  work: (size: number) => () => unknown,
  size: number,
): Promise<number> {
  const [once, twice] = [work(size), work(size * 2)];
  return (await arrayStepsOf(twice)) / (await arrayStepsOf(once));
}
