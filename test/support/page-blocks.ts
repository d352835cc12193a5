import type { Blocks } from '#viewer/log/blocks.ts'

const block = /<script type="application\/json" data-log="(\w+)">([^]*?)<\/script>/g

/** Returns the blocks of a page's source, like a browser does for its document. */
export function blocksOf(page: string): Blocks {
  const found = [...page.matchAll(block)].map(([, kind, text = '']) => ({ kind, text }))
  return {
    of: (kind) =>
      found
        .filter((one) => one.kind === kind)
        .map(
          ({ text }) =>
            () =>
              text,
        ),
  }
}
