import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { until } from '#test/support/until.ts'

type Call = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>

/** Makes every call of event logs. Writes its files to the data folder, where they are searched with all others. */
export async function logsWithSecrets(
  call: Call,
  { deliveryId, dataDir }: { readonly deliveryId: number; readonly dataDir: string },
): Promise<void> {
  await call('logs.setChoices', { choices: [{ field: 'header x-canary', as: 'mask' }] })
  const ended = (id: number) =>
    until('the export to end', async () => {
      const { exports } = await call('logs.list', {})
      return exports.find((each) => each.id === id && each.state !== 'running') ?? null
    })
  const files: string[] = []
  for (const { id: format, single } of await formatsOf(call)) {
    const file = path.join(dataDir, `exported-${format}`)
    files.push(file)
    const begun = await call('logs.export', {
      format,
      with: { rehearsals: 'all' },
      to: { kind: 'file', path: file },
    })
    expect(await ended(begun.export.id)).toMatchObject({ state: 'done', error: null })
    await call('logs.dismissExport', { id: begun.export.id })
    if (single) await call('logs.text', { id: deliveryId, format })
  }
  let preview = await call('logs.preview', { key: 'canary' })
  while (!preview.complete) preview = await call('logs.preview', { key: 'canary' })
  expect(preview.fields).not.toEqual([])

  // Encrypted values are not exported, even without redaction.
  const whole = path.join(dataDir, 'exported-whole')
  const begun = await call('logs.export', {
    redact: false,
    with: { rehearsals: 'all' },
    to: { kind: 'file', path: whole },
  })
  expect(await ended(begun.export.id)).toMatchObject({ state: 'done' })
  expect(readFileSync(whole, 'utf8')).toContain('"kind":"run"')
  expect(readFileSync(whole, 'utf8')).toContain('"kind":"rehearsal_request"')

  const pulled = await call('logs.export', { to: { kind: 'pull', name: 'pulled' } })
  await call('logs.pull', { ticket: pulled.ticket ?? '' })
  await call('logs.cancelExport', { id: pulled.export.id })

  const first = await call('logs.import', { from: { kind: 'path', path: files[0] ?? '' } })
  const { logId } = await call('logs.imported', { id: first.id })
  expect(logId).not.toBeNull()
  await call('logs.authorization', { log: logId ?? 0 })
  const [run] = await call('rehearsals.list', { log: logId })
  const { results } = await call('rehearsals.get', { log: logId, id: run?.id ?? 0 })
  expect(results.map(({ id }) => id)).toContain('S4')
  await call('rehearsals.requests', { log: logId, id: run?.id ?? 0, caseId: 'S4' })
  await call('logs.dismissImport', { id: first.id })
  const fed = await call('logs.import', { from: { kind: 'feed', name: 'fed' } })
  await call('logs.feed', { id: fed.id, bytes: readFileSync(whole), end: true })
  await call('logs.imported', { id: fed.id })
  await call('logs.cancelImport', { id: fed.id })
  await call('logs.remove', { id: logId ?? 0 })
}

async function formatsOf(call: Call): Promise<{ id: string; single: boolean }[]> {
  const singles = new Set(['markdown', 'curl', 'fetch', 'ndjson', 'har'])
  const formats = await call('logs.formats', {})
  return formats.map(({ id }) => ({ id, single: singles.has(id) }))
}
