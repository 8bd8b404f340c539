/**
 * Passes warnings that are Error objects past Supabase Lite's `emitWarning`. Lite treats every
 * warning as a string, so an Error from Node, such as MaxListenersExceededWarning, would crash the
 * process.
 */
export function passErrorWarnings(
  target: Pick<NodeJS.Process, "emitWarning" | "nextTick" | "emit"> = process,
): void {
  const ofTexts = target.emitWarning.bind(target);
  target.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    // Node calls listeners on the next tick too.
    if (warning instanceof Error) target.nextTick(() => target.emit("warning", warning));
    else Reflect.apply(ofTexts, target, [warning, ...rest]);
  };
}
