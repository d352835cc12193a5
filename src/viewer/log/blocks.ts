import type { z } from 'zod'
import type { PageBlockKind } from '#contract/log-page.ts'

/** The text of each block of the page, read on demand because a page may have tens of thousands of blocks. */
export interface Blocks {
  readonly of: (kind: PageBlockKind) => readonly (() => string)[]
}

/** Returns the blocks of a document. Their content is never parsed as HTML. */
export function blocksIn(document: Document): Blocks {
  return {
    of: (kind) =>
      Array.from(
        document.querySelectorAll(`script[data-log="${kind}"]`),
        (element) => () => element.textContent,
      ),
  }
}

/** Parses a line of a block; null if it is damaged. */
export function readLine<S extends z.ZodType>(schema: S, line: string): z.output<S> | null {
  try {
    const value: unknown = JSON.parse(line)
    return schema.safeParse(value).data ?? null
  } catch {
    return null
  }
}

/** Returns the first line of a text. */
export function firstLine(text: string): string {
  const end = text.indexOf('\n')
  return end === -1 ? text : text.slice(0, end)
}
