import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { reactFunctions } from "./react-functions";

type Measure = "lines" | "effect" | "props";

const most: Record<Measure, number> = { lines: 120, effect: 25, props: 10 };

const store = "Holds state that belongs into a store of machines/.";
const layout =
  "Measures the page and places elements in it; to become a class that an effect only starts.";
const asking =
  "Asks for data and gives the request up with the component; to become a class like LiveStream.";
const sections = "One screen or menu, top to bottom; to be divided by its sections.";
const passedOn = "Props that are only passed on; to come from a context.";

/**
 * Functions above a limit, by name, with their own maximum and the reason. An entry is removed when
 * its function is within the limits.
 */
const exceptions: Record<Measure, Record<string, readonly [size: number, reason: string]>> = {
  lines: {
    useDocuments: [260, store],
    DocumentPage: [250, store],
    Threads: [160, sections],
    FindBar: [160, sections],
    useLiveDocument: [160, store],
    LiveWorkspace: [160, store],
    Palette: [150, sections],
    ComparePage: [150, sections],
    usePastMargin: [140, layout],
    MergeDialog: [140, sections],
    ControlBarMenu: [140, sections],
    useTakeBack: [140, store],
    BlockHandle: [140, layout],
    RestrictedPage: [130, sections],
    StoppedPage: [130, sections],
    Title: [130, sections],
  },
  effect: {
    usePastMargin: [120, layout],
    useLiveDocument: [100, store],
    useRepeats: [50, asking],
    CatchUp: [45, asking],
    usePointed: [40, layout],
    useHovered: [40, layout],
    LinkedBlock: [40, layout],
    useLinkingDocuments: [40, asking],
    TreeTools: [40, layout],
    BlockHandle: [35, layout],
    useFading: [35, layout],
    AnalysisPanel: [35, layout],
    PassageOffer: [30, layout],
    LiveWorkspace: [30, store],
    useResults: [30, asking],
    useFollowing: [30, layout],
    useActivity: [30, asking],
    Returning: [30, asking],
    usePassages: [30, layout],
    MergeDialog: [30, asking],
    useCheck: [30, asking],
    usePresence: [30, store],
  },
  props: {
    TextEditor: [15, passedOn],
    TreeRow: [13, passedOn],
  },
};

const files = execFileSync("git", ["ls-files", "app/*.ts*", "components/*.ts*"], {
  encoding: "utf8",
})
  .trim()
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|fixture)\./.test(file));
const measured = files.flatMap((file) => reactFunctions(file, readFileSync(file, "utf8")));

const kinds = Object.keys(most).filter((kind): kind is Measure => kind in most);

it("measures the lines, props and longest effect of every form of component and hook", () => {
  const source = `
    type Props = { one: string; two: string } & { three: string };
    export function Plain({ one, two }: { one: string; two: string }) {
      useEffect(() => {
        one;
      }, []);
      return null;
    }
    const Memo = memo(function Inner(props: Props) { return null; });
    const useThing = () => {
      useLayoutEffect(() => undefined);
    };
    const other = () => {};
  `;
  expect(reactFunctions("some.tsx", source)).toEqual([
    { name: "Plain", lines: 6, props: 2, effect: 3 },
    { name: "Inner", lines: 1, props: 3, effect: 0 },
    { name: "useThing", lines: 3, props: 0, effect: 1 },
  ]);
});

it.each(kinds)("[HOUSE-23] no component or hook is too large by its %s", (kind) => {
  const larger = measured.filter(
    (each) => each[kind] > Math.max(most[kind], exceptions[kind][each.name]?.[0] ?? 0),
  );
  expect(larger.map(({ name, [kind]: size }) => `${name}: ${size}`)).toEqual([]);
});

it.each(kinds)("[HOUSE-23] every exception by %s is still needed", (kind) => {
  const needed = new Set(
    measured.filter((each) => each[kind] > most[kind]).map(({ name }) => name),
  );
  expect(Object.keys(exceptions[kind]).filter((name) => !needed.has(name))).toEqual([]);
});
