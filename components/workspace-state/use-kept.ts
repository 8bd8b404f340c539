import { equalityDeep } from "lib0/function";
import { useState } from "react";

/** The value of an earlier render for as long as it says the same, so that nothing renders for a mere copy of it. */
export function useKept<Value extends object>(value: Value): Value {
  const [kept, setKept] = useState(value);
  if (equalityDeep(kept, value)) return kept;
  setKept(value);
  return value;
}
