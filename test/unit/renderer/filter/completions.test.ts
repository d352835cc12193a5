import { describe, expect, it } from 'vitest'
import { parseFilter } from '#contract/filter/parse.ts'
import { filterFields } from '#contract/filter/fields.ts'
import { complete, completionsAt } from '#pages/deliveries/filter/completions.ts'
import type { CompletionContext } from '#pages/deliveries/filter/value-options.ts'

const bare: CompletionContext = {
  unknownTypes: ['TAB_MERGED'],
  endpoints: ['Sandbox', 'POS hook'],
  integrations: ['Sandbox', 'Harbour Group'],
  saved: [
    { id: 1, name: 'Broken orders', filter: 'type:ORDER_PLACED verdict:invalid', columns: null },
  ],
  recent: ['is:pinned'],
  suggested: null,
}

/** Completions at `|` in the text. */
function at(marked: string, changes: Partial<CompletionContext> = {}) {
  const caret = marked.indexOf('|')
  const text = marked.replace('|', '')
  const found = completionsAt(text, caret, { ...bare, ...changes })
  return {
    ...found,
    text,
    labels: found.options.map(({ label }) => label),
    /** The text after applying the option with this label, with `|` at the caret. */
    take(label: string): string {
      const option = found.options.find((one) => one.label === label)
      if (!option) throw new Error(`There is no ${label} among ${found.options.length}.`)
      const done = complete(text, found, option)
      return `${done.text.slice(0, done.caret)}|${done.text.slice(done.caret)}`
    },
  }
}

describe('for an empty position', () => {
  it('are all fields, and saved filters in an empty filter', () => {
    const { labels, options } = at('|')
    for (const { name } of filterFields) {
      expect(
        labels.some((label) => label.startsWith(name)),
        name,
      ).toBe(true)
    }
    expect(labels.slice(0, 2)).toEqual(['Broken orders', 'is:pinned'])
    expect(options.find(({ label }) => label === 'lag:')?.note).toContain('lag:>5s')
    expect(at('type:A |').labels).not.toContain('Broken orders')
    expect(at('-|').labels).toContain('type:')
    expect(at('(|').take('type:')).toBe('(type:|')
  })

  it('replace the filter with a saved one', () => {
    expect(at('|').take('Broken orders')).toBe('type:ORDER_PLACED verdict:invalid|')
    expect(at('brok|').take('Broken orders')).toBe('type:ORDER_PLACED verdict:invalid|')
  })
})

describe('for a word', () => {
  it('are fields that start with the word, and terms with it', () => {
    expect(at('ve|').labels[0]).toBe('verdict:')
    expect(at('ve|').take('verdict:')).toBe('verdict:|')
    expect(at('since:2h ord|').take('type:ORDER_PLACED')).toBe('since:2h type:ORDER_PLACED |')
    expect(at('dupl|').take('is:duplicate')).toBe('is:duplicate |')
    expect(at('data.tot|').take('data.total:')).toBe('data.total:|')
  })

  it('are causes and findings with the words in their title', () => {
    expect(at('base64|').take('cause:encoding.base64')).toBe('cause:encoding.base64 |')
    expect(at('since:2h indented JSON|').labels).toEqual(['cause:body.pretty'])
    expect(at('a or indented JSON|').take('cause:body.pretty')).toBe('a or cause:body.pretty |')
    expect(at('cause:indented|').labels).toEqual(['body.pretty'])
    expect(at('user agent does|').labels).toEqual(['finding:header.user_agent'])
    expect(at('type:"Tab open|').labels).toContain('OPEN_TAB')
    // Words of no title are completed alone.
    expect(at('pale verd|').labels).toContain('verdict:')
  })

  it('replace the complete word, including text after the caret', () => {
    expect(at('a ve|rd b').take('verdict:')).toBe('a verdict:| b')
    expect(at('ty|p:A').take('type:')).toBe('type:|A')
  })

  it('are empty for quoted text', () => {
    expect(at('"type|').labels).toEqual([])
    expect(at('"type|"').labels).toEqual([])
  })
})

describe('for a value', () => {
  it('are the fixed values of the filter language, with their meaning', () => {
    expect(at('verdict:|').labels).toEqual(['valid', 'invalid', 'missing', 'unsigned', 'unchecked'])
    expect(at('verdict:inv|').labels).toEqual(['invalid'])
    expect(at('verdict:v|').labels).toEqual(['valid', 'invalid'])
    expect(at('is:|').labels).toEqual(expect.arrayContaining(['pinned', 'duplicate', 'noted']))
    expect(at('verdict:in|').take('invalid')).toBe('verdict:invalid |')
  })

  it('are empty for a complete value', () => {
    expect(at('verdict:valid|').labels).toEqual([])
    expect(at('since:2h|').labels).toEqual([])
    expect(at('verdict:vali|').labels).toEqual(['valid', 'invalid'])
  })

  it('are times, durations and sizes, and the units of a number', () => {
    expect(at('since:|').labels).toEqual(expect.arrayContaining(['15m', '1h', 'today']))
    expect(at('since:3|').labels).toEqual(expect.arrayContaining(['3min', '3h', '3d']))
    expect(at('lag:|').labels).toEqual(expect.arrayContaining(['>5s', '<5s', 'none']))
    expect(at('lag:>|').take('5s')).toBe('lag:>5s |')
    expect(at('lag:>20|').labels).toEqual(['20ms', '20s', '20min', '20h', '20d'])
    expect(at('size:>=|').take('10kb')).toBe('size:>=10kb |')
    expect(at('size:>10k|').labels).toEqual(['10kb', '10kib'])
    expect(at('status:>=|').labels).toEqual(expect.arrayContaining(['400', '500']))
  })

  it('are requested if only the store has them', () => {
    for (const field of ['location', 'tag', 'finding', 'type', 'status'] as const) {
      expect(at(`${field}:Pi|`).ask, field).toEqual({ field, prefix: 'Pi' })
    }
    expect(at('location:"Pier |').ask).toEqual({ field: 'location', prefix: 'Pier ' })
    expect(at('header:x-|').ask).toEqual({ field: 'header', prefix: 'x-' })
    expect(at('header:x-id=|').ask).toBeNull()
    expect(at('verdict:|').ask).toBeNull()
    const suggested = {
      request: { field: 'location', prefix: 'Pi' },
      values: ['Pier 9', 'Pi*r "x"'],
    } as const
    const there = at('location:Pi|', { suggested })
    expect(there.labels).toEqual(['Pier 9', 'Pi*r "x"'])
    expect(there.take('Pier 9')).toBe('location:"Pier 9" |')
    expect(there.take('Pi*r "x"')).toBe(String.raw`location:"Pi*r \"x\"" |`)
    // A response for another field is ignored.
    expect(at('tag:Pi|', { suggested }).labels).toEqual([])
  })
})

it('each produce a filter that is valid up to its value', () => {
  for (const start of ['', 'since:2h ', '-', '(a or ']) {
    for (const option of completionsAt(start, start.length, bare).options) {
      if (option.kind !== 'field') continue
      const { text, caret } = complete(start, { from: start.length, to: start.length }, option)
      if (option.insert.endsWith('.')) continue
      for (const choice of completionsAt(text, caret, bare).options) {
        const done = complete(text, { from: caret, to: caret }, choice).text
        const whole = start.startsWith('(') ? `${done})` : done
        expect(parseFilter(whole), whole).toMatchObject({ ok: true })
      }
    }
  }
})

it('never throw, whatever the caret position', () => {
  const texts = ['type:A,"b c" -lag:>5s (x or data.y:1) header:a=b "q', ',:"(', 'data."a".b:">"']
  for (const text of texts) {
    for (let caret = 0; caret <= text.length; caret += 1) {
      const { from, to } = completionsAt(text, caret, bare)
      expect(from <= caret && caret <= to && to <= text.length, `${text} ${caret}`).toBe(true)
    }
  }
})
