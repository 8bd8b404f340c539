/** Draws the brand mark: three written lines over three earlier ones, turned by 90 degrees. */
export function BrandMark({ size = 18 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 18 18"
      fill="none"
      strokeWidth="1.6"
      strokeLinecap="square"
      aria-hidden
      focusable="false"
    >
      <path d="M4.5 2v14M9 2v14M13.5 2v9" stroke="var(--ghost)" />
      <path d="M2 4.5h14M2 9h14M2 13.5h8.5" stroke="currentColor" />
    </svg>
  );
}
