/** A name as it can stand in a sentence: what does not print is written out, and what is long is cut. */
export function shownName(name: string): string {
  const text = JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name)
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}
