import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { LogExport } from '#contract/logs.ts'
import { logFormats } from '#engine/event-logs/formats.ts'
import {
  command,
  defaultName,
  exportFormats,
  exportToFile,
  exportRequest,
  type ExportValues,
} from '#hosts/node/commands/export.ts'
import { Interrupted } from '#hosts/node/output/output.ts'
import type { Session } from '#hosts/node/session/session.ts'

const all: ExportValues = { redact: true }

describe('the request of an export', () => {
  test('the formats are those of the engine', () => {
    expect(exportFormats).toEqual(logFormats.map(({ id }) => id).toSorted())
  })

  test.each([
    ['a.ndjson', 'ndjson', false],
    ['a.jsonl', 'ndjson', false],
    ['a.tabscope', 'ndjson', false],
    ['a.NDJSON.GZ', 'ndjson', true],
    ['a.har', 'har', false],
    ['a.har.gz', 'har', true],
    ['a.html', 'html', false],
    ['a.htm', 'html', false],
    ['a.csv', 'csv', false],
    ['a.md', 'markdown', false],
    ['a.sh', 'curl', false],
    ['a.mjs', 'fetch', false],
    ['a.js', 'fetch', false],
    ['a', 'ndjson', false],
    ['a.txt', 'ndjson', false],
  ])('-o %s is %s, packed: %s', (name, format, gzip) => {
    const { request, output } = exportRequest({ ...all, output: name })
    expect(request).toMatchObject({ format, gzip })
    expect(output).toBe(path.resolve(name))
  })

  test('--format takes precedence over the file name; - is stdout', () => {
    expect(exportRequest({ ...all, output: 'a.har', format: 'csv' }).request.format).toBe('csv')
    expect(exportRequest({ ...all, output: '-' }).output).toBe('-')
    expect(exportRequest(all).output).toBeNull()
    expect(() => exportRequest({ ...all, output: '' })).toThrow('-o requires a file')
  })

  test('redacts everything and omits nothing by default', () => {
    expect(exportRequest(all).request).toMatchObject({
      redact: true,
      choices: [],
      with: { attempts: true, notes: true, authorization: true },
    })
    const { request } = exportRequest({
      redact: false,
      without: ['notes', 'attempts'],
      keep: ['data.a', 'note'],
      mask: ['data.b'],
    })
    expect(request).toMatchObject({
      redact: false,
      with: { attempts: false, notes: false, authorization: true },
      choices: [
        { field: 'data.a', as: 'keep' },
        { field: 'note', as: 'keep' },
        { field: 'data.b', as: 'mask' },
      ],
    })
  })

  test('list options accept several values or can be repeated; a field is one value', () => {
    const words = ['--keep', 'data.a,b', '--keep', 'note', '--id', '3, 5', '--id=latest']
    expect(command.parseOptions(words).unknown).toEqual([])
    expect(command.opts()).toMatchObject({ keep: ['data.a,b', 'note'], id: [3, 5, 'latest'] })
    expect(() => command.parseOptions(['--without', 'secrets'])).toThrow(
      '--without requires one of deliveries, attempts, notes, authorization, not "secrets".',
    )
  })

  test('the default name contains the local time', () => {
    const at = new Date(2026, 0, 2, 3, 4)
    expect(defaultName('ndjson', false, at)).toBe('tabscope-2026-01-02-0304.ndjson')
    expect(defaultName('har', true, at)).toBe('tabscope-2026-01-02-0304.har.gz')
  })
})

test('Ctrl+C cancels an export and leaves no file', async () => {
  const running: LogExport = {
    id: 7,
    format: 'ndjson',
    name: 'a.ndjson',
    path: '/tmp/a.ndjson',
    state: 'running',
    redacted: true,
    deliveries: 1,
    total: 2,
    bytes: 10,
    startedAt: 0,
    endedAt: null,
    error: null,
    removed: {},
  }
  const calls: string[] = []
  const listeners: ((view: { exports: LogExport[] }) => void)[] = []
  const results: Record<string, () => unknown> = {
    'logs.export': () => ({ export: running, ticket: null }),
    'logs.list': () => {
      // The export is running.
      queueMicrotask(() => process.emit('SIGINT'))
      return { exports: [running] }
    },
    'logs.cancelExport': () => {
      for (const tell of listeners) tell({ exports: [{ ...running, state: 'cancelled' }] })
      return running
    },
    'logs.dismissExport': () => ({}),
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only what an export uses of a session
  const session = {
    gone: new Promise<void>(() => undefined),
    on: (_name: string, listener: (typeof listeners)[number]) => {
      listeners.push(listener)
      return () => undefined
    },
    call: async (name: string) => {
      calls.push(name)
      return results[name]?.()
    },
  } as unknown as Session
  await expect(
    exportToFile(session, {}, { path: '/tmp/a.ndjson', overwrite: false }),
  ).rejects.toThrow(Interrupted)
  expect(calls).toEqual(['logs.export', 'logs.list', 'logs.cancelExport', 'logs.dismissExport'])
})
