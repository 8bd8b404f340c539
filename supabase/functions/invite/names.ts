const most = 40;

/** Invisible characters, and characters that change the direction of the text behind them. */
const unseen =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]/gu;
const quotationMarks = /["“”„‟«»‹›「」『』〝〞〟＂<>]/gu;
/** A word that a mail program could turn into a link: with a scheme, a mailbox, or a domain. */
const address =
  /:\/|:\\|@|(www|ftp)\.|(mailto|tel|sms|javascript|data|file|https?):|[\p{L}\p{N}_-][.。․‧]\p{L}{2}|^\d{1,3}(\.\d{1,3}){3}/iu;

/**
 * A name that a person chose, as it may stand in a mail to a stranger: at most 40 letters, no
 * addresses, no invisible or turning characters, no marks that would end its quotation. Empty where
 * nothing is left.
 */
export function tamedName(name: string): string {
  const words = name
    .slice(0, 2000)
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]/g, " ")
    .replace(unseen, "")
    .normalize("NFKC")
    .replace(unseen, "")
    .replace(quotationMarks, "")
    // Marks piled on one letter cover the lines above it.
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
