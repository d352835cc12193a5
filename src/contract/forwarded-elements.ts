/**
 * The elements of a `Forwarded` header (RFC 7239, section 4): for each, its values by parameter name in lower case. What does not follow the
 * grammar is taken as far as it can be, and never throws.
 */
export function readForwarded(value: string): ReadonlyMap<string, string>[] {
  return splitOutside(value, ',').flatMap((element) => {
    const pairs = splitOutside(element, ';').flatMap((pair): [string, string][] => {
      const at = pair.indexOf('=')
      if (at < 1) return []
      return [[pair.slice(0, at).trim().toLowerCase(), unquoted(pair.slice(at + 1).trim())]]
    })
    // Of a name that comes twice in one element the first counts: the grammar allows it once.
    return pairs.length === 0 ? [] : [new Map(pairs.toReversed())]
  })
}

/** Splits at a character where it stands outside of quotation marks; one that is never closed reaches to the end. */
function splitOutside(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = []
  let from = 0
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (quoted && character === '\\') at += 1
    else if (character === '"') quoted = !quoted
    else if (character === separator && !quoted) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}

function unquoted(text: string): string {
  if (!text.startsWith('"')) return text
  return text.replace(/^"|"$/g, '').replaceAll(/\\(.)/gs, '$1')
}
