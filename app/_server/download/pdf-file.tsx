import { Document, Page, renderToBuffer, Text } from "@react-pdf/renderer";
import { isFromTheRight } from "@/events/formats/writing/letters";
import type { FileLinks } from "@/events/formats/writing/phrasing";
import { linkedInTree, lettersOf } from "@/events/formats/writing/text-tree";
import type { TreeNode } from "@/events/formats/writing/text-tree";
import { pdfBlocks } from "./pdf-blocks";
import { fontsOf } from "./pdf-fonts";
import { pdfStyle } from "./pdf-style";

/** A PDF, or the letters that no font covers. */
type PdfFile = { bytes: Uint8Array } | { missing: string[] };

/** Renders a document as an A4 PDF with page numbers. */
export async function pdfFile(
  title: string,
  icon: string | null,
  text: readonly TreeNode[],
  links: FileLinks,
): Promise<PdfFile> {
  const names = linkedInTree(text).map((id) => links.nameOf(id).words);
  const letters = [title, icon ?? "", lettersOf(text), ...names].join("");
  const { text: fontFamily, code: codeFonts, missing } = await fontsOf(letters);
  if (missing.length > 0) return { missing };
  const direction = isFromTheRight(title)
    ? ({ direction: "rtl", textAlign: "right" } as const)
    : {};
  const buffer = await renderToBuffer(
    <Document title={title} creator="Palimpsest" producer="Palimpsest">
      <Page size="A4" style={[pdfStyle.page, { fontFamily }]}>
        {icon !== null && <Text style={pdfStyle.icon}>{icon}</Text>}
        <Text style={[pdfStyle.title, direction]}>{title}</Text>
        {pdfBlocks(text, { links, codeFonts })}
        <Text
          fixed
          style={pdfStyle.number}
          render={({ pageNumber, totalPages }) => (totalPages > 1 ? `${pageNumber}` : "")}
        />
      </Page>
    </Document>,
  );
  return { bytes: new Uint8Array(buffer) };
}
