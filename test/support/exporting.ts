import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { LogLine } from '#contract/event-log.ts'
import type { CallInput } from '#contract/calls.ts'
import type { LogExport } from '#contract/logs.ts'
import type { Engine } from '#engine/app/engine.ts'
import { tempFolder } from './temp-folder.ts'
import { until } from './until.ts'

type Options = Omit<CallInput<'logs.export'>, 'to'>

export function endOf(engine: Engine, id: number): Promise<LogExport> {
  return until('the export to end', async () => {
    const { exports } = await engine.call('logs.list', {})
    return exports.find((each) => each.id === id && each.state !== 'running') ?? null
  })
}

/** Exports to a new file in its own folder, by default without redaction. */
export async function exportTo(
  engine: Engine,
  options: Options = {},
  file = path.join(tempFolder(), `export-${randomBytes(4).toString('hex')}.ndjson`),
): Promise<{ file: string; view: LogExport }> {
  const begun = await engine.call('logs.export', {
    redact: false,
    ...options,
    to: { kind: 'file', path: file },
  })
  return { file, view: await endOf(engine, begun.export.id) }
}

export async function pullAll(engine: Engine, ticket: string | null): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for (;;) {
    const piece = await engine.call('logs.pull', { ticket: ticket ?? '' })
    pieces.push(piece.bytes)
    if (piece.done) return Buffer.concat(pieces)
  }
}

type Of<K extends LogLine['kind']> = Extract<LogLine, { kind: K }>

function isOf<K extends LogLine['kind']>(line: LogLine, kind: K): line is Of<K> {
  return line.kind === kind
}

export function linesOf(log: Buffer): {
  all: LogLine[]
  of: <K extends LogLine['kind']>(kind: K) => Of<K>[]
} {
  const text = log.toString()
  if (!text.endsWith('\n')) throw new Error('the log has no end')
  const all = text
    .slice(0, -1)
    .split('\n')
    .map((line) => LogLine.parse(JSON.parse(line)))
  return { all, of: (kind) => all.filter((line) => isOf(line, kind)) }
}

export function linesIn(file: string): ReturnType<typeof linesOf> {
  return linesOf(readFileSync(file))
}
