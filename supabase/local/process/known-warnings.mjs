/**
 * Whether a text is a warning that a package repeats at every start and that needs no action.
 * @param {string} text
 */
export function isKnownWarning(text) {
  return /^(⚠️ {2}Node\.js 20 and below are deprecated|EXPERIMENTAL FEATURES ENABLED: storage)/u.test(
    text,
  );
}
