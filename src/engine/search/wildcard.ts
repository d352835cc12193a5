/**
 * A test for text that consists of these pieces with any characters between them, none included. Takes time in proportion to the text,
 * whatever the pieces: each is looked for once, behind the one before.
 */
export function wildcard(pieces: readonly string[]): (text: string) => boolean {
  const first = pieces[0] ?? ''
  const last = pieces.at(-1) ?? ''
  if (pieces.length === 1) return (text) => text === first
  const between = pieces.slice(1, -1).filter((piece) => piece !== '')
  return (text) => {
    if (!text.startsWith(first)) return false
    let at = first.length
    for (const piece of between) {
      const found = text.indexOf(piece, at)
      if (found < 0) return false
      at = found + piece.length
    }
    return text.length - last.length >= at && text.endsWith(last)
  }
}
