import type { PageBlockKind } from '#contract/log-page.ts'

/** The text of each block of the page, read when it is wanted: a page may have tens of thousands. */
export interface Blocks {
  readonly of: (kind: PageBlockKind) => readonly (() => string)[]
}

/** The blocks that stand in a document. Nothing of them is parsed as HTML, now or later. */
export function blocksIn(document: Document): Blocks {
  return {
    of: (kind) =>
      Array.from(
        document.querySelectorAll(`script[data-log="${kind}"]`),
        (element) => () => element.textContent,
      ),
  }
}
