// `next dev` and `next build` write `next-env.d.ts`; types must also check on a clone that has run
// neither.
/// <reference types="next" />
