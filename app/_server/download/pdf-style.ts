import { StyleSheet } from "@react-pdf/renderer";
import { codeFonts, textFonts } from "./pdf-fonts";

const ink = "#1b1b1b";
const line = "#b9b9b9";

/** How a PDF looks: the product's serif on A4, in print's own sizes. */
export const pdfStyle = StyleSheet.create({
  page: { paddingVertical: 64, paddingHorizontal: 72, color: ink },
  text: { fontFamily: textFonts, fontSize: 10.5, lineHeight: 1.5, marginBottom: 7 },
  title: {
    fontFamily: textFonts,
    fontSize: 25,
    lineHeight: 1.2,
    fontWeight: 700,
    marginBottom: 16,
  },
  icon: { fontFamily: textFonts, fontSize: 28, lineHeight: 1.2, marginBottom: 8 },
  heading1: {
    fontFamily: textFonts,
    fontSize: 17,
    lineHeight: 1.25,
    fontWeight: 700,
    marginTop: 14,
    marginBottom: 6,
  },
  heading2: {
    fontFamily: textFonts,
    fontSize: 14,
    lineHeight: 1.25,
    fontWeight: 700,
    marginTop: 11,
    marginBottom: 5,
  },
  heading3: {
    fontFamily: textFonts,
    fontSize: 11.5,
    lineHeight: 1.3,
    fontWeight: 700,
    marginTop: 9,
    marginBottom: 4,
  },
  bold: { fontWeight: 700 },
  italic: { fontStyle: "italic" },
  code: { fontFamily: codeFonts, fontSize: 9 },
  link: { color: "#1d4f9c", textDecoration: "underline" },
  block: {
    fontFamily: codeFonts,
    fontSize: 9,
    lineHeight: 1.45,
    backgroundColor: "#f3f3f1",
    padding: 8,
    marginBottom: 8,
  },
  quote: { borderLeftWidth: 2, borderLeftColor: line, paddingLeft: 10, marginBottom: 4 },
  item: { flexDirection: "row" },
  sign: { fontFamily: textFonts, fontSize: 10.5, lineHeight: 1.5, width: 22 },
  content: { flex: 1 },
  image: { marginTop: 3, marginBottom: 10 },
  caption: {
    fontFamily: textFonts,
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
    fontFamily: textFonts,
    fontSize: 8,
    color: "#6f6f6f",
  },
});
