/**
 * Control, bidirectional, zero-width and tag characters, separators and lone surrogates: they hide, reorder or break displayed text. A zero-width joiner
 * between two pictographs is part of an emoji, such as that of a family.
 */
export const hiddenCharacters =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|(?<!\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d|\u200d(?!\p{Extended_Pictographic})|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu

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

/** Escapes hidden characters, so that a delivery can neither forge a line of output nor control a terminal. */
export function escapeControls(text: string): string {
  return text.replace(hiddenCharacters, escapeOf)
}

/** Uses escapes of JSON in its strings, so that it stays valid. */
export function visibleJson(json: string, hidden: RegExp = hiddenCharacters): string {
  return json.replace(hidden, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      const unit = character.charCodeAt(index).toString(16).padStart(4, '0')
      return String.raw`\u${unit}`
    }).join(''),
  )
}

export function visibleLines(text: string): string {
  return text.split('\n').map(escapeControls).join('\n')
}
