import { describe, expect, it } from "vitest";
import { Doc, XmlElement, XmlText } from "yjs";
import { staticHtml } from "@/events/content/static-html";
import { htmlFile } from "./html-file";

describe("a page of HTML", () => {
  it("[FORMAT-4] has no script and loads nothing, whatever its title, text and links contain", () => {
    const id = "7f3c1f80-5f0e-4a53-9d7b-2f5f0c8f6f01";
    const fragment = new Doc().getXmlFragment("default");
    const paragraph = new XmlElement("paragraph");
    const link = new XmlElement("documentLink");
    fragment.insert(0, [paragraph]);
    paragraph.insert(0, [new XmlText("<script>alert(1)</script>"), link]);
    link.setAttribute("document", id);
    const page = htmlFile("</title><script>", "🧾", staticHtml(fragment), {
      nameOf: () => ({ words: '"><img src=x>', icon: null, state: "open" }),
      origin: "https://palimpsest.example",
    });
    expect(page).not.toMatch(/<script|<img/);
    expect(page).toContain("default-src 'none'");
    expect(page).toContain(`href="https://palimpsest.example/d/${id}"`);
  });
});
