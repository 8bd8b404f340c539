"use client";

import { type ComponentType, useCallback, useRef, useState } from "react";
import { Button } from "@/components/ui/button";

type Props = {
  name: string;
  /** Does it, and says how far it is, until it is done or called off. */
  Transfer: ComponentType<{ onEnd: () => void }>;
};

/** A button that begins a transfer, shows it below, and has the focus again at its end. */
export function TransferButton({ name, Transfer }: Props) {
  const [isMaking, setMaking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const end = useCallback(() => {
    setMaking(false);
    button.current?.focus();
  }, []);
  return (
    <>
      <Button ref={button} look="edge" busy={isMaking} onClick={() => setMaking(true)}>
        {name}
      </Button>
      {isMaking && <Transfer onEnd={end} />}
    </>
  );
}
