import { expect, it } from 'vitest'
import { searchTermsOf } from '#kit/text/search-terms.ts'
import { rankMatches } from '#app/palette/sections.ts'

function entry(label: string, group = '', words = '') {
  return { label, group, words }
}
function best(query: string, ...labels: string[]): string[] {
  return rankMatches(
    searchTermsOf(query),
    labels.map((label) => entry(label)),
  ).map(({ entry: { label } }) => label)
}
function finds(query: string, command: ReturnType<typeof entry>): boolean {
  return rankMatches(searchTermsOf(query), [command]).length > 0
}
function marked(query: string, label: string): string[] | undefined {
  const [found] = rankMatches(searchTermsOf(query), [entry(label)])
  return found?.marks.map(([from, to]) => label.slice(from, to))
}

it('ranks a label prefix before a word prefix, before a match inside a word', () => {
  expect(best('open', 'Reopened', 'Show open ones', 'Open the tunnel', 'Old pen')).toEqual([
    'Open the tunnel',
    'Show open ones',
    'Reopened',
  ])
})

it('finds a word with one error, but only if nothing matches without', () => {
  for (const [typed, label] of [
    ['invlaid', 'Show invalid signatures'],
    ['sned', 'Send'],
    ['authrize', 'Authorize again'],
    ['tunle', 'Open the tunnel'],
  ] as const) {
    expect(best(typed, label, 'Go to jobs'), typed).toEqual([label])
  }
  expect(best('ports', 'Parts', 'Ports')).toEqual(['Ports'])
  expect(best('kettle', 'Go to settings')).toEqual([])
})

it('requires every word, in any order, in the label, the group or other words', () => {
  const command = entry('Open the tunnel', 'Tunnel', 'ngrok public')
  expect(finds('tunnel open', command)).toBe(true)
  expect(finds('ngrok open', command)).toBe(true)
  expect(finds('open sesame', command)).toBe(false)
  expect(finds('port', entry('Version', '', 'copy a bug report'))).toBe(false)
  expect(finds('rep', entry('Version', '', 'copy a bug report'))).toBe(true)
})

it('keeps the order of equal matches', () => {
  expect(best('aa', 'aa one', 'aa two', 'aa six')).toEqual(['aa one', 'aa two', 'aa six'])
})

it('ignores case and diacritics, and highlights the original letters', () => {
  expect(marked('log exp', 'Export the log')).toEqual(['Exp', 'log'])
  expect(marked('cafe', 'Le Café noir')).toEqual(['Café'])
  expect(marked('zurich', 'Zu\u0308rich')).toEqual(['Zu\u0308rich'])
  expect(marked('bar', '🍸🍸 bar')).toEqual(['bar'])
  expect(marked('居酒', '東京 居酒屋')).toEqual(['居酒'])
})

it('treats pattern characters literally, and ends for any input', () => {
  for (const query of ['(', '.*', '[a-z]+', '\\', '$', '(a+)+$']) {
    expect(best(query, 'Close it'), query).toEqual([])
  }
  const long = 'a'.repeat(100_000)
  expect(finds(`${'a'.repeat(196)}bbb`, entry(long, long, long))).toBe(false)
  expect(finds('a '.repeat(500), entry(long))).toBe(true)
})
