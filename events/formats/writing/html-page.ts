import { escapedHtml } from "@/events/core/text/escaped-html";

type Page = {
  title: string;
  /** The language of the page's words, or null for words that people wrote. */
  language: string | null;
  style: string;
  /** Additions to the page's content security policy, which otherwise allows only its own style. */
  policy?: string;
  /** The body's HTML, with every letter escaped. */
  body: string;
};

/** Returns a self-contained page without scripts, whose policy forbids requests. */
export function htmlPage({ title, language, style, policy = "", body }: Page): string {
  return `<!doctype html>
<html${language === null ? "" : ` lang="${language}"`}>
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedHtml(title)}</title>
<style>${style}
</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}
