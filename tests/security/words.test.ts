import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { cases } from "@/events/core/cases.fixture";
import { isolated } from "@/events/core/text/isolated";
import { normalizedName } from "@/events/core/text/visible-text";
import { prosemirrorToYXmlFragment } from "@tiptap/y-tiptap";
import { autoLink } from "@/components/editor/paste/auto-links";
import { pair } from "@/components/editor/bound-text.fixture";
import { inspectContent } from "@/components/editor/binding/content-guard";
import { readMarkdown } from "@/events/content/markdown-reading";
import { documentMarkdown } from "@/events/content/markdown";
import { addressFromInput, safeAddress } from "@/events/content/safe-address";
import { documentSchema } from "@/events/content/schema";
import { beginningHtml, editorHtml, staticHtml } from "@/events/content/static-html";
import { accept, noBindings } from "@/events/crdt/validation/validation";
import { nowhere } from "@/events/content/nowhere.fixture";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { row, stream } from "@/events/history/timeline/rows.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { longestSearch, searchThroughTime } from "@/events/analysis/deleted-text-search";
import { hashed, unhashed } from "@/events/proof/chain.fixture";
import { bundleOf } from "@/events/proof/bundle.fixture";
import { checkBundle } from "@/events/proof/bundle-check";
import { unpackZip } from "@/events/proof/bundle-unpacking";
import { fileStem } from "@/events/formats/writing/file-stem";
import { terminalLine } from "@/events/proof/terminal-line";
import { Finder, longestQuery } from "@/components/editor/find/hits";
import { nextPath } from "@/components/session/next-path";
import { parseAuthBody } from "@/supabase/local/auth/auth-body";
import { filled } from "@/supabase/local/mail/mail-template";
import { logLine } from "@/supabase/local/realtime/log-line";
import { asDownload } from "@/supabase/local/storage/storage-downloads";
import {
  bombs,
  hostileAddresses,
  hostileHtml,
  hostileNames,
  hostileWords,
  unstorable,
} from "./corpus";

const storable = [
  ...Object.values(hostileWords),
  ...hostileAddresses,
  ...hostileHtml,
  ...Object.values(bombs),
];
const everything = [...storable, ...Object.values(unstorable)];
/** The Markdown before words: nothing, a quote with a task, or a table cell. */
const beforeWords = ["", "> - [x] ", "| a | b |\n|---|---|\n| "];

const tag = /<(\/?)([a-z][a-z0-9]*)((?: [a-z][a-z-]*="[^"<>]*")*)>/g;
const known = new Set(
  (
    "p h1 h2 h3 h4 h5 h6 strong em u s code pre a ul ol li label input div span blockquote hr br " +
    "table colgroup col tbody tr td th"
  ).split(" "),
);
const signs: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&" };
const read = (html: string) =>
  html.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => signs[name] ?? "");

/** Returns the HTML constructs that are not ours, and the text. */
function readHtml(html: string): { faults: string[]; words: string } {
  const faults: string[] = [];
  const words = html.replace(tag, (_, _end, name: string, attributes: string) => {
    if (!known.has(name)) faults.push(name);
    for (const [, attribute = "", value = ""] of attributes.matchAll(/ ([a-z-]+)="([^"]*)"/g)) {
      if (/^(on|src|style|srcdoc|action|formaction|id$)/.test(attribute)) faults.push(attribute);
      if (attribute === "href" && safeAddress(read(value)) === null) faults.push(value);
    }
    return "";
  });
  return { faults: [...faults, ...(words.match(/[<>]/g) ?? [])], words: read(words) };
}

const element = (name: string, ...children: (Y.XmlElement | Y.XmlText)[]) => {
  const made = new Y.XmlElement(name);
  made.insert(0, children);
  return made;
};
const marked = (words: string, marks: Record<string, unknown>) => {
  const text = new Y.XmlText();
  text.applyDelta([{ insert: words, attributes: marks }]);
  return text;
};

/** Creates a document that has these words in every block and mark. */
function documentOf(words: string, address: string, clientId = 7): Y.Doc {
  const doc = new Y.Doc({ gc: false });
  doc.clientID = clientId;
  const code = element("codeBlock", new Y.XmlText(words));
  code.setAttribute("language", words.slice(0, 32));
  doc
    .getXmlFragment("default")
    .insert(0, [
      element("paragraph", new Y.XmlText(words)),
      element("heading", new Y.XmlText(words)),
      element("paragraph", marked(words, { code: {} }), marked("x", { link: { href: address } })),
      element("bulletList", element("listItem", element("paragraph", marked(words, { bold: {} })))),
      element("blockquote", code),
      element(
        "table",
        element("tableRow", element("tableCell", element("paragraph", new Y.XmlText(words)))),
      ),
    ]);
  return doc;
}

const addressAt = (index: number) => hostileAddresses[index % hostileAddresses.length] ?? "";

describe("hostile words", () => {
  it("[HOSTILE-1] [EDIT-3] are text in a document's HTML", () => {
    for (const [index, words] of everything.entries()) {
      const fragment = documentOf(words, addressAt(index)).getXmlFragment("default");
      for (const html of [
        staticHtml(fragment),
        editorHtml(fragment),
        beginningHtml(fragment, 200).html,
      ]) {
        expect(readHtml(html).faults, words.slice(0, 80)).toEqual([]);
      }
      const shown = readHtml(staticHtml(fragment)).words;
      expect(shown.split(words).length - 1, words.slice(0, 80)).toBeGreaterThanOrEqual(6);
    }
  });

  it("[HOSTILE-1] are no markup as the name of a node, mark or attribute", () => {
    for (const name of hostileNames)
      for (const value of ["window.__pwned=1", "javascript:window.__pwned=1", "1"]) {
        const doc = new Y.Doc();
        const named = element(name, new Y.XmlText("x"));
        for (const attribute of hostileNames) named.setAttribute(attribute, value);
        const text = marked("x", { [name]: { [name]: value, href: value }, link: { href: value } });
        doc.getXmlFragment("default").insert(0, [named, element("paragraph", text)]);
        const { faults } = readHtml(staticHtml(doc.getXmlFragment("default")));
        expect(faults, `${name} ${value}`).toEqual([]);
        expect(documentMarkdown("t", doc.getXmlFragment("default"))).not.toMatch(/\]\(javascript/);
        const update = encodeEdits([{ update: Y.encodeStateAsUpdate(doc), time: 0 }]);
        const judged = row({ version: 2, actorId: "Ana", clientIds: [doc.clientID], update }, 0);
        expect(() => accept(judged, noBindings(nowhere))).not.toThrow();
      }
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("[HOSTILE-1] [BUNDLE-7] are text in a document's Markdown", () => {
    for (const [index, words] of everything.entries()) {
      const fragment = documentOf(words, addressAt(index)).getXmlFragment("default");
      const markdown = documentMarkdown(words.slice(0, 300), fragment);
      expect(markdown.split("\n", 1)[0], words.slice(0, 80)).toMatch(/^# /);
      // Outside of code, every character that could open markup or a link is escaped with a
      // backslash.
      const outside = markdown
        .replace(/^( *(?:> )*)(`{3,}).*\n[^]*?^\1\2$/gm, "")
        .replace(/(?<![\\`])(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, "")
        .replace(/\[x\]\((?:\\.|[^\\()])*\)/g, "");
      expect(outside.match(/(?<!\\)(?:\\\\)*<|(?<!\\)(?:\\\\)*\[/g), words.slice(0, 80)).toBeNull();
    }
  });

  it("[HOSTILE-1] [BUNDLE-7] are text in every file of a bundle, which stays valid", async () => {
    const words = Object.values(hostileWords);
    const docs = documentOf([...words, ...hostileHtml].join("\n").slice(0, 30_000), "/d/1");
    const update = encodeEdits([
      { update: Y.encodeStateAsUpdate(docs), time: Date.parse(unhashed(2).clientTime) },
    ]);
    for (const title of [words.join(" ").slice(0, 300), hostileWords.lines ?? ""]) {
      const rows = await hashed([
        unhashed(1, { bodyText: JSON.stringify({ workspaceId: unhashed(1).workspaceId, title }) }),
        unhashed(2, { clientIds: [7], update }),
      ]);
      const bytes = await bundleOf(rows);
      expect((await checkBundle(bytes, () => undefined)).rendered).toBe(true);
      const files = unpackZip(bytes);
      const html = new TextDecoder().decode(files.get("text/document.html"));
      expect(readHtml(/<body>([^]*)<\/body>/.exec(html)?.[1] ?? "<").faults).toEqual([]);
      const player = new TextDecoder().decode(files.get("player.html"));
      expect(player.match(/<script/g)).toHaveLength(2);
    }
  });

  it("[HOSTILE-1] [BUNDLE-1] make file names without a path, device, bidi or control character", () => {
    for (const words of everything) {
      const name = fileStem(words);
      expect(name).not.toMatch(/[\\/:*?"<>|\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      expect(name).toMatch(/^[^ .].*[^ .]$|^[^ .]$/u);
      expect(new TextEncoder().encode(name).length).toBeLessThan(240);
    }
    // Marks that change the text direction, and one that used to be a space.
    expect(fileStem("a\u061cb\u180ec\u200ed")).toBe("a b c d");
  });

  it("[HOSTILE-1] stay on one line of a terminal or log, and within their name", () => {
    for (const words of everything) {
      expect(terminalLine(words)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
      expect(logLine(words)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/);
      expect(isolated(words)).not.toMatch(/[\u202a-\u202e\u2066\u2067]/);
      expect(() => normalizedName(words)).not.toThrow();
    }
  });

  it("[HOSTILE-1] are no markup in a mail", () => {
    for (const words of everything) {
      const { html } = filled({ subject: "s", html: "<p>{{ .Name }}</p>" }, { Name: words });
      expect(readHtml(html).faults, words.slice(0, 80)).toEqual([]);
    }
  });

  it("[HOSTILE-1] [EDIT-1] make no address that runs or misleads", () => {
    for (const words of everything)
      for (const address of [safeAddress(words), addressFromInput(words)]) {
        if (address === null) continue;
        const { protocol, origin } = new URL(address, "https://ours.example");
        expect(["https:", "http:", "mailto:"], words).toContain(protocol);
        if (/^[/?#]/.test(address)) expect(origin).toBe("https://ours.example");
      }
  });

  it("[HOSTILE-3] lead to no other site after signing in", () => {
    for (const words of everything)
      for (const asked of [words, `/${words}`, `/d/1?at=${words}`, `/auth/confirm?next=${words}`]) {
        const path = nextPath(asked, "https://ours.example");
        expect(new URL(path, "https://ours.example").origin, asked.slice(0, 80)).toBe(
          "https://ours.example",
        );
        expect(path).toMatch(/^\/(?![/\\])/);
      }
  });

  it("[HOSTILE-3] add no header through the name of a download", async () => {
    for (const words of storable) {
      const address = `https://ours.example/o?download=${encodeURIComponent([...words].slice(0, 300).join(""))}`;
      const headers = { etag: '"1"', "content-length": "1" };
      const response = await asDownload(
        new Request(address),
        new URL(address),
        new Response("x", { headers }),
      );
      const value = response.headers.get("content-disposition") ?? "";
      expect([...response.headers.keys()].sort()).toEqual(
        ["accept-ranges", "content-disposition", "content-length", "content-type", "etag"].filter(
          (key) => response.headers.has(key),
        ),
      );
      expect(value).toMatch(
        /^attachment(; filename="[^"\\]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]*)?$/,
      );
    }
  });

  it("[HOSTILE-3] are values in an auth body, or refused", () => {
    for (const words of everything) {
      const bytes = new TextEncoder().encode(
        JSON.stringify({ email: words, data: { [words]: words } }),
      );
      const parsed = parseAuthBody(bytes, new Headers({ "content-type": "application/json" }));
      if (parsed !== null) expect(parsed.email).toBe(words);
      expect(parseAuthBody(new TextEncoder().encode(words), new Headers())).toBeNull();
    }
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it("[HOSTILE-1] [EDIT-1] [EDIT-33] are text and safe links when read as Markdown", () => {
    const read = (markdown: string) => {
      const doc = readMarkdown(markdown);
      doc.check();
      const fragment = new Y.Doc().getXmlFragment("default");
      prosemirrorToYXmlFragment(doc, fragment);
      expect(inspectContent(fragment), markdown.slice(0, 80)).toBeNull();
      expect(readHtml(staticHtml(fragment)).faults, markdown.slice(0, 80)).toEqual([]);
    };
    for (const words of everything) for (const before of beforeWords) read(`${before}${words}`);
    for (const address of hostileAddresses) {
      read(`[x](${address})`);
      read(`![x](<${address}>)`);
      read(`[x][1]\n\n[1]: ${address}`);
      read(`<${address}>`);
    }
  });

  it("[HOSTILE-1] [EDIT-1] [EDIT-34] make only safe links when typed", () => {
    for (const words of [
      ...hostileAddresses,
      ...hostileAddresses.map((each) => `www.a.example/${each}`),
    ]) {
      const { ana } = pair();
      ana.dispatch(ana.state.tr.insertText(words.replace(/[\r\n]/g, "").slice(0, 2_000)));
      const space = ana.state.tr.insertText(" ");
      ana.dispatch(space);
      const linked = autoLink(space, ana.state);
      linked?.doc.descendants(({ marks }) => {
        for (const { attrs } of marks) expect(safeAddress(attrs.href), words).toBe(attrs.href);
      });
    }
  });

  it("[HOSTILE-1] [FINDBAR-1] are found literally in a text", () => {
    for (const words of everything.filter(({ length }) => length <= longestQuery)) {
      const block = documentSchema.node("paragraph", null, documentSchema.text(`x${words}y`));
      const finder = new Finder({ words, matchCase: true, wholeWords: false });
      expect(finder.hitsIn(documentSchema.node("doc", null, block)).length, words).toBe(1);
    }
  });

  it("[HOSTILE-1] are found literally in deleted text, and break no search", () => {
    const words = Object.values(hostileWords).filter(({ length }) => length <= longestSearch);
    const timeline = timelineOf(words.join("\n"));
    for (const each of words)
      expect(searchThroughTime(timeline, each).length, each).toBeGreaterThan(0);
  });
});

function timelineOf(words: string) {
  const doc = new Y.Doc({ gc: false });
  doc.clientID = 7;
  const paragraph = element("paragraph", new Y.XmlText(words.slice(0, 5_000)));
  doc.getXmlFragment("default").insert(0, [paragraph]);
  const edit = { update: Y.encodeStateAsUpdate(doc), time: 0, actorId: "Ana" };
  return openTimeline(stream("t", [[edit]]));
}

it("[HOSTILE-2] the search uses as many letters as it states, and drops the rest", () => {
  const timeline = timelineOf("a".repeat(longestSearch));
  const found = [-1, 0, 1].map((more) => {
    const words = "a".repeat(longestSearch + more);
    return searchThroughTime(timeline, words)[0]?.text.length;
  });
  expect(found).toEqual([longestSearch - 1, longestSearch, longestSearch]);
});

describe("a run of one character", () => {
  const length = cases(60_000);
  const works: Record<string, (words: string) => unknown> = {
    HTML: (words) => staticHtml(documentOf(words, "https://a.example/").getXmlFragment("default")),
    Markdown: (words) =>
      documentMarkdown("t", documentOf(words, "https://a.example/").getXmlFragment("default")),
    "reading Markdown": (words) => beforeWords.map((before) => readMarkdown(`${before}${words}`)),
    names: (words) => [fileStem(words), normalizedName(words), isolated(words)],
    addresses: (words) => [
      safeAddress(words),
      addressFromInput(words),
      nextPath(words),
      nextPath(`/${words}`),
    ],
    lines: (words) => [terminalLine(words), logLine(words)],
    searching: (words) => searchThroughTime(timelineOf(words), words),
    mails: (words) => filled({ subject: "", html: "{{ .Name }}" }, { Name: words }),
  };

  it.each(Object.entries(works))("[HOSTILE-2] takes no longer than letters: %s", (_name, work) => {
    // CPU time, so that waiting for other processes does not count.
    const taken = (words: string) => {
      const begun = process.cpuUsage();
      work(words);
      const { user, system } = process.cpuUsage(begun);
      return (user + system) / 1_000;
    };
    const calm = "*a\n".repeat(length / 3);
    taken(calm);
    const least = Math.max(cases(10), taken(calm), taken(calm));
    for (const [name, bomb] of Object.entries(bombs)) {
      const row = bomb.repeat(Math.ceil(length / bomb.length));
      // Garbage collection and compilation affect one run, not every run.
      const times = [taken(row)];
      while (times.length < 5 && Math.min(...times) >= 20 * least) times.push(taken(row));
      expect(Math.min(...times), name).toBeLessThan(20 * least);
    }
  });
});
