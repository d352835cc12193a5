/**
 * Characters that would hide, reorder or break what is shown: controls, bidirectional overrides and isolates,
 * zero-width ones, line and paragraph separators, tags, lone surrogates.
 */
const hidden =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu

function escape(character: string): string {
  switch (character) {
    case '\n':
      return '\\n'
    case '\r':
      return '\\r'
    case '\t':
      return '\\t'
    default: {
      const code = character.codePointAt(0) ?? 0
      return code > 0xffff
        ? `\\u{${code.toString(16)}}`
        : `\\u${code.toString(16).padStart(4, '0')}`
    }
  }
}

/** `text` with every character that would not show, or would change how others show, written as an escape. */
export function visible(text: string): string {
  return text.replace(hidden, escape)
}

/** As `visible`, in pieces: those that are escapes can be drawn differently from text that merely looks like one. */
export function visibleParts(text: string): { text: string; escaped: boolean }[] {
  const parts: { text: string; escaped: boolean }[] = []
  let from = 0
  for (const match of text.matchAll(hidden)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), escaped: false })
    parts.push({ text: escape(match[0]), escaped: true })
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
