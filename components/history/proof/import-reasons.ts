import { numberWords } from "@/events/core/text/number-words";
import { importLimits } from "@/events/formats/reading/import-error";

/** The reasons why content is not imported, each with the content's name in the singular. */
export const reasons: Record<string, [one: string, why: string]> = {
  pictures: [
    "picture",
    "Not in the file, or no PNG, JPEG, GIF, WebP or AVIF of at most 25 MB. Its words come.",
  ],
  "pictures that no document shows": [
    "picture that no document shows",
    "Only what a text shows comes with it.",
  ],
  "pictures on other sites": [
    "picture on another site",
    "Nothing is fetched from elsewhere. Each becomes a link.",
  ],
  comments: [
    "comment",
    `It is on no words of the text, or one of more than ${numberWords(importLimits.comments)}.`,
  ],
  macros: ["part with macros", "Nothing in a file is run."],
  "files of other kinds": ["file of another kind", "Markdown, HTML and Word come in."],
  "addresses that a link may not have": [
    "address that a link may not have",
    "Its words come without the link.",
  ],
  "files whose names lead out of the archive": [
    "file whose name leads out of the archive",
    "Such names are not trusted.",
  ],
  "files in folders of other programs": [
    "file in a folder of another program",
    "Programs keep settings and deleted files there.",
  ],
  "files of a name that another file of the archive has": [
    "file of a name that another file of the archive has",
    "Only the last one of a name can be read.",
  ],
  "lines of properties above a text": [
    "line of properties above a text",
    "A document has no properties. Its title is taken from them.",
  ],
  "hidden passages": ["hidden passage", "No reader of the file sees it."],
  drawings: ["drawing", "It is no image file. Its words stay behind as well."],
  "videos and sounds": ["video or sound", "Only images come in."],
  "embedded pages": ["embedded page", "Nothing is fetched from elsewhere."],
  "deleted passages of tracked changes": [
    "deleted passage of tracked changes",
    "The text comes as it is with all changes accepted.",
  ],
  "headers and footers": ["header or footer", "A document has no pages."],
  "charts and diagrams": ["chart or diagram", "It is no image file."],
  "labels of lists that are plain numbers now": [
    "label of a list that is a plain number now",
    "Lists are numbered 1, 2, 3. Letters, Roman numerals and words before them do not come.",
  ],
  "texts of other formats in a Word file": [
    "text of another format in a Word file",
    "Only Word’s own text is read.",
  ],
  "signs of fonts that no letter stands for": [
    "sign of a font that no letter stands for",
    "Only its font could show it.",
  ],
  "embedded objects": ["embedded object", "Only images come in."],
  "ends of long words about pictures": [
    "end of long words about a picture",
    "A description or a caption has at most 500 letters.",
  ],
  "passages on deep levels, which came as plain text": [
    "passage on a deep level, which came as plain text",
    "A text has at most 24 levels. All words come.",
  ],
  "tables whose merged cells came apart": [
    "table whose merged cells came apart",
    "They cover more than a table can hold. All words come.",
  ],
  "paragraphs with too many marks, which came as plain text": [
    "paragraph with too many marks, which came as plain text",
    "All words come.",
  ],
};
