import { escapedHtml } from "@/events/core/text/escaped-html";

type Page = {
  title: string;
  /** The language of its words; null where they are somebody's own. */
  language: string | null;
  style: string;
  /** What its policy allows beside its own style. */
  policy?: string;
  /** HTML of what stands in it, in which every letter is escaped. */
  body: string;
};

/** A page that needs nothing else: it has no script, and its policy lets it ask nobody for anything. */
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
