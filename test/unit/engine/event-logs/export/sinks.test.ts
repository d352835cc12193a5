import { openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  openFileSink,
  openGzipSink,
  openPieceSink,
  maxWaitingPieces,
  openCountingSink,
  type Sink,
} from '#engine/event-logs/export/sinks.ts'
import { pump } from '#engine/event-logs/export/run-export.ts'
import { until } from '#test/support/until.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

function fileIn(folder: string, overwrite = false) {
  const final = path.join(folder, 'log.ndjson')
  return { path: final, part: `${final}.part-1`, overwrite }
}

function openMemorySink(): Sink & { content(): Buffer } {
  const pieces: Uint8Array[] = []
  return {
    ...openCountingSink(),
    write: (piece) => void pieces.push(piece),
    content: () => Buffer.concat(pieces),
  }
}

const full = (): number => openSync('/dev/full', 'w')

function* endless(): Generator<string> {
  for (;;) yield 'more'
}

function stop(): never {
  throw new Error('stopped')
}

test('a file gets its name only when it is complete', async () => {
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

test('a file created under the same name meanwhile is kept, and nothing else is left', async () => {
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
    const words = { code: 'file_failed', message: expect.stringContaining('Not enough disk space') }
    await expect(plain.end()).rejects.toMatchObject(words)
    const packed = openGzipSink(openFileSink(fileIn(tempFolder()), full))
    await packed.write(bytes)
    await expect(packed.end()).rejects.toMatchObject(words)
  },
)

test('a compressed file has the same content, however it was split', async () => {
  const into = openMemorySink()
  const gzip = openGzipSink(into)
  const text = 'the same again, '.repeat(50_000)
  const cut = (length: number): string[] =>
    Array.from({ length: Math.ceil(text.length / length) }, (_, n) =>
      text.slice(n * length, (n + 1) * length),
    )
  await pump(cut(777), gzip, () => undefined)
  await gzip.end()
  expect(gunzipSync(into.content()).toString()).toBe(text)
})

test('at most four pieces wait for their consumer, and its failure ends the export', async () => {
  const sent: PromiseWithResolvers<void>[] = []
  const sink = openPieceSink((_piece) => {
    const consumed = Promise.withResolvers<void>()
    sent.push(consumed)
    return consumed.promise
  })
  const writing = sink.write(new Uint8Array(10 * 256 * 1024))
  expect(sent).toHaveLength(maxWaitingPieces)
  sent[0]?.resolve()
  await until('the next piece', () => sent.length > maxWaitingPieces)
  expect(sent).toHaveLength(maxWaitingPieces + 1)
  sent[1]?.reject(new Error('over'))
  await expect(writing).rejects.toThrow('over')
})

test('text and bytes keep their order, and the callback can end the export', async () => {
  const into = openMemorySink()
  await pump(['a', Buffer.from('b'), 'ç', Buffer.from([0xff])], into, () => undefined)
  expect(into.content()).toEqual(Buffer.concat([Buffer.from('abç'), Buffer.from([0xff])]))

  await expect(pump(endless(), openCountingSink(), stop)).rejects.toThrow('stopped')
})
