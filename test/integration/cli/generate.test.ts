import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

const types = ['generate', 'types', '--language', 'typescript']

test('types are generated from the documentation alone without a data folder, and checked', async () => {
  await using folder = ownedFolder()
  const at = (...args: string[]) =>
    runCli([...types, ...args], {
      cwd: folder.path,
      env: { TABSCOPE_DATA: path.join(folder.path, 'none') },
    })
  const printed = await at()
  expect(printed.code).toBe(0)
  const text = printed.stdout.toString()
  expect(text).toContain('from the API documentation.')
  expect(text).toContain(
    '  /** Order total including taxes and fees. Documented. */\n  total: number',
  )
  expect(text).toContain("openedFrom?: OneOf<'SERVICE_MENU' | 'SERVER_TAB'> | null")
  expect((await at('--brand', 'Acme')).stdout.toString()).toContain("'ACME_MENU'")

  const absent = await at('-o', 'src/events.ts', '--check')
  expect([absent.code, readdirSync(folder.path)]).toEqual([1, []])
  expect((await at('-o', 'src/events.ts')).stdout.toString()).toContain('events.ts: created')
  const file = path.join(folder.path, 'src/events.ts')
  expect(readFileSync(file, 'utf8')).toBe(text)
  expect((await at('-o', 'src/events.ts', '--check')).code).toBe(0)
  // As git 2.39 checks it out with core.autocrlf, and as editors save it: with a mark, without the last line end, or with one more.
  const crLf = text.replaceAll('\n', '\r\n')
  for (const stored of [crLf, `\ufeff${text}`, `\ufeff${crLf}`, text.trimEnd(), `${crLf}\r\n`]) {
    writeFileSync(file, stored)
    const checked = await at('-o', 'src/events.ts', '--check')
    expect([checked.code, checked.stdout.toString()]).toEqual([0, 'Current.\n'])
    expect((await at('-o', 'src/events.ts')).stdout.toString()).toContain('events.ts: unchanged')
    expect(readFileSync(file, 'utf8')).toBe(stored)
  }
  writeFileSync(file, crLf.replace('total: number', 'total: string'))
  const differs = (await at('-o', 'src/events.ts', '--check')).stdout.toString()
  expect(differs).toMatch(
    /events\.ts differs from line \d+:\n-   total: string\n\+   total: number\n$/,
  )

  writeFileSync(file, text.replace('total: number', 'total: string'))
  const stale = await at('-o', 'src/events.ts', '--check', '--json')
  expect(stale.code).toBe(1)
  expect(jsonLines(stale.stdout)).toMatchObject([
    { event: 'generated', files: [{ path: file, change: 'changed' }], payloads: null },
  ])
  // It says that it is generated, so it is replaced.
  expect((await at('-o', 'src/events.ts')).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(text)

  writeFileSync(file, 'my own types')
  const edited = await at('-o', 'src/events.ts')
  expect([edited.code, edited.stderr]).toEqual([2, expect.stringContaining('--force')])
  expect(readFileSync(file, 'utf8')).toBe('my own types')
  expect((await at('-o', 'src/events.ts', '--force')).code).toBe(0)
})

test.skipIf(process.platform === 'win32')(
  'neither code nor a report is written through a link to no file',
  async () => {
    await using folder = ownedFolder()
    symlinkSync('missing', path.join(folder.path, 'link'))
    const rehearse = ['rehearse', '--to', 'http://127.0.0.1:9', '--format', 'junit', '--ephemeral']
    for (const command of [types, rehearse]) {
      const { stderr } = await runCli([...command, '-o', 'link'], { cwd: folder.path })
      expect(stderr).toContain('is a link to a file that does not exist')
    }
    expect(readdirSync(folder.path)).toEqual(['link'])
  },
)

test.skipIf(process.platform === 'win32')(
  'a device gets the code, and is not read first: a pipe would never end',
  async () => {
    const { code, stdout } = await runCli([...types, '-o', '/dev/null'])
    expect([code, stdout.toString()]).toEqual([0, '/dev/null: created\n'])
  },
)
