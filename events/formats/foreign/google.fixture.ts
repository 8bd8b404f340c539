import type { Copied } from "./copied.fixture";

const look = (weight = 400, more = "text-decoration:none;") =>
  "font-size:11pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent;" +
  `font-weight:${weight};font-style:normal;font-variant:normal;${more}` +
  "vertical-align:baseline;white-space:pre;white-space:pre-wrap;";
const paragraph = 'dir="ltr" style="line-height:1.38;margin-top:0pt;margin-bottom:0pt;"';
const span = (words: string, style = look()) => `<span style="${style}">${words}</span>`;
const item = (level: number, words: string) =>
  `<li dir="ltr" style="list-style-type:disc;${look()}" aria-level="${level}">` +
  `<p ${paragraph} role="presentation">${span(words)}</p></li>`;
const struck =
  "text-decoration:line-through;-webkit-text-decoration-skip:none;text-decoration-skip-ink:none;";
const task = (done: boolean, words: string) =>
  `<li dir="ltr" role="checkbox" aria-checked="${done}" style="list-style-type:none;` +
  `${look(400, done ? struck : "text-decoration:none;")}" aria-level="1">` +
  `<img src="data:image/png;base64,iVBORw0KGgo=" width="17.6px" height="17.6px" ` +
  `alt="${done ? "checked" : "unchecked"}" aria-roledescription="checkbox" ` +
  `style="margin-right:3px;" /><p ${paragraph} role="presentation">` +
  `${span(words, look(400, done ? struck : "text-decoration:none;"))}</p></li>`;
const list = "margin-top:0;margin-bottom:0;padding-inline-start:48px;";
const cell = (words: string) =>
  `<td style="border:solid #000000 1pt;vertical-align:top;"><p ${paragraph}>${span(words)}</p></td>`;
const underlined = "text-decoration:underline;-webkit-text-decoration-skip:none;";
const mono = look().replace("Arial,sans-serif", "'Roboto Mono',monospace");

export const copiedFromGoogle: readonly Copied[] = [
  {
    from: "Google Docs: headings, marks, a link, blank lines",
    html:
      '<meta charset="utf-8"><meta charset="utf-8">' +
      '<b style="font-weight:normal;" id="docs-internal-guid-7d347fee-7fff-afd7-ca79-41b3a53d7fad">' +
      `<h1 dir="ltr" style="line-height:1.38;margin-top:20pt;">${span("The roof")}</h1>` +
      `<h2 dir="ltr" style="line-height:1.38;">${span("Costs", look(700))}</h2>` +
      `<p ${paragraph}>${span("Plain, ")}${span("bold", look(700))}${span(" and ")}` +
      `${span("struck", look(400, struck))}${span(", ")}` +
      `${span("underlined", look(400, underlined))}${span(", ")}` +
      '<a href="https://www.google.com/url?q=https://example.org/a?b%3Dc&amp;sa=D&amp;ust=17" ' +
      `style="text-decoration:none;">${span("linked", look(400, underlined))}</a>${span(".")}</p>` +
      `<br /><br /><p ${paragraph}>${span("Two lines,<br />one paragraph")}</p><br />` +
      '</b><br class="Apple-interchange-newline">',
    markdown:
      "# The roof\n\n## Costs\n\nPlain, **bold** and ~~struck~~, underlined, " +
      "[linked](https://example.org/a?b=c).\n\nTwo lines,\\\none paragraph\n",
    marks: { underline: ["underlined"] },
  },
  {
    from: "Google Docs: nested lists that stand beside their items, and a table",
    html:
      '<b style="font-weight:normal;" id="docs-internal-guid-1">' +
      `<ul style="${list}">${item(1, "one")}<ul style="${list}">${item(2, "inner")}` +
      `<ul style="${list}">${item(3, "innermost")}</ul></ul>${item(1, "two")}</ul>` +
      `<ol style="${list}" start="3">${item(1, "third")}</ol><br />` +
      '<div dir="ltr" style="margin-left:0pt;" align="left"><table style="border:none;">' +
      `<colgroup><col width="312" /><col width="312" /></colgroup><tbody><tr style="height:0pt">` +
      `${cell("a")}${cell("b")}</tr><tr style="height:0pt">${cell("c")}<td><br /></td></tr>` +
      "</tbody></table></div><br /></b>",
    markdown:
      "- one\n  - inner\n    - innermost\n- two\n\n3. third\n\n" +
      "| a | b |\n| --- | --- |\n| c |  |\n",
  },
  {
    from: "Google Docs: a checklist",
    html:
      `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-2">` +
      `<ul style="${list}">${task(false, "Call the bank")}${task(true, "Order slate")}</ul></b>`,
    markdown: "- [ ] Call the bank\n- [x] Order slate\n",
  },
  {
    from: "Google Docs: lines and words set as code",
    html:
      '<b style="font-weight:normal;" id="docs-internal-guid-3">' +
      `<p ${paragraph}>${span("Run ")}${span("make", mono)}${span(" first:")}</p>` +
      `<p ${paragraph}>${span("cd roof", mono)}</p><p ${paragraph}>${span("make all", mono)}</p>` +
      `<p ${paragraph}>${span("Then wait.")}</p></b>`,
    markdown: "Run `make` first:\n\n```\ncd roof\nmake all\n```\n\nThen wait.\n",
  },
  {
    from: "Google Sheets: cells with a heading",
    html:
      "<meta charset='utf-8'><google-sheets-html-origin><style type=\"text/css\"><!--td {border: " +
      "1px solid #cccccc;}br {mso-data-placement:same-cell;}--></style>" +
      '<table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0" cellpadding="0" dir="ltr" ' +
      'border="1" style="table-layout:fixed;font-size:10pt;font-family:Arial;width:0px;" ' +
      'data-sheets-root="1" data-sheets-baot="1"><colgroup><col width="100"/><col width="100"/>' +
      '</colgroup><tbody><tr style="height:21px;">' +
      ["Day", "Hours"]
        .map((words) => `<td style="vertical-align:bottom;font-weight:bold;">${words}</td>`)
        .join("") +
      '</tr><tr style="height:21px;"><td style="overflow:hidden;">Monday</td>' +
      '<td style="text-align:right;">9</td></tr></tbody></table>',
    markdown: "| Day | Hours |\n| --- | --- |\n| Monday | 9 |\n",
    heading: true,
  },
  {
    from: "Google Sheets: one cell",
    html:
      "<meta charset='utf-8'><google-sheets-html-origin><style type=\"text/css\"><!--td {}--></style>" +
      '<span style="font-size:10pt;font-family:Arial;font-style:normal;" data-sheets-root="1">' +
      "Monday</span>",
    markdown: "Monday\n",
  },
];
