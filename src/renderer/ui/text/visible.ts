import { escapeOf, hiddenCharacters } from '#shared/text/visible.ts'

// Hidden characters are the same ones in what leaves as a file, so they are told in the contract.
export { visible } from '#shared/text/visible.ts'

/** As `visible`, in pieces: those that are escapes can be drawn differently from text that merely looks like one. */
export function visibleParts(text: string): { text: string; escaped: boolean }[] {
  const parts: { text: string; escaped: boolean }[] = []
  let from = 0
  for (const match of text.matchAll(hiddenCharacters)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), escaped: false })
    parts.push({ text: escapeOf(match[0]), escaped: true })
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push({ text: text.slice(from), escaped: false })
  return parts
}

/** At most `length` characters, cut with an ellipsis and never through a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const end = /[\ud800-\udbff]/.test(text.charAt(length - 2)) ? length - 2 : length - 1
  return `${text.slice(0, end)}…`
}
