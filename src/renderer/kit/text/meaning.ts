import { type Mark, marksOf, searchTermsOf } from './search-terms.ts'

// Finds texts by what a question is about: without words that every question has, and with other forms and synonyms of the rest. English only.

/** One thing that a query is about. */
export interface Meaning {
  /** The start of the word itself, in any form. */
  readonly own: string
  /** The starts of words that mean about the same. */
  readonly others: readonly string[]
  /** What to do with it, such as "change": texts often use another word or none. */
  readonly optional: boolean
}

const stopWords = new Set(
  `a about all am an and any are as at be by can cannot can't could did do does doesn't don't everything for from get give has have help how i i'm
   if in into is isn't it its me my of on or our please should so than that the their them then there these this to up was we what what's
   when where which who why will with would you your`.split(/\s+/),
)

const actions = new Set(
  `add change configure create edit enter find fix go look make need see set show use want work works`.split(
    ' ',
  ),
)

/** Words in a line mean about the same. */
const synonyms = `
wrong invalid incorrect fail error mismatch broken bad reject
signature hmac verify verification
secret key password
brand prefix
url address link
public internet outside expose reachable tunnel
delete remove clear erase forget
resend re-send replay retry repeat
export save share download
import open load
token login oauth sign-in authorize authorization authorise
expire renew refresh
slow latency delay timeout
hide mask redact anonymize anonymise privacy gdpr personal guest
keep retention store storage days
settings preferences options configuration
theme appearance dark light night colour color
filter search query
test rehearse rehearsal simulate sandbox fake
message notification toast alert
duplicate twice repeated double
handler server application app receiver
forward proxy relay pass
shortcut keyboard hotkey keys
port listen listener
restart reboot
update upgrade version release
ai assistant agent mcp claude
cli terminal command shell
webhook delivery event
`
  .trim()
  .split('\n')
  .map((line) => line.split(' '))

/** The start that the forms of a word have in common: "signatur" for "signatures", "verif" for "verifies". */
function stemOf(word: string): string {
  const [ending = ''] = /(?:ies|ied|ying|ing|ed|es|s|e|y)$/.exec(word) ?? []
  return word.length - ending.length < 3 || word.endsWith('ss')
    ? word
    : word.slice(0, -ending.length || undefined)
}

/** What a query is about. Its words, if all of them are about nothing. */
export function meaningsOf(query: string): readonly Meaning[] {
  const words = searchTermsOf(query)
    .map((word) => word.replace(/^["'“(¿]/, '').replace(/[?!.,:;"'”)]$/, ''))
    .filter((word) => word !== '')
  const meant = words.filter((word) => !stopWords.has(word))
  const meanings = (meant.length > 0 ? meant : words).map((word): Meaning => {
    const own = stemOf(word)
    const group = synonyms.find((line) => line.some((synonym) => stemOf(synonym) === own)) ?? []
    const others = group.map(stemOf).filter((stem) => stem !== own)
    return { own, others, optional: actions.has(word) }
  })
  return meanings.every(({ optional }) => optional)
    ? meanings.map((meaning) => ({ ...meaning, optional: false }))
    : meanings
}

/**
 * How well a title and a text match, from 0: something that the query is about is in neither. A title counts more than a text, and a word itself
 * more than a synonym. Both are folded (`fold`).
 */
export function meaningScore(meanings: readonly Meaning[], title: string, text: string): number {
  let score = 0
  for (const { own, others, optional } of meanings) {
    const points = hasWord(title, own)
      ? 6
      : others.some((other) => hasWord(title, other))
        ? 5
        : hasWord(text, own)
          ? 2
          : others.some((other) => hasWord(text, other))
            ? 1
            : 0
    if (points === 0 && !optional) return 0
    score += optional ? points / 4 : points
  }
  return score
}

/** What to look for in a text to highlight what a query is about. */
export function markedStems(meanings: readonly Meaning[]): readonly string[] {
  return meanings.map(({ own }) => own)
}

/** The words that start like this, complete. */
export function marksOfStems(
  stems: readonly string[],
  text: string,
  maxLength?: number,
): readonly Mark[] {
  return marksOf(stems, text, maxLength).map(([from, to]) => {
    let end = to
    while (end < text.length && /[\p{L}\p{N}]/u.test(text.charAt(end))) end += 1
    return [from, end]
  })
}

function hasWord(text: string, stem: string): boolean {
  for (let at = text.indexOf(stem); at !== -1; at = text.indexOf(stem, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true
  }
  return false
}
