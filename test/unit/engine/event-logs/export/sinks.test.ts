import { openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  openFileSink,
  openGzipSink,
  openPieceSink,
  waitingBytes,
  openCountingSink,
  type Sink,
} from '#engine/event-logs/export/sinks.ts'
import { pump } from '#engine/event-logs/export/produce.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

function fileIn(folder: string, overwrite = false) {
  const final = path.join(folder, 'log.ndjson')
  return { path: final, part: `${final}.part-1`, overwrite }
}

/** Keeps what it is given. */
function openKeepingSink(): Sink & { kept(): Buffer } {
  const pieces: Uint8Array[] = []
  return {
    ...openCountingSink(),
    write: (piece) => void pieces.push(piece),
    kept: () => Buffer.concat(pieces),
  }
}

const full = (): number => openSync('/dev/full', 'w')

function* endless(): Generator<string> {
  for (;;) yield 'more'
}

function stop(): never {
  throw new Error('stopped')
}

test('a file has its name only when it is whole', async () => {
  const folder = tempFolder()
  const sink = openFileSink(fileIn(folder))
  await sink.write(Buffer.from('one '))
  await sink.write(Buffer.from('two'))
  expect(readdirSync(folder)).toEqual(['log.ndjson.part-1'])
  await sink.end()
  expect(readdirSync(folder)).toEqual(['log.ndjson'])
  expect(readFileSync(path.join(folder, 'log.ndjson'), 'utf8')).toBe('one two')
  expect(sink.bytes).toBe(7)
})

test('what came under its name meanwhile is kept, and nothing else is left', async () => {
  const folder = tempFolder()
  const sink = openFileSink(fileIn(folder))
  await sink.write(Buffer.from('ours'))
  writeFileSync(path.join(folder, 'log.ndjson'), 'theirs')
  await expect(sink.end()).rejects.toMatchObject({ code: 'file_exists' })
  await sink.abort()
  expect(readdirSync(folder)).toEqual(['log.ndjson'])
  expect(readFileSync(path.join(folder, 'log.ndjson'), 'utf8')).toBe('theirs')
})

test.runIf(process.platform === 'linux')(
  'a full disk is reported as such, plain or compressed',
  async () => {
    const bytes = new Uint8Array(1_000_000)
    const plain = openFileSink(fileIn(tempFolder()), full)
    await plain.write(bytes)
    const words = { code: 'file_failed', message: expect.stringContaining('no room') }
    await expect(plain.end()).rejects.toMatchObject(words)
    const packed = openGzipSink(openFileSink(fileIn(tempFolder()), full))
    await packed.write(bytes)
    await expect(packed.end()).rejects.toMatchObject(words)
  },
)

test('a packed file holds the very same bytes, however they came', async () => {
  const into = openKeepingSink()
  const gzip = openGzipSink(into)
  const text = 'the same again, '.repeat(50_000)
  const cut = (length: number): string[] =>
    Array.from({ length: Math.ceil(text.length / length) }, (_, n) =>
      text.slice(n * length, (n + 1) * length),
    )
  await pump(cut(777), gzip, () => undefined)
  await gzip.end()
  expect(gunzipSync(into.kept()).toString()).toBe(text)
})

test('buffers no more than a MiB, and waiting writers are notified of the end', async () => {
  const given: Uint8Array[] = []
  let over = false
  const sink = openPieceSink(
    (piece) => given.push(piece),
    () => {
      if (over) throw new Error('over')
    },
  )
  const size = (): number => given.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const writing = sink.write(new Uint8Array(3 * waitingBytes))
  expect(size()).toBe(waitingBytes)
  sink.taken(waitingBytes)
  await Promise.resolve()
  await Promise.resolve()
  expect(size()).toBe(2 * waitingBytes)
  over = true
  sink.taken(0)
  await expect(writing).rejects.toThrow('over')
})

test('text and bytes come out in their order, and what is between may end it', async () => {
  const into = openKeepingSink()
  await pump(['a', Buffer.from('b'), 'ç', Buffer.from([0xff])], into, () => undefined)
  expect(into.kept()).toEqual(Buffer.concat([Buffer.from('abç'), Buffer.from([0xff])]))

  await expect(pump(endless(), openCountingSink(), stop)).rejects.toThrow('stopped')
})
