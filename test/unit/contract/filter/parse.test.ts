import { describe, expect, it } from 'vitest'
import type { Filter } from '#contract/filter/ast.ts'
import { filterFields } from '#contract/filter/fields.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import { printFilter } from '#contract/filter/print.ts'
import { arrivals, Severity } from '#contract/models.ts'
import { verdicts } from '#contract/constants.ts'
import { randomFilter, randomOf, randomText } from '#test/support/random-filter.ts'
import { full } from '#test/support/full.ts'
import { growth, linearGrowth } from '#test/support/growth.ts'

function parsed(text: string): Filter {
  const result = parseFilter(text)
  if (!result.ok) throw new Error(`${result.error.message} at ${result.error.from}`)
  return result.filter
}

/** The filter without positions. */
function meaning(filter: Filter): unknown {
  return JSON.parse(
    JSON.stringify(filter, (key, value: unknown) =>
      key === 'from' || key === 'to' ? undefined : value,
    ),
  )
}

const term = (field: string, ...values: string[]) => ({
  kind: 'field',
  field,
  path: [],
  comparison: '=',
  values: values.map((text) => ({ text, quoted: false })),
})
const text = (words: string, quoted = false) => ({ kind: 'text', text: words, quoted })

describe('parseFilter', () => {
  it('parses a complex example', () => {
    const line =
      'type:ORDER_PLACED verdict:invalid finding:header.type_mismatch location:"Pier 9" target:1b4e endpoint:sandbox status:>=400 lag:>5s size:>10kb since:2h before:today header:x-service-application-id=app-1 data.total:>100 is:duplicate is:pinned "free text" -type:QR_SCANNED (a or b)'
    expect(meaning(parsed(line))).toEqual({
      kind: 'and',
      parts: [
        term('type', 'ORDER_PLACED'),
        term('verdict', 'invalid'),
        term('finding', 'header.type_mismatch'),
        { ...term('location'), values: [{ text: 'Pier 9', quoted: true }] },
        term('target', '1b4e'),
        term('endpoint', 'sandbox'),
        { ...term('status', '400'), comparison: '>=' },
        { ...term('lag', '5s'), comparison: '>' },
        { ...term('size', '10kb'), comparison: '>' },
        term('since', '2h'),
        term('before', 'today'),
        { ...term('header', 'app-1'), path: ['x-service-application-id'] },
        { ...term('data', '100'), path: ['total'], comparison: '>' },
        term('is', 'duplicate'),
        term('is', 'pinned'),
        text('free text', true),
        { kind: 'not', part: term('type', 'QR_SCANNED') },
        { kind: 'or', parts: [text('a'), text('b')] },
      ],
    })
  })

  it.each<[string, unknown]>([
    ['', { kind: 'all' }],
    [' \t\n', { kind: 'all' }],
    [
      'a b or c',
      { kind: 'or', parts: [{ kind: 'and', parts: [text('a'), text('b')] }, text('c')] },
    ],
    ['a OR b Or c', { kind: 'or', parts: [text('a'), text('b'), text('c')] }],
    ['a AND b', { kind: 'and', parts: [text('a'), text('b')] }],
    ['not a', { kind: 'not', part: text('a') }],
    ['--a', { kind: 'not', part: { kind: 'not', part: text('a') } }],
    ['-(a b)', { kind: 'not', part: { kind: 'and', parts: [text('a'), text('b')] } }],
    ['((a))', text('a')],
    ['"or"', text('or', true)],
    [String.raw`"say \"hi\" C:\dir \\"`, text(String.raw`say "hi" C:\dir \ `.trim(), true)],
    ['TYPE:A,b', term('type', 'A', 'b')],
    ['type:!=A', { ...term('type', 'A'), comparison: '!=' }],
    ['type:=A', term('type', 'A')],
    ['(type:A)', term('type', 'A')],
    [
      'location:"a,b",c',
      {
        ...term('location'),
        values: [
          { text: 'a,b', quoted: true },
          { text: 'c', quoted: false },
        ],
      },
    ],
    ['path:/hooks/x?a=1', term('path', '/hooks/x?a=1')],
    ['since:2026-03-14T21:00:05+02:00', term('since', '2026-03-14T21:00:05+02:00')],
    ['header:x-id', { ...term('header'), path: ['x-id'] }],
    ['header:x-id!=1', { ...term('header', '1'), path: ['x-id'], comparison: '!=' }],
    ['data."odd key".b:*', { ...term('data', '*'), path: ['odd key', 'b'] }],
    ['body.data.a-b:null', { ...term('body', 'null'), path: ['data', 'a-b'] }],
    ['data.total', text('data.total')],
    ['lag:none', term('lag', 'none')],
    ['lag:<-5s', { ...term('lag', '-5s'), comparison: '<' }],
  ])('%s', (written, expected) => {
    expect(meaning(parsed(written))).toEqual(expected)
  })

  it('reports where each term stands, brackets and negation included', () => {
    const written = 'a  -type:A,"b c" (x or y)'
    const filter = parsed(written)
    const places = filter.kind === 'and' ? filter.parts : []
    expect(places.map(({ from, to }) => written.slice(from, to))).toEqual([
      'a',
      '-type:A,"b c"',
      '(x or y)',
    ])
    const not = places[1]
    const values = not?.kind === 'not' && not.part.kind === 'field' ? not.part.values : []
    expect(values.map(({ from, to }) => written.slice(from, to))).toEqual(['A', '"b c"'])
  })
})

/** The error must point at the part between the marks. */
const errors: [marked: string, message: RegExp][] = [
  ['a «foo»:bar', /no field "foo".*quote it/],
  ['«tpye»:A', /Did you mean type, as in type:ORDER_PLACED/],
  ['«id»:7', /Did you mean ref/],
  ['«http»://x', /no field "http"/],
  ['«header.x-id»:7', /Did you mean header, as in header:/],
  ['a «:»x', /Write a field before the colon/],
  ['«type:»', /value directly after "type:"/],
  ['«type:» A', /value directly after/],
  ['«status:>=» x', /value directly after/],
  ['type:«,»A', /missing before this comma/],
  ['type:A«,»', /missing after this comma/],
  ['type:A«,»,B', /missing after this comma/],
  ['status:«4x»', /"4x" is not a whole number, as in status:>=400, or none/],
  [
    'handler:«late»',
    /"late" is not a whole number, as in handler:>=500, or ok, or failed, or no_response, or none/,
  ],
  ['handler:>=«ok»', /not a whole number/],
  ['handler:>=«none»', /Write handler:none/],
  ['own:«me»', /Use one of forward, send, none/],
  ['status:>=«"400 "»', /not a whole number/],
  ['lag:>«5»', /not a duration.*ms, s, min, h or d/],
  ['lag:>«5w»', /"5w" is not a duration/],
  ['lag:«5s»', /requires <, <=, > or >=/],
  ['size:>«10tb»', /"10tb" is not a size/],
  ['since:«soon»', /"soon" is not a time.*weekday/],
  ['since:«2026-02-30»', /not a time/],
  ['since:«2026-03-14T25:00»', /not a time/],
  ['since:«>»2h', /> is not supported by since/],
  [
    'verdict:valid,«wrong»',
    /not a value of verdict. Use one of valid, invalid, missing, unsigned, unchecked\./,
  ],
  ['repeats:«twice»', /Use one of body, event, none/],
  ['is:«late»', /not a value of is/],
  ['type:«>»A', /> is not supported by type/],
  ['status:>400,«500»', /Only one value can follow >/],
  ['status:>«none»', /Write status:none/],
  ['ref:«ab*»', /complete IDs only/],
  ['«data:»5', /data requires a path/],
  ['data«.»:5', /part of the path is missing/],
  ['data.a«.».b:5', /part of the path is missing/],
  ['«data."a b"» x', /colon and a value after the path/],
  ['data.x:>«true»', /cannot be ordered/],
  ['data.x:>«a*»', /which > does not support/],
  ['data.x:>«>5»', /begins with >/],
  ['«header:»', /name of the header/],
  ['header:x«:»y', /one header name, and "="/],
  ['header:x«,»y', /one header name/],
  ['«header:x=»', /value directly after/],
  ['a «"b c»', /not closed/],
  ['foo«"»bar"', /Put a space before """/],
  ['"foo"«b»ar', /Put a space before "b"/],
  ['foo«(»bar)', /Put a space before "\("/],
  ['type:A«(»b)', /Put a space before/],
  ['a «-»', /directly after "-"/],
  ['a «-» b', /directly after "-"/],
  ['a «or»', /after "or".*quote it: "or"/],
  ['a «or» or b', /after "or"/],
  ['«or» a', /before "or"/],
  ['a «and»', /after "and"/],
  ['a «not»', /after "not"/],
  ['(a «or»)', /after "or"/],
  ['a «(»b', /not closed/],
  ['«(»', /not closed/],
  ['a «()»', /These brackets are empty/],
  ['a b«)»', /has no opening bracket/],
  ['a «)» b', /has no opening bracket/],
  ['a «"..."»', /letters or digits/],
]

describe('an error', () => {
  it.each(errors)('of %s points there', (marked, message) => {
    const written = marked.replaceAll(/[«»]/g, '')
    const result = parseFilter(written)
    if (result.ok) throw new Error('was read')
    const { from, to } = result.error
    expect(`${written.slice(0, from)}«${written.slice(from, to)}»${written.slice(to)}`).toBe(marked)
    expect(result.error.message).toMatch(message)
  })

  it('is reported for too deep nesting, without a stack overflow', () => {
    for (const deep of ['('.repeat(60) + 'a' + ')'.repeat(60), '-'.repeat(60) + 'a'])
      expect(parseFilter(deep).ok).toBe(true)
    for (const [deep, at] of [
      ['('.repeat(61) + 'a' + ')'.repeat(61), 60],
      ['('.repeat(3999), 60],
      ['-'.repeat(3999) + 'a', 60],
      ['not '.repeat(999) + 'a', 240],
    ] as const) {
      const result = parseFilter(deep)
      expect(result).toMatchObject({ ok: false, error: { from: at, message: /nested brackets/ } })
    }
  })

  it('is reported for too many terms and too many values', () => {
    expect(parseFilter('a '.repeat(200)).ok).toBe(true)
    expect(parseFilter('a '.repeat(201))).toMatchObject({
      ok: false,
      error: { from: 400, to: 401 },
    })
    expect(parseFilter(`tag:${'a,'.repeat(499)}a`).ok).toBe(true)
    expect(parseFilter(`tag:${'a,'.repeat(500)}a`)).toMatchObject({
      ok: false,
      error: { from: 1004 },
    })
  })
})

describe('any text', () => {
  it('is parsed or rejected with a position, and never throws', () => {
    const random = randomOf(4)
    let read = 0
    const count = full ? 10_000 : 2000
    for (let i = 0; i < count; i += 1) {
      const written = randomText(random, 24)
      const result = parseFilter(written)
      if (result.ok) {
        read += 1
        expect(meaning(parsed(printFilter(result.filter)))).toEqual(meaning(result.filter))
      } else {
        const { from, to, message } = result.error
        expect(from).toBeGreaterThanOrEqual(0)
        expect(to).toBeGreaterThan(from)
        expect(to).toBeLessThanOrEqual(written.length)
        expect(message).toMatch(/[.\w"*]$/)
      }
    }
    // Both must occur often for the test to be meaningful.
    expect(read).toBeGreaterThan(count / 10)
    expect(read).toBeLessThan(count * 0.9)
  })

  it.runIf(full)('of any length is parsed in linear time', () => {
    const units = [
      '(',
      ')',
      '-',
      '"',
      '\\',
      ':',
      ',',
      '*',
      ' ',
      'a',
      'a ',
      'or ',
      'a:',
      'data.',
      'x.',
      'tag:a,',
      '\u{1F600}',
    ]
    for (const unit of units) {
      for (const begin of ['', 'data.', 'header:', 'tag:', '"']) {
        const work = (size: number) => {
          const text = begin + unit.repeat(size).slice(0, size)
          return () => parseFilter(text)
        }
        expect(growth(work, 250), begin + unit).toBeLessThan(linearGrowth)
      }
    }
  })
})

it('printFilter prints text that parses to the same filter', () => {
  const random = randomOf(7)
  for (let i = 0; i < 5000; i += 1) {
    const filter = randomFilter(random)
    expect(meaning(parsed(printFilter(filter)))).toEqual(meaning(filter))
  }
})

const choicesOf = (name: string) =>
  filterFields.find((field) => field.name === name)?.choices.map(({ value }) => value)

describe('the fields', () => {
  it.each(filterFields)('$name: its example is read as that field', ({ name, example }) => {
    expect(parsed(example)).toMatchObject({ kind: 'field', field: name })
  })

  it('have the same values as deliveries', () => {
    expect(choicesOf('verdict')).toEqual([...verdicts])
    expect(choicesOf('arrival')).toEqual([...arrivals])
    expect(choicesOf('severity')).toEqual(Severity.options)
  })
})
