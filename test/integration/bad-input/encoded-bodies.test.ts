import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sharedTestEngine, type TestEngine } from '#test/support/engine.ts'
import { ask } from '#test/support/raw-client.ts'
import { goodBody, post, sha256 } from '#test/support/requests.ts'

const shared = sharedTestEngine()

async function deliver(tab: TestEngine, body: Uint8Array, encoding: string) {
  expect(
    await ask(tab.port, post(tab.path, body, [`Content-Encoding: ${encoding}`])),
  ).toMatchObject({ status: 200 })
  return tab.one()
}

const read = (tab: TestEngine, id: number, decoded: boolean, offset = 0, length = 4096) =>
  tab.engine.call('deliveries.body', { id, offset, length, decoded })

test.for([
  ['gzip', gzipSync(goodBody)],
  ['deflate', deflateSync(goodBody)],
  ['br', brotliCompressSync(goodBody)],
  ['deflate, gzip', gzipSync(deflateSync(goodBody))],
  ['GZIP', gzipSync(goodBody)],
] as const)(
  'a body with encoding %s is verified and stored as sent, and decoded only on demand',
  async ([encoding, body]) => {
    const tab = shared()
    const kept = await deliver(tab, body, encoding)
    expect(kept).toMatchObject({ verdict: 'valid', sha256: sha256(body), bytes: body.byteLength })
    expect(kept.body.equals(body)).toBe(true)

    const decoded = await read(tab, kept.id, true)
    expect(decoded.size).toBe(goodBody.byteLength)
    expect(Buffer.from(decoded.bytes).equals(goodBody)).toBe(true)
    const slice = await read(tab, kept.id, true, 5, 7)
    expect(Buffer.from(slice.bytes).equals(goodBody.subarray(5, 12))).toBe(true)
    expect((await read(tab, kept.id, false)).size).toBe(body.byteLength)
  },
)

test.for([
  ['gzip', goodBody, /not gzip as its header says/],
  ['gzip', gzipSync(goodBody).subarray(0, -6), /not gzip as its header says/],
  ['gzip', gzipSync(Buffer.alloc(65 * 1024 * 1024)), /more than 64 MiB/],
  ['x-unheard-of', goodBody, /Unknown encoding "x-unheard-of"/],
] as const)(
  'a wrong content encoding (%s) is rejected with a message',
  async ([encoding, body, words]) => {
    const tab = shared()
    const kept = await deliver(tab, body, encoding)
    expect(kept).toMatchObject({ verdict: 'valid', arrival: 'complete' })
    await expect(read(tab, kept.id, true)).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringMatching(words),
    })
    expect(Buffer.from((await read(tab, kept.id, false, 0, 4194304)).bytes).equals(body)).toBe(true)
  },
)
