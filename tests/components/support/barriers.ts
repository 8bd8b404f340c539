import axe from "axe-core";

/** axe's serious and critical findings on the page, one line each; an empty list is a pass. */
export async function barriers(): Promise<string[]> {
  const { violations } = await axe.run("html", { resultTypes: ["violations"] });
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id}: ${help} — ${node.html.slice(0, 160)}`),
    );
}
