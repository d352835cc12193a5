import { expect, it } from 'vitest'
import { marksOf, searchTermsOf } from '#renderer/ui/text/search-terms.ts'
import { match, rankMatches } from '#renderer/features/palette/match.ts'

function entry(label: string, group = '', words = '') {
  return { label, group, words }
}
function best(query: string, ...labels: string[]): string[] {
  return rankMatches(
    searchTermsOf(query),
    labels.map((label) => entry(label)),
  ).map(({ entry: { label } }) => label)
}
/** The highlighted parts of a label. */
function marked(query: string, label: string): string[] | null {
  const found = match(searchTermsOf(query), entry(label))
  return found && found.marks.map(([from, to]) => label.slice(from, to))
}

it('ranks a label prefix before a word prefix, before a substring, before a subsequence', () => {
  expect(best('open', 'Reopened', 'Show open ones', 'Open the tunnel', 'Old pen')).toEqual([
    'Open the tunnel',
    'Show open ones',
    'Reopened',
    'Old pen',
  ])
})

it('finds initials, and close subsequences that start at a word', () => {
  expect(marked('gts', 'Go to settings')).toEqual(['G', 't', 's'])
  expect(marked('trn', 'Turn dark')).toEqual(['T', 'rn'])
  expect(marked('order', 'Export deliveries')).toBeNull()
  expect(marked('x', 'a b c')).toBeNull()
})

it('highlights the word that a typo matches', () => {
  const found = match(searchTermsOf('tunle'), entry('Open the tunnel'), true)
  expect(found?.marks.map(([from, to]) => 'Open the tunnel'.slice(from, to))).toEqual(['tunnel'])
  expect(match(searchTermsOf('tunle'), entry('Open the tunnel'))).toBeNull()
})

it('requires every word, in any order, in the label, the group or other words', () => {
  const command = entry('Open the tunnel', 'Tunnel', 'ngrok public')
  expect(match(searchTermsOf('tunnel open'), command)).not.toBeNull()
  expect(match(searchTermsOf('ngrok open'), command)).not.toBeNull()
  expect(match(searchTermsOf('open sesame'), command)).toBeNull()
  const inLabel = match(searchTermsOf('tunnel'), entry('Tunnel', '', ''))?.score ?? 0
  const beside = match(searchTermsOf('tunnel'), entry('Close it', 'Tunnel', 'tunnel'))?.score ?? 0
  expect(inLabel).toBeGreaterThan(beside)
})

it('matches hidden words by prefix only', () => {
  expect(match(searchTermsOf('port'), entry('Version', '', 'copy a bug report'))).toBeNull()
  expect(match(searchTermsOf('rep'), entry('Version', '', 'copy a bug report'))).not.toBeNull()
})

it('keeps the order of equal matches', () => {
  const alike = ['aa one', 'aa two', 'aa six'].map((label) => entry(label))
  const found = rankMatches(searchTermsOf('aa'), alike).map(({ entry: { label } }) => label)
  expect(found).toEqual(['aa one', 'aa two', 'aa six'])
})

it('ignores case and diacritics, and highlights the original letters', () => {
  expect(marked('cafe', 'Le Café noir')).toEqual(['Café'])
  expect(marked('CAFÉ', 'cafe')).toEqual(['cafe'])
  expect(marked('zurich', 'Zu\u0308rich')).toEqual(['Zu\u0308rich'])
  expect(marked('fi', 'ﬁne')).toEqual(['ﬁ'])
  expect(marked('bar', '🍸🍸 bar')).toEqual(['bar'])
  expect(marked('居酒', '東京 居酒屋')).toEqual(['居酒'])
})

it('treats pattern characters literally', () => {
  for (const query of ['(', '.*', '[a-z]+', '\\', '$', '(a+)+$']) {
    expect(best(query, 'Open the tunnel'), query).toEqual([])
  }
  expect(marked('a+b', 'send a+b')).toEqual(['a+b'])
})

it('takes time proportional to the length of query and text', () => {
  // A backtracking matcher would never finish this input.
  const long = 'a'.repeat(100_000)
  expect(match(searchTermsOf(`${'a'.repeat(199)}b`), entry(long, long, long))).toBeNull()
  expect(match(searchTermsOf('a '.repeat(500)), entry(long))).not.toBeNull()
})

it('highlights every occurrence of every word once', () => {
  const text = 'Keep at most, and at most'
  expect(marksOf(searchTermsOf('at most'), text).map(([from, to]) => text.slice(from, to))).toEqual(
    ['at', 'most', 'at', 'most'],
  )
  expect(marksOf([], text)).toEqual([])
})
