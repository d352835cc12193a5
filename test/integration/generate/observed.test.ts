import { expect, test } from 'vitest'
import type { CallInput } from '#contract/calls.ts'
import { openTestEngine } from '#test/support/engine.ts'
import { exportTo, importPath } from '#test/support/event-log.ts'
import { post } from '#test/support/requests.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

const body = (data: Record<string, unknown>, type = 'OPEN_TAB'): string =>
  JSON.stringify({
    type,
    createdAt: '2026-03-14T21:00:00.000Z',
    data: { 'with space': 1, ...data },
  })

test('no generated file has what an export would mask, the filter or the name of the log', async () => {
  await using folder = ownedFolder()
  await using tab = await openTestEngine({ secret: null })
  const { engine, path } = tab
  await tab.receive(
    post(path, body({ openedFrom: 'KIOSK', name: 'SNAKE', orderCount: 1, note: 'CALL_SNAKE' })),
    post(
      path,
      body({ name: 'KIOSK and SNAKE', openedFrom: 'SNAKE_1', snake: 1, byOrder: { 'snake 7': 1 } }),
    ),
    post(path, body({ type: 'SNAKE_IN', order: { type: 'SNAKE_INSIDE' } })),
    post(path, body({ openedFrom: 'SNAKE_BAR' })),
    post(path, body({ snake: 2, byOrder: { 'snake 8': 1 } })),
    post(path, body({}, 'TAB_MERGED')),
    post(path, body({}, 'SNAKE')),
    post(path, body({}, 'snakeMerged')),
  )
  await tab.kept(8)
  const file = `${folder.path}/snake.ndjson`
  await exportTo(engine, file)
  const { id: log } = await importPath(engine, file)
  await engine.call('logs.setChoices', { choices: [{ field: 'data.openedFrom', as: 'mask' }] })
  const { languages, handlers, testFrameworks } = await engine.call('generate.targets', {})
  const wanted: Pick<CallInput<'generate.files'>, 'output' | 'target'>[] = [
    ...languages.map(({ id: target }) => ({ output: 'types' as const, target })),
    ...handlers.map(({ id: target }) => ({ output: 'handler' as const, target })),
    ...testFrameworks.map(({ id: target }) => ({ output: 'fixtures' as const, target })),
    ...(['schema', 'openapi', 'asyncapi'] as const).map((output) => ({ output, target: '' })),
  ]
  expect(wanted.length).toBeGreaterThan(20)
  for (const input of wanted) {
    const observed = 'not data.table:"snake 7"'
    const { files, payloads } = await engine.call('generate.files', { ...input, observed, log })
    const text = JSON.stringify(files)
    expect(text).not.toMatch(/snake/i)
    if (input.output === 'fixtures') continue
    expect(payloads).toBe(6)
    expect(text).not.toContain('XXX')
    expect(text).toContain('TAB_MERGED')
    // Not every handler has types.
    if (input.output === 'handler') continue
    expect(text).toMatch(/order_?count/i)
    expect(text).toContain('with space')
    expect(text).toMatch(/Beside|1 other key/)
  }
})
