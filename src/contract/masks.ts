/** Replaces a secret in a record. A marker in hostile text is harmless, because only an explicit call reveals a value. */
export const maskMarker = (name: string): string => `«${name}»`

/** The first group is the name. */
export const maskPattern = /«([a-z][a-z0-9_]{0,39})»/g

export interface MaskedPart {
  readonly name: string | null
  readonly text: string
}

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
