/**
 * Warnings that packages repeat at every start and that nobody here can act on.
 * @param {string} text
 */
export function isKnownWarning(text) {
  return /^(⚠️ {2}Node\.js 20 and below are deprecated|EXPERIMENTAL FEATURES ENABLED: storage)/u.test(
    text,
  );
}
