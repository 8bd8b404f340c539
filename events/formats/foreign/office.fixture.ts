import type { Copied } from "./copied.fixture";

const excel = (rows: string) =>
  '<html xmlns:o="urn:schemas-microsoft-com:office:office" ' +
  'xmlns:x="urn:schemas-microsoft-com:office:excel" xmlns="http://www.w3.org/TR/REC-html40"><head>' +
  '<meta http-equiv=Content-Type content="text/html; charset=utf-8">' +
  '<meta name=ProgId content=Excel.Sheet><meta name=Generator content="Microsoft Excel 15">' +
  '<style><!--table {mso-displayed-decimal-separator:"\\.";} td {padding:0px; font-weight:400;} ' +
  '.xl65 {font-weight:700;}--></style></head><body link="#0563C1" vlink="#954F72">' +
  "<table border=0 cellpadding=0 cellspacing=0 width=128 style='border-collapse:collapse'>" +
  ` <!--StartFragment--> <col width=64 span=2 style='width:48pt'>${rows} <!--EndFragment--></table>` +
  "</body></html>";
const office = (body: string) =>
  '<!DOCTYPE html><html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"/>' +
  '<title></title><meta name="generator" content="LibreOffice 24.2.7.2 (Linux)"/>' +
  '<style type="text/css">@page { size: 21cm 29.7cm; margin: 2cm } p { line-height: 115%; ' +
  "margin-bottom: 0.25cm } a:link { color: #000080; text-decoration: underline }</style></head>" +
  `<body lang="en-GB" link="#000080" dir="ltr">${body}</body></html>`;
const calc = (rows: string) =>
  '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"/><title></title>' +
  '<meta name="generator" content="LibreOffice 24.2.7.2 (Linux)"/><style type="text/css">body,div,' +
  'table,td,p { font-family:"Liberation Sans"; font-size:x-small }</style></head><body>' +
  `<table cellspacing="0" border="0"><colgroup width="85"></colgroup>${rows}</table></body></html>`;

export const copiedFromOffice: readonly Copied[] = [
  {
    from: "Excel: cells, a row that is hidden, and a heading by class",
    html: excel(
      "<tr height=20 style='height:15.0pt'><td class=xl65 height=20 width=64>Day</td>" +
        "<td class=xl65 width=64>Hours</td></tr><tr style='display:none'><td>no</td><td>no</td></tr>" +
        "<tr height=20 style='height:15.0pt'><td height=20>Monday</td><td align=right>9</td></tr>",
    ),
    markdown: "| Day | Hours |\n| --- | --- |\n| Monday | 9 |\n",
    heading: true,
  },
  {
    from: "Excel: one cell",
    html: excel("<tr height=20><td height=20 width=64 style='width:48pt'>Monday</td></tr>"),
    markdown: "Monday\n",
  },
  {
    from: "LibreOffice Writer: a heading, lists, a table, a footnote",
    html: office(
      '<h1 class="western">The roof</h1><p style="line-height: 100%"><font face="Liberation Serif">' +
        '<b>Bold</b></font> and <u>underlined</u><a class="sdfootnoteanc" name="sdfootnote1anc" ' +
        'href="#sdfootnote1sym"><sup>1</sup></a></p><ul><li><p style="margin-bottom: 0cm">one</p>' +
        "<ul><li><p>inner</p></li></ul></li><li><p>two</p></li></ul><p><br/><br/></p>" +
        '<table width="643" cellpadding="4" cellspacing="0"><col width="309"/><col width="309"/>' +
        '<tr valign="top"><td width="309"><p>a</p></td><td width="309"><p>b</p></td></tr></table>' +
        '<div id="sdfootnote1"><p class="sdfootnote"><a class="sdfootnotesym" name="sdfootnote1sym" ' +
        'href="#sdfootnote1anc">1</a> In rain.</p></div>',
    ),
    markdown:
      "# The roof\n\n**Bold** and underlined1\n\n- one\n  - inner\n- two\n\n" +
      "| a | b |\n| --- | --- |\n\n1 In rain.\n",
    marks: { underline: ["underlined"] },
  },
  {
    from: "LibreOffice Calc: cells",
    html: calc(
      '<tr><td height="17" align="left"><b>Day</b></td><td align="left"><b>Hours</b></td></tr>' +
        '<tr><td height="17" align="left">Monday</td><td align="right" sdval="9" sdnum="2057;">9' +
        "</td></tr>",
    ),
    markdown: "| Day | Hours |\n| --- | --- |\n| Monday | 9 |\n",
    heading: true,
  },
  {
    from: "LibreOffice Calc: one cell",
    html: calc('<tr><td height="17" align="right" sdval="9" sdnum="2057;">9</td></tr>'),
    markdown: "9\n",
  },
];
