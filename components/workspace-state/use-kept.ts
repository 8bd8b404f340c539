import { equalityDeep } from "lib0/function";
import { useState } from "react";

/** Returns the value of an earlier render while it is deeply equal, so copies cause no render. */
export function useKept<Value extends object>(value: Value): Value {
  const [kept, setKept] = useState(value);
  if (equalityDeep(kept, value)) return kept;
  setKept(value);
  return value;
}
