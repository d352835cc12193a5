import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { defaultName, readExport } from '#hosts/node/export-options.ts'

const now = Date.UTC(2026, 10, 21, 12)
const read = (...args: string[]) => readExport(args, now)

describe('the words behind export', () => {
  test.each([
    ['a.ndjson', 'ndjson', false],
    ['a.jsonl', 'ndjson', false],
    ['a.tabscope', 'ndjson', false],
    ['a.NDJSON.GZ', 'ndjson', true],
    ['a.har', 'har', false],
    ['a.har.gz', 'har', true],
    ['a.html', 'html', false],
    ['a.htm', 'html', false],
    ['a.csv', 'csv', false],
    ['a.md', 'markdown', false],
    ['a.sh', 'curl', false],
    ['a.mjs', 'fetch', false],
    ['a.js', 'fetch', false],
    ['a', 'ndjson', false],
    ['a.txt', 'ndjson', false],
  ])('-o %s is %s, packed: %s', (name, format, gzip) => {
    const { wish, output } = read('-o', name)
    expect(wish).toMatchObject({ format, gzip })
    expect(output).toBe(path.resolve(name))
  })

  test('--format goes before the name; - is stdout, and nothing is left open', () => {
    expect(read('-o', 'a.har', '--format', 'csv').wish.format).toBe('csv')
    expect(read('-o', '-').output).toBe('-')
    expect(read().output).toBeNull()
    expect(() => read('-o', '')).toThrow('-o needs a file')
  })

  test('all is redacted, with all that belongs to it, unless it is said otherwise', () => {
    expect(read().wish).toMatchObject({
      redact: true,
      rules: [],
      with: { attempts: true, notes: true, authorization: true },
      what: { filter: '', from: null, to: null, ids: null, traceOf: null },
    })
    expect(read('--no-redact', '--without', 'notes,attempts').wish).toMatchObject({
      redact: false,
      with: { attempts: false, notes: false, authorization: true },
    })
    expect(
      read('--redact-header', 'X-A', '--redact-path', '$.a', '--redact-path', 'b').wish.rules,
    ).toEqual([
      { kind: 'header', name: 'X-A' },
      { kind: 'path', path: '$.a' },
      { kind: 'path', path: 'b' },
    ])
  })

  test('classes of values that stay in', () => {
    expect(read().wish.keep).toEqual([])
    expect(read('--keep', 'names,network', '--keep', 'contacts').wish.keep).toEqual([
      'names',
      'network',
      'contacts',
    ])
    expect(() => read('--keep', 'secrets')).toThrow(
      '--keep takes contacts, names, payment, network, not "secrets".',
    )
  })

  test('which deliveries: ids in one word or several, times, a trace', () => {
    expect(
      read('--id', '3, 5', '--id', '8', '--since', '2h', '--before', '1h', '--trace', '7').wish
        .what,
    ).toMatchObject({ ids: [3, 5, 8], from: now - 7_200_000, to: now - 3_600_000, traceOf: 7 })
  })

  test('a name that nobody gave tells when it was written, in local time', () => {
    const at = new Date(2026, 0, 2, 3, 4)
    expect(defaultName('ndjson', false, at)).toBe('tabscope-2026-01-02-0304.ndjson')
    expect(defaultName('har', true, at)).toBe('tabscope-2026-01-02-0304.har.gz')
  })
})
