"use client";

import { useRouter } from "next/navigation";
import { startTransition, type ComponentProps, type MouseEvent } from "react";

type Props = ComponentProps<"a"> & { href: string; scroll?: boolean };

/**
 * A link within the product, followed without a reload. Next's own fetches pages ahead as well,
 * which costs every page its code.
 */
export function Link({ href, scroll = true, onClick, ...rest }: Props) {
  const router = useRouter();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
    const elsewhere =
      (rest.target !== undefined && rest.target !== "_self") || rest.download !== undefined;
    if (
      event.defaultPrevented ||
      button !== 0 ||
      metaKey ||
      ctrlKey ||
      shiftKey ||
      altKey ||
      elsewhere
    )
      return;
    event.preventDefault();
    startTransition(() => router.push(href, { scroll }));
  };
  return <a {...rest} href={href} onClick={follow} />;
}
