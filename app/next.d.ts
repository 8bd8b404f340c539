// `next-env.d.ts` is written by `next dev` and `next build`; types must hold on a clone that has run neither.
/// <reference types="next" />
