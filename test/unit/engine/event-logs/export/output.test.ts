import { createWriteStream, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { inPieces, openOutput, type Output, writeOutput } from '#engine/event-logs/export/output.ts'
import type { ExportTo } from '#engine/event-logs/export/messages.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

function fileIn(folder: string): ExportTo {
  const final = path.join(folder, 'log.ndjson')
  return { kind: 'file', path: final, part: `${final}.part-1`, overwrite: false }
}

const noSend = async (): Promise<void> => undefined
const nothing = (): void => undefined

function* endless(): Generator<string> {
  for (;;) yield 'more'
}

function stop(): never {
  throw new Error('stopped')
}

async function write(
  parts: Iterable<string | Uint8Array>,
  output: Output,
  to: ExportTo,
  gzip = false,
): Promise<number> {
  let bytes = 0
  await writeOutput(inPieces(parts, nothing), output, { to, gzip }, (size) => (bytes += size))
  return bytes
}

test('a file gets its name only when it is complete', async () => {
  const folder = tempFolder()
  const to = fileIn(folder)
  const output = await openOutput(to, noSend)
  expect(readdirSync(folder)).toEqual(['log.ndjson.part-1'])
  expect(await write(['a', Buffer.from('b'), 'ç'], output, to)).toBe(4)
  expect(readdirSync(folder)).toEqual(['log.ndjson'])
  expect(readFileSync(path.join(folder, 'log.ndjson'), 'utf8')).toBe('abç')
})

test('a file created under the same name meanwhile is kept', async () => {
  const folder = tempFolder()
  const to = fileIn(folder)
  const output = await openOutput(to, noSend)
  writeFileSync(path.join(folder, 'log.ndjson'), 'theirs')
  await expect(write(['ours'], output, to)).rejects.toMatchObject({ code: 'file_exists' })
  expect(readFileSync(path.join(folder, 'log.ndjson'), 'utf8')).toBe('theirs')
})

test('a folder that does not exist is reported', async () => {
  const to = fileIn(path.join(tempFolder(), 'missing'))
  await expect(openOutput(to, noSend)).rejects.toMatchObject({ code: 'file_failed' })
})

test.runIf(process.platform === 'linux').each([false, true])(
  'a full disk is reported as such, compressed: %s',
  async (gzip) => {
    const stream = createWriteStream('/dev/full')
    const to = fileIn(tempFolder())
    await expect(write([new Uint8Array(1_000_000)], { stream }, to, gzip)).rejects.toMatchObject({
      code: 'file_failed',
      message: expect.stringContaining('Not enough disk space'),
    })
  },
)

test('a compressed output has the same content, in pieces that were consumed one by one', async () => {
  const pieces: Uint8Array[] = []
  const output = await openOutput({ kind: 'pieces' }, async (piece) => void pieces.push(piece))
  const text = 'the same again, '.repeat(50_000)
  const bytes = await write(text.match(/.{1,777}/g) ?? [], output, { kind: 'pieces' }, true)
  expect(gunzipSync(Buffer.concat(pieces)).toString()).toBe(text)
  expect(Buffer.concat(pieces)).toHaveLength(bytes)
})

test('pieces have at most 256 KiB, and the failure of a consumer ends the export', async () => {
  const sizes: number[] = []
  const to = { kind: 'pieces' } as const
  const output = await openOutput(to, async ({ byteLength }) => {
    sizes.push(byteLength)
    if (sizes.length === 3) throw new Error('over')
  })
  await expect(write([new Uint8Array(1024 * 1024)], output, to)).rejects.toThrow('over')
  expect(sizes).toEqual([262_144, 262_144, 262_144])
})

test('the callback can end the export', async () => {
  const to = { kind: 'count' } as const
  const written = writeOutput(
    inPieces(endless(), stop),
    await openOutput(to, noSend),
    { to, gzip: false },
    nothing,
  )
  await expect(written).rejects.toThrow('stopped')
})
