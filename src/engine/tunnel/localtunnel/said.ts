const most = 200

/** What a server said, as it can stand in a sentence: on one line, printable, not long, without a full stop at its end. */
export function said(text: string): string {
  const line = text
    .slice(0, 4000)
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .replace(/\.+$/, '')
  const characters = [...line]
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : line
}
