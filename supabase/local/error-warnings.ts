/**
 * Lets warnings that are errors pass. Supabase Lite looks into every warning as if it were a text, so
 * that one which Node makes as an error, of too many listeners for instance, would end the process.
 */
export function passErrorWarnings(
  target: Pick<NodeJS.Process, "emitWarning" | "nextTick" | "emit"> = process,
): void {
  const ofTexts = target.emitWarning.bind(target);
  target.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    // As Node does: whoever listens hears of it in a turn of its own.
    if (warning instanceof Error) target.nextTick(() => target.emit("warning", warning));
    else Reflect.apply(ofTexts, target, [warning, ...rest]);
  };
}
