import { StyleSheet } from "@react-pdf/renderer";

const ink = "#1b1b1b";
const line = "#b9b9b9";

/**
 * Turns ligatures off. The font would draw `=>` as an arrow, and its ligatures end in empty glyphs,
 * after which the PDF library reads out of bounds.
 */
const asTyped = { calt: 0 };

/** The styles of a PDF: A4, print sizes. The page sets the fonts, which all blocks inherit. */
export const pdfStyle = StyleSheet.create({
  page: { paddingVertical: 64, paddingHorizontal: 72, color: ink },
  text: { fontSize: 10.5, lineHeight: 1.5, marginBottom: 7 },
  title: {
    fontSize: 25,
    lineHeight: 1.2,
    fontWeight: 700,
    marginBottom: 16,
  },
  icon: { fontSize: 28, lineHeight: 1.2, marginBottom: 8 },
  heading1: {
    fontSize: 17,
    lineHeight: 1.25,
    fontWeight: 700,
    marginTop: 14,
    marginBottom: 6,
  },
  heading2: {
    fontSize: 14,
    lineHeight: 1.25,
    fontWeight: 700,
    marginTop: 11,
    marginBottom: 5,
  },
  heading3: {
    fontSize: 11.5,
    lineHeight: 1.3,
    fontWeight: 700,
    marginTop: 9,
    marginBottom: 4,
  },
  bold: { fontWeight: 700 },
  italic: { fontStyle: "italic" },
  code: { fontSize: 9, fontFeatureSettings: asTyped },
  link: { color: "#1d4f9c", textDecoration: "underline" },
  block: {
    fontSize: 9,
    fontFeatureSettings: asTyped,
    lineHeight: 1.45,
    backgroundColor: "#f3f3f1",
    padding: 8,
    marginBottom: 8,
  },
  quote: { borderLeftWidth: 2, borderLeftColor: line, paddingLeft: 10, marginBottom: 4 },
  item: { flexDirection: "row" },
  sign: { fontSize: 10.5, lineHeight: 1.5, width: 22 },
  content: { flex: 1 },
  image: { marginTop: 3, marginBottom: 10 },
  caption: {
    fontSize: 8.5,
    lineHeight: 1.4,
    color: "#606060",
    marginTop: 4,
  },
  rule: { borderBottomWidth: 0.75, borderBottomColor: line, marginVertical: 10 },
  table: { borderTopWidth: 0.75, borderLeftWidth: 0.75, borderColor: line, marginBottom: 10 },
  row: { flexDirection: "row" },
  cell: {
    borderRightWidth: 0.75,
    borderBottomWidth: 0.75,
    borderColor: line,
    paddingHorizontal: 5,
    paddingTop: 4,
  },
  head: { backgroundColor: "#f3f3f1", fontWeight: 700 },
  number: {
    position: "absolute",
    bottom: 32,
    left: 0,
    right: 0,
    textAlign: "center",
    fontSize: 8,
    color: "#6f6f6f",
  },
});
