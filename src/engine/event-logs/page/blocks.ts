import type { PageBlockKind } from '#contract/log-page.ts'

/**
 * JSON that may stand in a script element of HTML: without `<` nothing in it begins or ends an element or a comment, whatever it says
 * (HTML, 4.12.1.3). Other characters that a parser would change are escaped by JSON itself.
 */
export function blockJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[<\u2028\u2029]/g, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

export function blockBegin(kind: PageBlockKind): string {
  return `<script type="application/json" data-log="${kind}">`
}

export const blockEnd = '</script>\n'

/** A block of one line. */
export function block(kind: PageBlockKind, value: unknown): string {
  return blockBegin(kind) + blockJson(value) + blockEnd
}
