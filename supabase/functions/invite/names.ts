const most = 40;

/** Invisible characters, and characters that change the text direction. */
const unseen =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]/gu;
const quotationMarks = /["“”„‟«»‹›「」『』〝〞〟＂<>]/gu;
/** A word that a mail client could turn into a link: a scheme, an email address or a domain. */
const address =
  /:\/|:\\|@|(www|ftp)\.|(mailto|tel|sms|javascript|data|file|https?):|[\p{L}\p{N}_-][.。․‧]\p{L}{2}|^\d{1,3}(\.\d{1,3}){3}/iu;

/**
 * Sanitises a user-chosen name for a mail to a stranger: at most 40 letters, without addresses,
 * invisible or direction-changing characters, or marks that would end its quotation. May be empty.
 */
export function tamedName(name: string): string {
  const words = name
    .slice(0, 2000)
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]/g, " ")
    .replace(unseen, "")
    .normalize("NFKC")
    .replace(unseen, "")
    .replace(quotationMarks, "")
    // Stacked combining marks would cover the lines above.
    .replace(/(\p{M}{3})\p{M}+/gu, "$1")
    .split(/\s+/u)
    .filter((word) => word !== "" && !address.test(word))
    .join(" ");
  const letters = [...new Intl.Segmenter("en").segment(words)].map(({ segment }) => segment);
  return letters.length > most
    ? `${letters
        .slice(0, most - 1)
        .join("")
        .trim()}…`
    : words;
}
