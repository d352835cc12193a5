import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Header } from '#contract/models.ts'
import { decodeBody } from '#engine/payload/decode-body.ts'

const clear = Buffer.from('{"type":"OPEN_TAB","name":"Zoë"}'.repeat(20))
const encoded = (...values: string[]): Header[] =>
  values.map((value) => ['Content-encoding', value])
const refused = { code: 'bad_input', message: expect.stringContaining('View the body as sent') }

describe('decodeBody', () => {
  it.each([
    ['gzip', gzipSync(clear)],
    ['x-gzip', gzipSync(clear)],
    ['deflate', deflateSync(clear)],
    ['br', brotliCompressSync(clear)],
    ['zstd', zstdCompressSync(clear)],
    ['identity', clear],
    [' GZip ', gzipSync(clear)],
    ['', clear],
  ])('decodes %j', (encoding, body) => {
    expect(Buffer.from(decodeBody(body, encoded(encoding))).equals(clear)).toBe(true)
  })

  it('decodes several encodings, last one first, in one or more headers', () => {
    const body = brotliCompressSync(gzipSync(clear))
    for (const headers of [encoded('gzip, br'), encoded('gzip', 'br'), encoded('gzip,,br,')])
      expect(Buffer.from(decodeBody(body, headers)).equals(clear)).toBe(true)
    expect(() => decodeBody(body, encoded('br, gzip'))).toThrow(expect.objectContaining(refused))
  })

  it('returns the body unchanged without an encoding', () => {
    const bytes = Buffer.from([0, 0xff])
    expect(decodeBody(bytes, [['X-Content-Encoding', 'gzip']])).toEqual(new Uint8Array(bytes))
  })

  it.each([
    ['an encoding that is not known', clear, 'compress'],
    ['a name of JavaScript', clear, '__proto__'],
    ['one that is not true', clear, 'gzip'],
    ['a cut body', gzipSync(clear).subarray(0, -9), 'gzip'],
    ['no body', Buffer.alloc(0), 'br'],
    ['a body that grows beyond 64 MiB', gzipSync(Buffer.alloc(65 * 1024 * 1024)), 'gzip'],
    ['thousands of encodings', clear, Array(7000).fill('identity').join()],
  ])('rejects %s', (_, body, encoding) => {
    expect(() => decodeBody(body, encoded(encoding))).toThrow(expect.objectContaining(refused))
  })
})
