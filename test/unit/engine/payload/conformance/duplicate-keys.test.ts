import { describe, expect, it } from 'vitest'
import { FindingCollector } from '#engine/payload/conformance/finding-collector.ts'
import { checkDuplicateKeys } from '#engine/payload/conformance/duplicate-keys.ts'

function places(text: string): string[] {
  const findings = new FindingCollector()
  checkDuplicateKeys(text, JSON.parse(text), findings)
  return findings.all().map(({ location }) => location)
}

describe('checkDuplicateKeys', () => {
  it.each([
    ['{"a":1,"a":2}', ['body.a']],
    ['{"a":1,"\\u0061":2}', ['body.a']],
    ['{"a" : {"b":[{"c":1},{"c":1,"c"\n:1}]}}', ['body.a.b[1].c']],
    ['{"":1,"":2}', ['body.']],
    ['{"__proto__":1,"__proto__":2}', ['body.__proto__']],
    ['{"__proto__":{"a":1,"a":1}}', ['body.__proto__.a']],
    // The first of the two is missing in the parsed value.
    ['{"a":{"b":1,"b":2},"a":1}', ['body.a.b', 'body.a']],
    ['{"1":0,"1":0}', ['body.1']],
    ['{"a":1,"a":2,"a":3,"b":1,"b":2,"c":1,"c":2}', ['body.a', 'body.a', 'body.b']],
  ])('in %s finds %j', (text, expected) => {
    expect(places(text)).toEqual(expected)
  })

  it.each([
    '{}',
    '{"a":1,"A":2}',
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
    '{"a":"\\"a\\":1,\\"a\\":2","b":" : : \\\\"}',
    '{"a":"b\\\\\\\\","c":":\\"","d":"\\u0022:"}',
    '{"a\\"":1,"a":2,"a:":3,":a":4," :":5}',
    '{ "a" : 1 , "b"\t:\r\n2 }',
    '{"\\u00e4":1,"a\\u0308":2}',
    '{"toString":1,"constructor":2,"__proto__":3}',
  ])('in %s finds none', (text) => {
    expect(places(text)).toEqual([])
  })

  it('finds a duplicate below 100,000 levels, and truncates its place', () => {
    const deep = 100_000
    const nest = (inner: string) => `{"x":${'[{"y":'.repeat(deep)}${inner}${'}]'.repeat(deep)}}`
    expect(places(nest('{"a":1,"b":1}'))).toEqual([])
    const [place = ''] = places(nest('{"a":1,"a":1}'))
    expect(place).toMatch(/^body\.x\[0\]\.y/)
    expect(place.length).toBeLessThanOrEqual(120)
  })
})
