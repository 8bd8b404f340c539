import { escapedHtml } from "@/events/core/text/escaped-html";

type Page = {
  title: string;
  /** The language of its words; null for people's own words. */
  language: string | null;
  style: string;
  /** Additions to its content security policy, which otherwise allows only its own style. */
  policy?: string;
  /** The body's HTML, with every letter escaped. */
  body: string;
};

/** A self-contained page without scripts; its policy forbids requests. */
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
