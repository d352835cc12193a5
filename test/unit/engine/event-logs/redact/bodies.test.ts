import {
  brotliCompressSync,
  brotliDecompressSync,
  deflateRawSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateRawSync,
  inflateSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Header } from '#contract/models.ts'
import { exported, plainly, redactDelivery, redactorWith } from '#test/support/redacting.ts'

const guest = '{ "handle":"anna@example.com", "n":1.50 }'
const gone = '{ "handle":"‹email›", "n":1.50 }'

const encoded = (coding: string): Header[] => [['Content-Encoding', coding]]

function redacted(body: Uint8Array, headers: readonly Header[] = []) {
  return redactDelivery(redactorWith(), exported({ body, headers }))
}

describe('a body', () => {
  it.each([
    ['gzip', gzipSync, gunzipSync],
    ['x-gzip', gzipSync, gunzipSync],
    ['deflate', deflateSync, inflateSync],
    ['deflate', deflateRawSync, inflateRawSync],
    ['br', brotliCompressSync, brotliDecompressSync],
    ['zstd', zstdCompressSync, zstdDecompressSync],
  ] as const)('in %s is written in it again', (coding, pack, unpack) => {
    const { body, fields } = redacted(pack(guest), encoded(coding))
    expect(plainly(unpack(body).toString())).toBe(gone)
    expect(fields).toMatchObject({ bodyRedacted: true, headers: encoded(coding) })
  })

  it('is searched if it is gzip without a header, and in several codings', () => {
    expect(plainly(gunzipSync(redacted(gzipSync(guest)).body).toString())).toBe(gone)
    const twice = redacted(brotliCompressSync(gzipSync(guest)), encoded('gzip, br')).body
    expect(plainly(gunzipSync(brotliDecompressSync(twice)).toString())).toBe(gone)
    const hidden = redacted(deflateSync(gzipSync(guest)), encoded('deflate')).body
    expect(plainly(gunzipSync(inflateSync(hidden)).toString())).toBe(gone)
  })

  it.each([
    ['cut off', gzipSync(guest).subarray(0, 20), encoded('gzip')],
    ['cut off, without a header', gzipSync(guest).subarray(0, 20), []],
    ['in an unknown coding', Buffer.from(guest), encoded('rot13')],
    ['with invalid br content', Buffer.from([1, 2, 3, 255]), encoded('br')],
    ['in too many codings', gzipSync(guest), encoded('gzip,gzip,gzip,gzip,gzip')],
    ['that becomes too large', gzipSync(Buffer.alloc(33 * 1024 * 1024)), encoded('gzip')],
    ['that is too large', Buffer.alloc(32 * 1024 * 1024 + 1, 32), []],
    ['of gzip in gzip that is cut off', gzipSync(gzipSync(guest).subarray(0, 20)), encoded('gzip')],
  ] as const)('%s is left out completely, with the reason', (_what, body, headers) => {
    const redactor = redactorWith()
    const left = redactDelivery(redactor, exported({ body, headers: [...headers] }))
    expect(left.body).toHaveLength(0)
    expect(left.omitted).toMatch(/^The body .+\.$/)
    const bytes = Math.ceil(body.byteLength / 1024) * 1024
    expect(left.fields).toMatchObject({ bodyRedacted: true, bytes })
    expect(redactor.removed()).toEqual({ unreadable: 1 })
    expect(redactDelivery(redactor, left)).toEqual(left)
  })

  it('is read as text if the header is wrong', () => {
    expect(
      plainly(Buffer.from(redacted(Buffer.from(guest), encoded('gzip')).body).toString()),
    ).toBe(gone)
  })

  it('that is not UTF-8 keeps all its other bytes', () => {
    const body = Buffer.concat([
      Buffer.from([0xff, 0xe4, 0]),
      Buffer.from('{"handle":"anna"} anna@example.com 4155550134 '),
      Buffer.from([0x80, 0xc3]),
    ])
    const text = Buffer.from(redacted(body).body).toString('latin1')
    expect(plainly(text)).toBe('ÿä\0{"handle":"‹handle›"} ‹email› ‹phone› \u0080Ã')
  })

  it.each([
    ['little-endian', false, true],
    ['big-endian', true, true],
    ['little-endian, without a mark', false, false],
    ['big-endian, without a mark', true, false],
  ])('in UTF-16, %s', (_what, swapped, marked) => {
    const wide = Buffer.from(`${marked ? '\uFEFF' : ''}${guest}`, 'utf16le')
    if (swapped) wide.swap16()
    const out = Buffer.from(redacted(wide).body)
    if (swapped) out.swap16()
    expect(plainly(out.toString('utf16le'))).toBe(`${marked ? '\uFEFF' : ''}${gone}`)
  })

  it('keeps numbers, white space, order, duplicate keys and escapes unchanged', () => {
    const body = Buffer.from(
      '\uFEFF {"b" : 1.50e+2 ,\r\n\t"b":-0,"\\u0061":"\\/\\u00e4 \\ud83c","handle" : "x1y2" , "z":[ ]}\n{"n":2}\n',
    )
    expect(plainly(Buffer.from(redacted(body).body).toString())).toBe(
      '\uFEFF {"b" : 1.50e+2 ,\r\n\t"b":-0,"\\u0061":"\\/\\u00e4 \\ud83c","handle" : "‹handle›" , "z":[ ]}\n{"n":2}\n',
    )
  })

  it('without anything to redact keeps the same bytes', () => {
    for (const body of [
      Buffer.from('{"a":[1,2,{"b":"c"}],"total":42.50}'),
      gzipSync('{"a":1}'),
      Buffer.from([0, 255, 1, 254]),
      Buffer.alloc(0),
    ]) {
      const { body: same, fields } = redacted(body)
      expect(same).toBe(body)
      expect(fields.bodyRedacted).toBe(false)
    }
  })

  it('may be nested 100,000 levels deep', () => {
    const deep = 100_000
    const open = Array.from({ length: deep }, (_, at) => (at % 2 === 0 ? '{"a":' : '['))
    const close = open.map((one) => (one === '[' ? ']' : '}')).toReversed()
    const body = `${open.join('')}"anna@example.com"${close.join('')}`
    const out = Buffer.from(redacted(Buffer.from(body)).body).toString()
    expect(plainly(out)).toBe(body.replace('anna@example.com', '‹email›'))
    const cut = redacted(Buffer.from(`${open.join('')}"anna@example.com"`)).body
    expect(plainly(Buffer.from(cut).toString())).toBe(`${open.join('')}"‹email›"`)
  })

  it('that is truncated, or only starts with JSON, is searched completely', () => {
    for (const [body, becomes] of [
      ['{"a":"anna@exam', '{"a":"anna@exam'],
      ['{"a":"anna@example.com', '{"a":"‹email›'],
      ['{"handle":"ann', '{"handle":"‹handle›'],
      ['{"a":1} anna@example.com', '{"a":1} ‹email›'],
      [
        '{"a":nope,"handle":"anna","b":"4155550134"}',
        '{"a":nope,"handle":"‹handle›","b":"‹phone›"}',
      ],
      ['callback({"handle":"anna"});', 'callback({"handle":"‹handle›"});'],
    ] as const) {
      expect(plainly(Buffer.from(redacted(Buffer.from(body)).body).toString())).toBe(becomes)
    }
  })

  it('does not repeat elsewhere what was redacted by its name', () => {
    const body = '{"echo":"tok-123456","token":"tok-123456","guest":"anna77","handle":"anna77"}'
    const { fields, body: out } = redactDelivery(
      redactorWith(),
      exported({ body, fields: { title: 'Guest anna77 subscribed' } }),
    )
    expect(plainly(Buffer.from(out).toString())).toBe(
      '{"echo":"‹token›","token":"‹token›","guest":"‹handle›","handle":"‹handle›"}',
    )
    expect(plainly(fields.title)).toBe('Guest ‹handle› subscribed')
  })
})
