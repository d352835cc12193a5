import { escapeControls, escapeOf, hiddenCharacters } from '#shared/text/visible.ts'

// Exported files escape the same characters, so the list is shared.
export { escapeControls } from '#shared/text/visible.ts'

/** Like `escapeControls`, but in parts, so that escapes can be styled differently from text that only looks like one. */
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

/** At most `length` characters, truncated with an ellipsis and never within a surrogate pair. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text
  const end = /[\ud800-\udbff]/.test(text.charAt(length - 2)) ? length - 2 : length - 1
  return `${text.slice(0, end)}…`
}

/** Untrusted text of at most `length` characters, with invisible and control characters shown as escapes. */
export function shortText(text: string, length: number): string {
  return escapeControls(truncate(text, length))
}
