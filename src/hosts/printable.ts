/**
 * Text of others, made safe for a terminal or a log: control characters, line breaks and the marks that turn the direction of
 * writing are escaped, so that no delivery can forge a line or drive the terminal.
 */
export function printable(text: string): string {
  return text.replaceAll(
    /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}

/** The same for a text of several lines, whose line breaks stay. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}
