import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logBytes, logDelivery, logHead } from '#test/support/event-log.ts'
import { startFlood, type Flood } from '#test/support/flood.ts'
import { canMount, privateDisk, type PrivateDisk } from '#test/support/private-disk.ts'
import { jsonLines, runSpawnedCli, spawnListening, type RunningCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const secret = 'kept on a full disk'

/** Returns the last report on whether deliveries can be stored; undefined: none. */
const failing = (tab: RunningCli): unknown =>
  tab.lines().findLast(({ event }) => event === 'storage')?.['failing']

async function flood(
  { port, path: to }: { port: number; path: string },
  name: string,
  limit: number,
): Promise<Flood> {
  const sent = startFlood({ port, path: to, connections: 4, secret, name, limit })
  await sent.done
  return sent
}

/** Commands that change data. `trigger`, `verify` and `sandbox` store nothing. */
const changing: readonly (readonly [string, ...string[]])[] = [
  ['serve', '--no-open', '--port', '0'],
  ['listen', '--port', '0'],
  ['delivery', 'annotate', '1', '--note', 'seen'],
  ['integration', 'set', '--name', 'Mine', '--access-id', 'a', '--access-secret', 'b'],
  ['authorize', '--no-open'],
  ['call', 'GET', '/'],
  ['resend', '1'],
  ['compose', '--type', 'OPEN_TAB'],
  ['forward', 'add', 'http://127.0.0.1:9/'],
  ['import', import.meta.filename],
]

const reading: readonly (readonly [string, ...string[]])[] = [
  ['delivery', 'list'],
  ['delivery', 'show', '1'],
  ['delivery', 'trace', '1'],
  ['conformance'],
  ['integration', 'list'],
  ['token', 'list'],
  ['forward', 'list'],
  ['respond', 'list'],
  ['job', 'list'],
  ['export'],
  ['event-log', 'list'],
]

type Program = readonly [string, ...string[]]

/** Checks that each of the commands fails with a message. */
async function refusedByAll(
  program: Program,
  dataDir: string,
  commands: typeof changing = changing,
): Promise<void> {
  const otherwise: string[] = []
  for (const command of commands) {
    const { code, stderr } = await runSpawnedCli([...command, '--data', dataDir], { program })
    const isSentence =
      /^[^\n]*(is full|is read-only|No Tabscope data|contains Tabscope data)[^\n]+\n/.test(stderr)
    if (code === 0 || !isSentence || /\n\s+at /.test(stderr))
      otherwise.push(`${command.join(' ')}: ${code} ${stderr}`)
  }
  expect(otherwise).toEqual([])
}

describe.skipIf(!canMount)('on a disk of eight megabytes', () => {
  test('503 and a warning while it is full, and 200 again as soon as there is space', async () => {
    await using disk = await privateDisk()
    const dataDir = path.join(disk.path, 'data')
    const args = ['listen', '--secret', secret]
    const options = { program: disk.program }
    await using tab = await spawnListening(dataDir, args, options)
    const before = await flood(tab, 'before', 50)
    expect(before.answered.size).toBe(50)

    disk.fill()
    const during = await flood(tab, 'during', 300)
    expect(during.broken).toEqual([])
    expect(new Set(during.refused)).toEqual(new Set([503]))
    await until('the warning', () => failing(tab))
    expect(failing(tab)).toContain(
      'Deliveries cannot be stored and are rejected with 503: The disk is full.',
    )
    expect(tab.stderr()).toContain('warn Deliveries are rejected with 503: The disk is full.')
    const data = ['--data', dataDir]
    // Reading calls work meanwhile, and writing calls fail with a message.
    const listed = await runSpawnedCli(['delivery', 'list', '--json', ...data], options)
    expect(listed.code).toBe(0)
    // The first ones may still fit into the part of the WAL that is already copied.
    const noted = await until('a note that does not fit', async () => {
      const run = await runSpawnedCli(
        ['delivery', 'annotate', '1', '--note', 'x'.repeat(4000), ...data],
        options,
      )
      return run.code === 0 ? null : run
    })
    expect(noted).toMatchObject({ code: 1 })
    expect(noted.stderr).toMatch(/The disk is full\. Free up space on it\.\n$/)

    disk.free()
    // Without a delivery: rejected senders may not retry for hours.
    await until('the end of the warning', () => failing(tab) === null)
    const after = await flood(tab, 'after', 50)
    expect(after.answered.size).toBe(50)
    tab.child.kill('SIGTERM')
    expect((await tab.ended).code).toBe(0)

    const all = await runSpawnedCli(
      ['delivery', 'list', '--json', '--limit', '1000', ...data],
      options,
    )
    const kept = jsonLines(all.stdout).map((line) => String(line['sha256']))
    expect(kept).toHaveLength(new Set(kept).size)
    const answered = [before, during, after].flatMap(({ answered: each }) => [...each])
    expect(answered.filter((hash) => !kept.includes(hash))).toEqual([])
    expect(kept.filter((hash) => !answered.includes(hash))).toEqual([])
  })

  test('it shuts down in order while full, and loses no acknowledged delivery', async () => {
    await using disk = await privateDisk()
    const dataDir = path.join(disk.path, 'data')
    const options = { program: disk.program }
    await using tab = await spawnListening(
      dataDir,
      ['serve', '--no-open', '--secret', secret],
      options,
    )
    const before = await flood(tab, 'before', 200)
    disk.fill()
    await flood(tab, 'during', 20)
    tab.child.kill('SIGTERM')
    const { code, stderr } = await tab.ended
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(code).toBe(0)
    disk.free()
    const args = ['delivery', 'list', '--json', '--limit', '1000', '--data', dataDir]
    const kept = jsonLines((await runSpawnedCli(args, options)).stdout).map(
      (line) => line['sha256'],
    )
    expect([...before.answered].filter((hash) => !kept.includes(hash))).toEqual([])
  })

  test('every command fails with a message while it is full', async () => {
    await using disk = await privateDisk()
    disk.fill()
    await refusedByAll(disk.program, path.join(disk.path, 'data'))
    const options = { program: disk.program, env: { TMPDIR: disk.path } }
    const { code, stdout, stderr } = await runSpawnedCli(['self-check'], options)
    expect(stdout.toString()).toContain('The disk is full. Free up space on it.')
    expect(`${stdout.toString()}${stderr}`).not.toMatch(/\bat .+:\d+:\d+/)
    expect(code).toBe(1)
  })

  describe('an existing store', () => {
    let disk: PrivateDisk
    let dataDir: string
    let before: Flood

    beforeAll(async () => {
      disk = await privateDisk()
      dataDir = path.join(disk.path, 'data')
      const options = { program: disk.program }
      await using tab = await spawnListening(dataDir, ['listen', '--secret', secret], options)
      before = await flood(tab, 'before', 20)
      tab.child.kill('SIGTERM')
      await tab.ended
    })
    afterAll(() => disk[Symbol.asyncDispose]())

    test('rejects changes while the disk is full', async () => {
      disk.fill()
      await refusedByAll(disk.program, dataDir)
    })

    test('cannot be read while the disk is full, and is left unchanged', async () => {
      const names = disk.names(dataDir)
      await refusedByAll(disk.program, dataDir, reading)
      expect(disk.names(dataDir)).toEqual(names)
    })

    test('rejects changes while the disk is read-only', async () => {
      disk.free()
      disk.readOnly(true)
      await refusedByAll(disk.program, dataDir)
    })

    test('cannot be read while the disk is read-only, and is left unchanged', async () => {
      const names = disk.names(dataDir)
      await refusedByAll(disk.program, dataDir, reading)
      expect(disk.names(dataDir)).toEqual(names)
    })

    test('is unchanged once there is space', async () => {
      disk.readOnly(false)
      const args = ['delivery', 'list', '--json', '--data', dataDir]
      const { code, stdout } = await runSpawnedCli(args, { program: disk.program })
      expect(code).toBe(0)
      expect(new Set(jsonLines(stdout).map((line) => line['sha256']))).toEqual(before.answered)
    })
  })

  test('an export to it fails with a message and leaves no file', async () => {
    await using disk = await privateDisk()
    await using folder = ownedFolder()
    await using tab = await spawnListening(folder.path, ['listen', '--secret', secret])
    await flood(tab, 'before', 20)
    disk.fill()
    const file = path.join(disk.path, 'log.ndjson')
    const args = ['export', '-o', file, '--data', folder.path]
    // The command's own engine writes the export, so it must have access to the disk.
    tab.child.kill('SIGTERM')
    await tab.ended
    const { code, stderr } = await runSpawnedCli(args, { program: disk.program })
    expect(stderr).toContain(`Not enough disk space for log.ndjson in ${disk.path}.`)
    expect(code).toBe(1)
    expect(disk.names(disk.path)).toEqual(['filler'])
  })

  test.for(['har', 'ndjson.gz'])(
    'an import (%s) that does not fit ends before the disk is full, and leaves nothing',
    async (kind) => {
      await using disk = await privateDisk()
      const dataDir = path.join(disk.path, 'data')
      await using folder = ownedFolder()
      const file = path.join(folder.path, `large.${kind}`)
      writeFileSync(file, kind === 'har' ? largeHar() : gzipSync(largeLog()))
      await using tab = await spawnListening(dataDir, ['listen', '--secret', secret], {
        program: disk.program,
      })
      const sending = startFlood({
        port: tab.port,
        path: tab.path,
        connections: 1,
        secret,
        name: kind,
        // They fit in the reserve, however long the import takes.
        limit: 150,
      })
      const args = ['import', file, '--data', dataDir]
      const { code, stderr } = await runSpawnedCli(args, { program: disk.program })
      sending.stop()
      await sending.done
      expect(stderr).toMatch(
        /The log does not fit on the disk of the data folder, where [\d.]+ [KM]iB/,
      )
      expect(code).toBe(1)
      expect(disk.names(path.join(dataDir, 'logs'))).toEqual([])
      // Deliveries received meanwhile used the reserve.
      expect(sending.refused).toEqual([])
      expect(sending.answered.size).toBeGreaterThan(0)
    },
  )
})

/** Twelve megabytes. */
function largeHar(): string {
  const entry = JSON.stringify({
    startedDateTime: '2026-11-21T09:00:00.000Z',
    time: 1,
    request: {
      method: 'POST',
      url: 'http://127.0.0.1/hooks/sandbox',
      httpVersion: 'HTTP/1.1',
      headers: [],
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: 100_000,
      postData: { mimeType: 'text/plain', text: 'x'.repeat(100_000) },
    },
    response: { status: 200, statusText: 'OK', httpVersion: 'HTTP/1.1', headers: [] },
  })
  const entries = Array.from({ length: 120 }, () => entry).join()
  return `{"log":{"version":"1.2","creator":{"name":"t","version":"1"},"entries":[${entries}]}}`
}

/** The same amount of highly compressible data. */
function largeLog(): Buffer {
  const text = 'x'.repeat(300_000)
  return logBytes([
    logHead(40),
    ...Array.from({ length: 40 }, (_, index) => logDelivery(index + 1, text)),
  ])
}
