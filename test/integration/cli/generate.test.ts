import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { post } from '#test/support/requests.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

const types = ['generate', 'types', '--language', 'typescript']

const tab = (changes: object, data: object = {}): string =>
  JSON.stringify({
    type: 'OPEN_TAB',
    targetUuid: 'tab-1',
    createdAt: '2026-03-14T21:00:00.000Z',
    ...changes,
    data: { name: 'Ada', spotName: 'T4', total: 0, openedFrom: 'SERVER_TAB', ...data },
  })

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

test('observed fields, values and types are added, from the deliveries that match', async () => {
  await using folder = ownedFolder()
  await using tab5 = await openTabscope(folder.path)
  await using client = await rawClient(tab5.port)
  const bodies = [
    tab({}),
    tab({ locationName: null }, { total: 12.5, tip: { amount: 3 }, openedFrom: 'KIOSK' }),
    tab({}, { byGuest: { '+4915112345678': 2, '+4915187654321': 1 } }),
    tab({ type: 'TAB_MERGED', data: {} }),
    tab({ type: 'not a type' }),
  ]
  for (const body of bodies) await client.send(post('/hooks/sandbox', body))
  await client.answers(bodies.length)
  const at = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli([...types, '--data', folder.path, ...args])
    expect(stderr).toBe('')
    expect(code).toBe(0)
    return stdout.toString()
  }
  const all = await at('--observed')
  expect(all).toContain('the API documentation and 4 deliveries (no filter).')
  expect(all).toContain("openedFrom?: OneOf<'SERVICE_MENU' | 'SERVER_TAB' | 'KIOSK'> | null")
  expect(all).toContain('  /** Not documented; observed in 1 of 3. */\n  tip?: OpenTabTip | null')
  expect(all).toContain('Name of that location. Documented; observed in 1 of 4.')
  // Keys that are values.
  expect(all).toContain('byGuest?: Record<string, number> | null')
  expect(all).not.toContain('4915112345678')
  expect(all).toContain('export interface TabMergedEvent extends EventBase')
  expect(await at('--observed')).toBe(all)

  const some = await at('--observed', 'KIOSK', '--type', 'OPEN_TAB')
  expect(some).toContain('1 delivery (filter: KIOSK). Only OPEN_TAB.')
  expect(some).not.toMatch(/byGuest|OrderPlaced/)

  const bad = await runCli([...types, '--data', folder.path, '--observed', 'type:('])
  expect(bad.code).toBe(2)
})
