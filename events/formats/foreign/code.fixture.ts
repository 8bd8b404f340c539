import type { Copied } from "./copied.fixture";

const editor =
  "color: #d4d4d4;background-color: #1e1e1e;font-family: Menlo, Monaco, 'Courier New', monospace;" +
  "font-weight: normal;font-size: 12px;line-height: 18px;white-space: pre;";
const token = (words: string) => `<span style="color: #569cd6;">${words}</span>`;

export const copiedCode: readonly Copied[] = [
  {
    from: "VS Code, where nothing else says what it is",
    html:
      `<meta charset='utf-8'><div style="${editor}"><div>${token("if")} (a &lt; b) {</div>` +
      `<div>${token("&nbsp; return")} c;</div><br><div>}</div></div>`,
    markdown: "```\nif (a < b) {\n  return c;\n\n}\n```\n",
  },
  {
    from: "VS Code: words of one line",
    html: `<meta charset='utf-8'><div style="${editor}"><div>${token("const")} roof</div></div>`,
    markdown: "`const roof`\n",
  },
  {
    from: "An editor of JetBrains",
    html:
      '<html><head><meta http-equiv="content-type" content="text/html; charset=UTF-8"></head><body>' +
      "<pre style=\"background-color:#2b2b2b;color:#a9b7c6;font-family:'JetBrains Mono',monospace;\">" +
      '<span style="color:#cc7832;">def </span>roof():<br>&#32;&#32;&#32;&#32;return 1<br></pre>' +
      "</body></html>",
    markdown: "```\ndef roof():\n    return 1\n```\n",
  },
  {
    from: "Xcode, by the writer of Apple’s programs",
    html:
      '<html><head><meta name="Generator" content="Cocoa HTML Writer"><style type="text/css">' +
      "p.p1 {margin: 0.0px 0.0px 0.0px 0.0px; font: 12.0px Menlo; color: #fc5fa3} p.p2 {margin: 0.0px " +
      "0.0px 0.0px 0.0px; font: 12.0px Menlo; min-height: 14.0px} span.s1 {color: #fc5fa3}</style>" +
      '</head><body><p class="p1"><span class="s1">func</span> roof() {</p><p class="p2"><br></p>' +
      '<p class="p1"><span class="Apple-converted-space">&nbsp; </span>slate()</p><p class="p1">}</p>' +
      "</body></html>",
    markdown: "```\nfunc roof() {\n\n  slate()\n}\n```\n",
  },
  {
    from: "GitHub: a comment with tasks, code and a note",
    html:
      '<meta charset=\'utf-8\'><h2 style="box-sizing: border-box; font-weight: 600;" dir="auto">' +
      '<a id="user-content-roof" class="anchor" aria-label="Permalink: Roof" href="https://x.org/#roof">' +
      '<svg class="octicon octicon-link"></svg></a>Roof</h2>' +
      '<ul class="contains-task-list" style="box-sizing: border-box;"><li class="task-list-item">' +
      '<input type="checkbox" id="" disabled="" class="task-list-item-checkbox" ' +
      'aria-label="Incomplete task"><span> </span>Call <code>bank</code></li><li ' +
      'class="task-list-item"><input type="checkbox" disabled="" checked="" aria-label="Completed ' +
      'task"> Order<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" ' +
      'checked=""> slate</li></ul></li></ul>' +
      '<div class="highlight highlight-source-ts notranslate"><pre class="notranslate"><span ' +
      'class="pl-k">const</span> a = 1;\n</pre><div class="zeroclipboard-container"><clipboard-copy ' +
      'aria-label="Copy" role="button">Copy</clipboard-copy></div></div>' +
      '<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">' +
      '<svg class="octicon"></svg>Note</p><p>It rains.</p></div>',
    markdown:
      "## Roof\n\n- [ ] Call `bank`\n- [x] Order\n      - [x] slate\n\n" +
      "```ts\nconst a = 1;\n```\n\n> Note\n>\n> It rains.\n",
  },
  {
    from: "GitHub: lines of a file",
    html:
      '<table class="highlight tab-size"><tbody><tr><td id="L1" class="blob-num" ' +
      'data-line-number="1"></td><td id="LC1" class="blob-code blob-code-inner">a = 1</td></tr><tr>' +
      '<td class="blob-num" data-line-number="2"></td><td class="blob-code">  b = 2</td></tr></tbody>' +
      "</table>",
    markdown: "```\na = 1\n  b = 2\n```\n",
  },
];
