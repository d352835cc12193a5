/**
 * Characters that would hide, reorder or break what is shown: controls, bidirectional overrides and isolates,
 * zero-width ones, line and paragraph separators, tags, lone surrogates.
 */
export const hiddenCharacters =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu

/** How one of them is written. */
export function escapeOf(character: string): string {
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

/**
 * `text` with every character that would not show, or would change how others show, written as an escape: so no delivery can forge a line,
 * or drive a terminal.
 */
export function visible(text: string): string {
  return text.replace(hiddenCharacters, escapeOf)
}

/** The same for a text of several lines, whose line breaks stay. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n')
}
