import { expect, test } from "vitest";
import { nestsEmbeds } from "./embeds";

const asks = (...selects: string[]) =>
  nestsEmbeds(new URLSearchParams(selects.map((select) => ["select", select])));

test.each([
  [""],
  ["*"],
  ["id,title"],
  ["id,workspaces(id,name)"],
  ["id,workspaces(*),threads(id)"],
  ["home:workspaces!documents_workspace_id_fkey!inner(id)"],
  ["id,...workspaces(name)"],
  ["count()"],
  ["id.count(),workspaces(name)"],
  ["body->a->>b"],
  ["body->a,workspaces(name)"],
  ['"id","workspaces"(name)'],
  ["id , workspaces ( name ) , threads ( id )"],
])("[API-17] %s is allowed", (select) => {
  expect(asks(select)).toBe(false);
});

test.each([
  ["id,workspaces(documents(id))"],
  ["id,workspaces(documents(id,workspaces(documents(id))))"],
  ["id,threads(id),workspaces(id,documents(id))"],
  ["a:workspaces(b:documents(id))"],
  ["workspaces!inner(documents!inner(id))"],
  ["workspaces!documents_workspace_id_fkey!left(documents!documents_workspace_id_fkey(id))"],
  ["...workspaces(...documents(id))"],
  ["... workspaces ( ...documents ( id ) )"],
  ["workspaces(documents())"],
  ["workspaces(documents.count())"],
  ['"workspaces"("documents"(id))'],
  // The parenthesis only looks like the end of an embed.
  ['workspaces(")":id,documents(id))'],
  ['workspaces("a)b",documents(id))'],
  ["workspaces(name->x),documents(id))"],
  ['workspaces(name->>"x)",documents(id))'],
  ['workspaces("\\"":id,")":id,documents(id))'],
  ["workspaces(id,\n\tdocuments(id))"],
  ["workspaces(documents("],
])("[API-17] %s is nested", (select) => {
  expect(asks(select)).toBe(true);
});

test("[API-17] checks each of several selects, also when encoded", () => {
  expect(asks("id", "workspaces(documents(id))")).toBe(true);
  expect(asks("workspaces(documents(id))", "id")).toBe(true);
  expect(asks("workspaces(id", "documents(id)")).toBe(false);
  const read = (query: string) =>
    nestsEmbeds(new URL(`http://localhost/rest/v1/documents?${query}`).searchParams);
  expect(read("%73elect=workspaces%28documents%28id%29%29")).toBe(true);
  expect(read("limit=1&select=workspaces%2528documents%2528id%2529%2529")).toBe(false);
  expect(
    read("select=workspaces(id)&workspaces.id=in.(1,2)&or=(id.eq.1,and(id.eq.2,id.eq.3))"),
  ).toBe(false);
});
