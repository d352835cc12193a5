import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { LogLine } from '#contract/event-log.ts'
import type { CallInput } from '#contract/calls.ts'
import type { LogExport } from '#contract/logs.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const tab = sharedTestEngine()

async function post(body: string | Uint8Array<ArrayBuffer>): Promise<void> {
  const { port, path: hook } = tab()
  await fetch(`http://127.0.0.1:${port}${hook}`, { method: 'POST', body })
}

async function exported(wish: CallInput<'logs.export'>): Promise<LogExport> {
  const { engine } = tab()
  const begun = await engine.call('logs.export', { redact: false, ...wish })
  return until('the export to end', async () => {
    const { exports } = await engine.call('logs.list', {})
    return exports.find(({ id, state }) => id === begun.export.id && state !== 'running') ?? null
  })
}

it('writes a log of all deliveries', async () => {
  await post(JSON.stringify({ type: 'QR_SCANNED', data: { a: 1 } }))
  await post(new Uint8Array([255, 254, 0, 1]))
  await post(new Uint8Array(2_000_000).fill(65))
  await tab().kept(3)
  const folder = tempFolder()
  const file = path.join(folder, 'all.ndjson')
  const view = await exported({ to: { kind: 'file', path: file } })
  expect(view).toMatchObject({ state: 'done', error: null, name: 'all.ndjson', deliveries: 3 })
  const bytes = readFileSync(file)
  const lines = bytes
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => LogLine.parse(JSON.parse(line)))
  console.log(lines.map((l) => JSON.stringify(l).slice(0, 300)).join('\n'))
  expect(readdirSync(folder)).toEqual(['all.ndjson'])
})
