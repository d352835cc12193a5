/** A place in a text. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** RFC 5321, 4.5.3.1, with room for what is longer than allowed. */
const longestLocal = 320
const longestDomain = 512

const localCharacter = /[\p{L}\p{N}\p{M}._%+\-!#$'*~^]/u
const localEdge = /^[.'*~^#!$-]+/
const domainAhead =
  /(?:[\p{L}\p{N}][\p{L}\p{N}\p{M}_-]{0,62}[.\u3002]){1,127}(?:xn--[a-z0-9-]{2,59}|\p{L}[\p{L}\p{M}]{1,62})|\[(?:\d{1,3}(?:\.\d{1,3}){3}|ipv6:[0-9a-f:.]{2,45})\]|localhost\b/iuy

/** E-mail addresses in a text (RFC 5322, with RFC 6531): also with letters of any script, and with a quoted local part. */
export function emailsIn(text: string): Span[] {
  const found: Span[] = []
  let behind = 0
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const from = localStart(text, at, behind)
    if (from === at) continue
    domainAhead.lastIndex = at + 1
    const domain = domainAhead.exec(text)
    if (!domain) continue
    const to = at + 1 + domain[0].length
    found.push({ from, to })
    behind = to
  }
  return found
}

function localStart(text: string, at: number, floor: number): number {
  if (text[at - 1] === '"') {
    const open = text.lastIndexOf('"', at - 2)
    const inside = open < floor || at - open > longestLocal ? '' : text.slice(open + 1, at - 1)
    if (inside !== '' && !/[\r\n]/.test(inside)) return open
  }
  let from = at
  const least = Math.max(floor, at - longestLocal)
  while (from > least && localCharacter.test(characterBefore(text, from))) {
    from -= characterBefore(text, from).length
  }
  const edge = localEdge.exec(text.slice(from, at))
  return edge ? from + edge[0].length : from
}

/** The character before a place: both halves of a pair of surrogates. */
function characterBefore(text: string, at: number): string {
  const code = text.charCodeAt(at - 1)
  return code >= 0xdc00 && code <= 0xdfff ? text.slice(at - 2, at) : text.charAt(at - 1)
}

/** The whole text is one address. */
export function isEmail(text: string): boolean {
  if (text.length > longestLocal + longestDomain || !text.includes('@')) return false
  const [first] = emailsIn(text)
  return first !== undefined && first.from === 0 && first.to === text.length
}
