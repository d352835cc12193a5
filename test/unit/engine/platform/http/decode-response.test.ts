import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Header } from '#contract/models.ts'
import { decodeResponse } from '#engine/platform/http/decode-response.ts'

const plain = Buffer.from(JSON.stringify({ token: 'T'.repeat(40), list: [1, 2, 3] }))
const encoded = (value: string): Header[] => [['content-encoding', value]]

describe.each([
  ['gzip', gzipSync],
  ['X-GZIP', gzipSync],
  ['deflate', deflateSync],
  // Without the zlib frame, as some servers send it.
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const)('%s', (name, compress) => {
  const body = compress(plain)

  it('is decoded', async () => {
    const result = await decodeResponse(body, encoded(name))
    expect(result).toMatchObject({ state: 'decoded', complete: true })
    expect(result.state === 'decoded' && Buffer.from(result.bytes).equals(plain)).toBe(true)
  })

  it('is reported if it ends too early, with what can be read of it', async () => {
    const result = await decodeResponse(body.subarray(0, -3), encoded(name))
    expect(result).toMatchObject({ state: 'decoded', complete: false })
    expect(result.state === 'decoded' && plain.includes(Buffer.from(result.bytes))).toBe(true)
  })

  it('is not decoded beyond the limit, nor from anything else', async () => {
    const large = compress(Buffer.alloc(100_000))
    expect(await decodeResponse(large, encoded(name), 99_999)).toEqual({ state: 'over_limit' })
    expect(await decodeResponse(large, encoded(name), 100_000)).toMatchObject({ state: 'decoded' })
    expect(await decodeResponse(plain, encoded(name))).toEqual({ state: 'broken' })
  })
})

it('decodes several encodings in reverse order, up to four', async () => {
  const twice = brotliCompressSync(gzipSync(plain))
  expect(await decodeResponse(twice, encoded('gzip, br'))).toMatchObject({ state: 'decoded' })
  expect(await decodeResponse(twice, [...encoded('gzip'), ...encoded('br')])).toMatchObject({
    state: 'decoded',
  })
  expect(await decodeResponse(twice, encoded('br, gzip'))).toEqual({ state: 'broken' })
  expect(await decodeResponse(plain, encoded('gzip,'.repeat(5)))).toEqual({ state: 'over_limit' })
})

it('leaves a body without an encoding, and an empty one', async () => {
  for (const headers of [[], encoded('identity'), encoded(' ')])
    expect(await decodeResponse(plain, headers)).toEqual({ state: 'plain' })
  expect(await decodeResponse(new Uint8Array(), encoded('gzip'))).toEqual({ state: 'plain' })
  expect(await decodeResponse(plain, encoded('compress'))).toEqual({ state: 'broken' })
})
