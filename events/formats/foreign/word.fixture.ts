import type { Copied } from "./copied.fixture";

const page = (body: string) =>
  '<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" ' +
  'xmlns:w="urn:schemas-microsoft-com:office:word" xmlns="http://www.w3.org/TR/REC-html40"><head>' +
  '<meta http-equiv=Content-Type content="text/html; charset=utf-8">' +
  "<meta name=ProgId content=Word.Document><!--[if gte mso 9]><xml><w:WordDocument/></xml>" +
  '<![endif]--><style><!-- @font-face {font-family:"Cambria Math";} p.MsoNormal, li.MsoNormal ' +
  "{margin:0cm; font-size:12.0pt;} span.Strong1 {font-weight:bold;} @list l0 {mso-list-id:7;} -->" +
  `</style></head><body lang=EN-US style='tab-interval:36.0pt'><!--StartFragment-->${body}` +
  "<!--EndFragment--></body></html>";
const sign = (letters: string) =>
  "<![if !supportLists]><span style='font-family:Symbol;mso-fareast-font-family:Symbol'>" +
  `<span style='mso-list:Ignore'>${letters}<span style='font:7.0pt "Times New Roman"'>` +
  "&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>";
const item = (words: string, letters: string, list: number, level: number) =>
  "<p class=MsoListParagraphCxSpMiddle style='margin-left:72.0pt;mso-add-space:auto;" +
  `text-indent:-18.0pt;mso-list:l${list} level${level} lfo1'>${sign(letters)}${words}<o:p></o:p></p>\n`;
const normal = (words: string) => `<p class=MsoNormal>${words}<o:p></o:p></p>\n`;
const online = (level: number, tag: "ol" | "ul", words: string) =>
  '<div class="ListContainerWrapper SCXW11351243 BCX0" style="margin: 0px; user-select: text;">' +
  `<${tag} class="BulletListStyle1 SCXW11351243 BCX0" role="list"><li data-leveltext="" ` +
  `data-font="Symbol" data-listid="5" aria-setsize="-1" data-aria-posinset="1" ` +
  `data-aria-level="${level}" role="listitem" class="OutlineElement Ltr SCXW11351243 BCX0">` +
  `${onlineParagraph(words)}</li></${tag}></div>`;
const onlineParagraph = (words: string, more = "") =>
  `<p class="Paragraph SCXW11351243 BCX0" paraid="551638781" ${more}style="font-weight: normal;">` +
  '<span class="TextRun SCXW11351243 BCX0" style="font-family: Calibri, sans-serif;">' +
  `<span class="NormalTextRun SCXW11351243 BCX0">${words}</span></span><span class="EOP ` +
  'SCXW11351243 BCX0" data-ccp-props="{}">&nbsp;</span></p>';

export const copiedFromWord: readonly Copied[] = [
  {
    from: "Word: headings, marks, smart tags, blank lines",
    html: page(
      "<p class=MsoTitle>The roof<o:p></o:p></p>\n<h2>Costs in<span\nstyle='mso-spacerun:yes'>" +
        "&nbsp; </span>pounds<o:p></o:p></h2>\n" +
        normal(
          'In <st1:place w:st="on">London</st1:place>, <b>bold</b> and <span\nclass=Strong1>' +
            'by style</span>, <a href="https://example.org/"><span class=MsoHyperlink ' +
            "style='text-decoration:underline'>linked</span></a>",
        ) +
        "<p class=MsoNormal><o:p>&nbsp;</o:p></p>\n" +
        "<p class=MsoQuote>Slate lasts.<o:p></o:p></p>\n" +
        "<p class=CaseStudy style='mso-outline-level:3'>By outline<o:p></o:p></p>",
    ),
    markdown:
      "# The roof\n\n## Costs in pounds\n\nIn London, **bold** and **by style**, " +
      "[linked](https://example.org/)\n\n> Slate lasts.\n\n### By outline\n",
  },
  {
    from: "Word: lists that are paragraphs",
    html: page(
      item("lamps", "·", 0, 1) +
        item("batteries", "o", 0, 2) +
        item("spare", "§", 0, 3) +
        item("rope", "·", 0, 1) +
        "<p class=MsoListParagraphCxSpMiddle>goes on without a sign<o:p></o:p></p>\n" +
        item("knots", "3.", 1, 1) +
        item("bowline", "a)", 1, 2) +
        normal("and o. this"),
    ),
    markdown:
      "- lamps\n  - batteries\n    - spare\n- rope\n  goes on without a sign\n\n" +
      "3. knots\n   1. bowline\n\nand o. this\n",
  },
  {
    from: "Word: signs that stand between conditions, boxes, and a heading with a number",
    html: page(
      "<h1 style='mso-list:l2 level1 lfo3'><![if !supportLists]><span style='mso-list:Ignore'>1.2" +
        "<span>&nbsp;&nbsp; </span></span><![endif]>Slate<o:p></o:p></h1>" +
        "<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><!--[if !supportLists]-->" +
        "<span>2.<span>&nbsp;&nbsp;</span></span><!--[endif]-->second<o:p></o:p></p>" +
        normal("<span style='font-family:\"MS Gothic\"'>☐</span> open") +
        normal("<span style='font-family:\"MS Gothic\"'>☒</span> done"),
    ),
    markdown: "# 1.2 Slate\n\n2. second\n\n- [ ] open\n- [x] done\n",
  },
  {
    from: "Word: changes that are proposed, comments, hidden words, a footnote",
    html: page(
      normal(
        'The <del cite="mailto:Ana" datetime="2026-11-02T10:00">old </del>' +
          '<ins cite="mailto:Ben" datetime="2026-11-02T10:01">new </ins>roof' +
          "<span style='display:none;mso-hide:all'>secret</span>" +
          "<a style='mso-comment-reference:C_1;mso-comment-date:20261102T1000'></a><span " +
          "class=MsoCommentReference><span style='mso-special-character:comment'><a " +
          'class=msocomanchor href="#_msocom_1" name="_msoanchor_1">[C1]</a></span></span> leaks' +
          '<a style=\'mso-footnote-id:ftn1\' href="#_ftn1" name="_ftnref1"><span ' +
          "class=MsoFootnoteReference>[1]</span></a>.",
      ) +
        "<div style='mso-element:footnote-list'><![if !supportFootnotes]><br clear=all>" +
        "<hr align=left size=1 width=\"33%\"><![endif]><div style='mso-element:footnote' id=ftn1>" +
        "<p class=MsoFootnoteText><a style='mso-footnote-id:ftn1' href=\"#_ftnref1\" " +
        'name="_ftn1"><span class=MsoFootnoteReference>[1]</span></a> In rain.<o:p></o:p></p>' +
        "</div></div><div style='mso-element:comment-list'><p class=MsoCommentText>Really?</p></div>",
    ),
    markdown: "The new roof leaks\\[1\\].\n\n\\[1\\] In rain.\n",
  },
  {
    from: "Word: a table",
    html: page(
      "<table class=MsoTableGrid border=1 cellspacing=0 style='border-collapse:collapse'>" +
        ["Day", "Monday"]
          .map(
            (words, row) =>
              `<tr style='mso-yfti-irow:${row}'><td width=301 valign=top style='width:225.4pt'>` +
              `<p class=MsoNormal>${words}<o:p></o:p></p></td><td width=301 valign=top>` +
              `<p class=MsoNormal><b>${row}</b><o:p></o:p></p></td></tr>`,
          )
          .join("") +
        "</table><p class=MsoNormal><o:p>&nbsp;</o:p></p>",
    ),
    markdown: "| Day | **0** |\n| --- | --- |\n| Monday | **1** |\n",
  },
  {
    from: "Word in a browser",
    html:
      `<meta charset='utf-8'><div class="OutlineElement Ltr SCXW11351243 BCX0">` +
      `${onlineParagraph("The roof", 'role="heading" aria-level="2" ')}</div>` +
      `${online(1, "ul", "one")}${online(2, "ul", "inner")}${online(1, "ul", "two")}` +
      `${online(1, "ol", "first")}<div class="OutlineElement Ltr SCXW11351243 BCX0">` +
      `${onlineParagraph("Ends.")}</div>`,
    markdown: "## The roof\n\n- one\n  - inner\n- two\n\n1. first\n\nEnds.\n",
  },
];
