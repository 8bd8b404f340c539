/**
 * Returns the UPDATEs and DELETEs without WHERE in a function's text, which `safeupdate` refuses on
 * a hosted project. Statements in string literals for EXECUTE count as well.
 */
export function unboundedChanges(source: string): string[] {
  const { code, literals } = withoutLiterals(source);
  const found: string[] = [];
  const change = /\b(delete\s+from|update(?!\s+skip\b)(?!\s+of\b))\s+(only\s+)?([\w.%"]+)/gi;
  for (const match of code.matchAll(change)) {
    const before = code.slice(0, match.index).trimEnd();
    // `for update`, `before update on`, `do update set`, `or update`, `grant update on`.
    if (/\b(for|key|before|after|do|or|on|grant|revoke|,)$/i.test(before)) continue;
    const rest = statementAt(code, match.index);
    const isUpdate = /^update/i.test(match[0]);
    if (isUpdate && !/\bset\b/i.test(rest)) continue;
    if (!/\bwhere\b/i.test(outermost(rest))) found.push(rest.replace(/\s+/g, " ").trim());
  }
  return [...found, ...literals.flatMap((literal) => unboundedChanges(literal))];
}

/** Returns the text up to the semicolon or the parenthesis that ends the statement. */
function statementAt(code: string, start: number): string {
  let depth = 0;
  for (let index = start; index < code.length; index += 1) {
    const char = code[index];
    if (char === "(") depth += 1;
    if (char === ")") depth -= 1;
    if (depth < 0 || (char === ";" && depth === 0)) return code.slice(start, index);
  }
  return code.slice(start);
}

/** Removes parenthesised parts: a WHERE of a subquery does not bound the statement. */
function outermost(code: string): string {
  let text = code;
  for (let before = ""; before !== text;) [before, text] = [text, text.replace(/\([^()]*\)/g, " ")];
  return text;
}

function withoutLiterals(source: string): { code: string; literals: string[] } {
  const literals: string[] = [];
  const code = source.replace(
    /--[^\n]*|\/\*[\s\S]*?\*\/|'((?:[^']|'')*)'|\$(\w*)\$([\s\S]*?)\$\2\$/g,
    (whole, quoted?: string, _tag?: string, dollar?: string) => {
      const literal = quoted ?? dollar;
      if (literal === undefined) return " ";
      literals.push(literal.replaceAll("''", "'"));
      return "''";
    },
  );
  return { code, literals };
}
