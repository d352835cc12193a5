/** How the lines of a text end. `none`: it has one line. `mixed`: not all of them alike, or a return that stands alone. */
export type LineEnds = 'none' | 'lf' | 'crlf' | 'mixed'

export function lineEndsOf(text: string): LineEnds {
  let returns = 0
  let pairs = 0
  let feeds = 0
  for (let at = text.indexOf('\r'); at >= 0; at = text.indexOf('\r', at + 1)) {
    returns += 1
    if (text[at + 1] === '\n') pairs += 1
  }
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) feeds += 1
  if (returns === 0) return feeds === 0 ? 'none' : 'lf'
  return pairs === returns && pairs === feeds ? 'crlf' : 'mixed'
}

/**
 * What an editor must split the text at to give it back as it was. Where line ends are mixed it is the line feed: every return then stays
 * in its line as a character that is shown.
 */
export function separatorOf(ends: LineEnds): '\n' | '\r\n' {
  return ends === 'crlf' ? '\r\n' : '\n'
}

/** A text with its line ends as `separator`: for what is pasted. */
export function withLineEnds(text: string, separator: '\n' | '\r\n'): string {
  return text.replace(/\r\n?|\n/g, separator)
}
