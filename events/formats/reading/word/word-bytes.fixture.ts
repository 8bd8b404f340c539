import { strToU8, zipSync } from "fflate";

const office = "http://schemas.openxmlformats.org";
const word = `${office}/wordprocessingml/2006/main`;
const spaces =
  `xmlns:w="${word}" xmlns:m="${office}/officeDocument/2006/math" xmlns:a="${office}/drawingml/2006/main" ` +
  `xmlns:mc="${office}/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml" ` +
  `xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" ` +
  `xmlns:wp="${office}/drawingml/2006/wordprocessingDrawing"`;
const types = `${office}/package/2006`;

/** Creates a Word file with this body, and other parts by name. */
export function wordBytes(body: string, parts: Record<string, string> = {}): Uint8Array {
  const documentType =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
  const files = {
    "[Content_Types].xml":
      `<Types xmlns="${types}/content-types"><Default Extension="xml" ContentType="application/xml"/>` +
      `<Override PartName="/word/document.xml" ContentType="${documentType}"/></Types>`,
    "_rels/.rels":
      `<Relationships xmlns="${types}/relationships"><Relationship Id="a" ` +
      `Type="${office}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/document.xml": `<w:document ${spaces}><w:body>${body}</w:body></w:document>`,
    ...Object.fromEntries(
      Object.entries(parts).map(([name, content]) => [
        name,
        `<w:${name.slice(5, -4).replace(/\d/, "")} ${spaces}>${content}</w:${name.slice(5, -4).replace(/\d/, "")}>`,
      ]),
    ),
  };
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])),
  );
}

/** Creates a run of words. */
export const run = (words: string, properties = "") =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${words}</w:t></w:r>`;
/** Creates a paragraph of runs. */
export const paragraph = (inner: string, properties = "") =>
  `<w:p><w:pPr>${properties}</w:pPr>${inner}</w:p>`;
