/**
 * A secret in a record stands as a marker, `«name»`: the text stays readable, and the value can be asked for one at a time under that
 * name. A hostile text that holds a marker of its own gains nothing: it names what only an explicit call reveals.
 */
export const maskMarker = (name: string): string => `«${name}»`

/** Finds markers; the first group is the name. */
export const maskPattern = /«([a-z][a-z0-9_]{0,39})»/g

/** A secret that a record holds back. */
export interface MaskedPart {
  readonly name: string | null
  readonly text: string
}

/** A text cut at its markers: parts with a name are secrets, parts without are shown as they are. */
export function splitMasks(text: string): MaskedPart[] {
  const parts: MaskedPart[] = []
  let from = 0
  for (const match of text.matchAll(maskPattern)) {
    if (match.index > from) parts.push({ name: null, text: text.slice(from, match.index) })
    parts.push({ name: match[1] ?? null, text: match[0] })
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push({ name: null, text: text.slice(from) })
  return parts
}
