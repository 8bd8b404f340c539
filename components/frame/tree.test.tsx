import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { Tree, type TreeProps } from "./tree";

vi.mock("./place-menu", () => ({ PlaceMenu: () => null }));
vi.mock("./account-menu", () => ({ AccountMenu: () => null }));
vi.mock("@/components/ui/link", () => ({
  Link: ({ href, children }: { href: string; children: unknown }) => (
    <a href={href}>{String(children !== null)}</a>
  ),
}));

const documents = Array.from({ length: 1001 }, (_, at) => ({
  id: `${at}`,
  title: `Document ${at}`,
  icon: null,
}));

const shownIn = (props: Partial<TreeProps>) => {
  const html = renderToStaticMarkup(
    <Tree
      workspace={{ id: "w", name: "Field notes" }}
      workspaces={[]}
      documents={documents}
      people={new Map()}
      me={{ userId: "ana", name: "Ana", color: 1 }}
      current="documents"
      {...props}
    />,
  );
  const ids = [...html.matchAll(/href="\/d\/(\d+)"/g)].map(([, id]) => Number(id));
  return { ids, offersMore: html.includes('aria-label="Show more documents"') };
};
const first = documents.slice(0, 200).map((_, at) => at);

it("[DOCS-17] shows the first rows of a long tree, and offers the rest", () => {
  expect(shownIn({})).toEqual({ ids: first, offersMore: true });
  const few = documents.slice(0, 200);
  expect(shownIn({ documents: few })).toEqual({ ids: first, offersMore: false });
});

it("[DOCS-17] shows the open document wherever it comes, once", () => {
  expect(shownIn({ current: { document: "900" } }).ids).toEqual([...first, 900]);
  expect(shownIn({ current: { document: "7" } }).ids).toEqual(first);
});
