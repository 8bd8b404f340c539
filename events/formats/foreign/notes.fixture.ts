import type { Copied } from "./copied.fixture";

const apple = (body: string) =>
  '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"><html>' +
  '<head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><title></title>' +
  '<meta name="Generator" content="Cocoa HTML Writer"><meta name="CocoaVersion" content="2575.6">' +
  '<style type="text/css">p.p1 {margin: 0.0px 0.0px 0.0px 0.0px; font: 24.0px Helvetica} ' +
  "p.p2 {margin: 0.0px 0.0px 0.0px 0.0px; font: 13.0px Helvetica; min-height: 15.0px} " +
  "p.p3 {margin: 0.0px 0.0px 0.0px 0.0px; font: 13.0px Helvetica} p.p4 {font: 18.0px Helvetica} " +
  "li.li3 {margin: 0.0px; font: 13.0px Helvetica} span.s1 {text-decoration: underline} " +
  `ul.ul1 {list-style-type: disc}</style></head><body>${body}</body></html>`;

export const copiedFromNotes: readonly Copied[] = [
  {
    from: "Notes and Pages of Apple",
    html: apple(
      '<p class="p1"><b>The roof</b></p><p class="p2"><br></p><p class="p4"><b>Costs</b></p>' +
        '<p class="p3">Some<span class="Apple-converted-space">&nbsp; </span>words, <b>bold</b> and ' +
        '<span class="s1">underlined</span></p><ul class="ul1"><li class="li3">one</li>' +
        '<ul class="ul1"><li class="li3">inner</li></ul><li class="li3">two</li></ul>' +
        '<p class="p2"><br></p><p class="p3">The end of it.</p>',
    ),
    markdown:
      "# The roof\n\n## Costs\n\nSome words, **bold** and underlined\n\n- one\n  - inner\n- two\n\n" +
      "The end of it.\n",
    marks: { underline: ["underlined"] },
  },
  {
    from: "Notion",
    html:
      "<meta charset='utf-8'><html><head></head><body><h1>The roof</h1>\n<p>First line\nsecond line" +
      "</p>\n<ul>\n<li>[ ] Call <strong>Ben</strong></li>\n<li>[x] Order\n<ul>\n<li>slate</li>\n</ul>" +
      '\n</li>\n</ul>\n<aside>\n💡 It rains.\n\n</aside>\n<pre><code class="language-python">roof()\n' +
      "</code></pre>\n<table>\n<thead>\n<tr>\n<th>Day</th>\n<th>Hours</th>\n</tr>\n</thead>\n<tbody>\n" +
      "<tr>\n<td>Monday</td>\n<td>9</td>\n</tr>\n</tbody>\n</table>\n" +
      "<!-- notionvc: 11974aef-9394-46fc-bc7a-e0fe42220d7f --></body></html>",
    markdown:
      "# The roof\n\nFirst line\\\nsecond line\n\n- [ ] Call **Ben**\n- [x] Order\n      - slate\n\n" +
      "> 💡 It rains.\n\n```python\nroof()\n```\n\n| Day | Hours |\n| --- | --- |\n| Monday | 9 |\n",
    heading: true,
  },
  {
    from: "A page of an encyclopedia",
    html:
      '<meta charset=\'utf-8\'><div class="mw-heading" style="font-weight: 400;"><h2 id="Slate" ' +
      'style="font-weight: 600; margin: 0px;">Slate</h2><span class="mw-editsection">[edit]</span>' +
      '</div><p style="margin: 0.5em 0px; color: rgb(32, 33, 34); font-weight: 400;"><b>Slate</b> is a ' +
      '<a href="https://example.org/wiki/Rock" style="text-decoration: underline; color: blue;">rock' +
      '</a>.<span class="sr-only"> (opens in a new window)</span></p><dl><dt>Hard</dt><dd>yes</dd></dl>' +
      '<details open=""><summary>More</summary>It is grey.</details><script>a()</script>',
    markdown:
      "## Slate\n\n**Slate** is a [rock](https://example.org/wiki/Rock).\n\n**Hard**\n\nyes\n\n" +
      "More\n\nIt is grey.\n",
  },
  {
    from: "A mail: lines by breaks, and a table for its look",
    html:
      '<div dir="ltr">Dear Carol,<br><br>the roof<br>leaks.<div><br></div><table role="presentation">' +
      "<tbody><tr><td>Ana</td><td>Ben</td></tr></tbody></table></div>",
    markdown: "Dear Carol,\n\nthe roof\\\nleaks.\n\nAna\n\nBen\n",
  },
  {
    from: "A message, whose lines are those of its text",
    html: '<span style="white-space: pre-wrap; font-weight: 500;">one\ntwo\n\nthree</span>',
    markdown: "one\\\ntwo\n\nthree\n",
  },
];
