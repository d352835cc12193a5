import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect } from 'vitest'
import { hashedHead, LogLine } from '#contract/event-log.ts'
import { hiddenCharacters } from '#shared/text/visible.ts'
import { tempFolder } from '../temp-folder.ts'
import { harFaults } from './har-faults.ts'
import { canary } from './hostile.ts'
import { looseText, markdownHeadings } from './markdown-text.ts'

interface FormatCheck {
  /** Parses the output and fails if it is invalid. Returns the ids of its deliveries, in order. */
  readonly deliveriesIn: (text: string) => number[]
  /** Fails if untrusted text is more than text. */
  readonly assertInert?: (text: string) => void
}

/** Checks by format id. The suite fails for a format without checks. */
export const formatChecks: Readonly<Record<string, FormatCheck>> = {
  ndjson: { deliveriesIn: ndjsonDeliveries },
  har: { deliveriesIn: harDeliveries },
  html: { deliveriesIn: htmlDeliveries },
  csv: { deliveriesIn: (text) => csvRows(text).map(({ id }) => Number(id)), assertInert: inertCsv },
  markdown: {
    deliveriesIn: (text) => numbersIn(markdownHeadings(text).join('\n')),
    assertInert: (text) => expect(looseText(text)).not.toContain(canary),
  },
  curl: { deliveriesIn: shellDeliveries },
  fetch: { deliveriesIn: moduleDeliveries },
}

function numbersIn(text: string): number[] {
  return [...text.matchAll(/^\W*Delivery ([0-9]+)/gm)].map(([, id]) => Number(id))
}

function ndjsonDeliveries(text: string): number[] {
  expect(text.endsWith('\n')).toBe(true)
  const lines = text.split('\n').slice(0, -1)
  const read = lines.map((line) => LogLine.parse(JSON.parse(line)))
  const last = read.at(-1)
  const before = lines.slice(0, -1)
  const sha256 = createHash('sha256')
    .update(before.map((line, index) => `${index === 0 ? hashedHead(line) : line}\n`).join(''))
    .digest('hex')
  expect(read[0]?.kind).toBe('head')
  expect(last).toMatchObject({ kind: 'end', lines: before.length, sha256 })
  return read.flatMap((line) => (line.kind === 'delivery' ? [line.id] : []))
}

function harDeliveries(text: string): number[] {
  const archive: { log: Record<string, unknown> & { entries: Record<string, unknown>[] } } =
    JSON.parse(text)
  expect(harFaults(archive)).toEqual([])
  const { entries } = archive.log
  return entries
    .filter(({ comment }) => !String(comment).startsWith('Sent by Tabscope.'))
    .map((_, index) => index + 1)
}

function htmlDeliveries(text: string): number[] {
  expect(text).not.toContain('<script')
  return [...text.matchAll(/<div id="delivery-(\d+)">/g)].map(([, id]) => Number(id))
}

function csvRows(text: string): Record<string, string>[] {
  expect(text.startsWith('\u{FEFF}')).toBe(true)
  expect(text.endsWith('\r\n')).toBe(true)
  return parse(text, { bom: true, columns: true, record_delimiter: '\r\n' })
}

/** No cell is a formula, even if semicolons separate the columns. Nothing is hidden except the line ends. */
function inertCsv(text: string): void {
  for (const row of csvRows(text)) {
    for (const cell of Object.values(row)) expect(cell).not.toMatch(/^\s*[=+\-@]/)
  }
  const asSemicolons = text.split('\r\n').flatMap((line) => line.split(';'))
  for (const cell of asSemicolons) expect(cell).not.toMatch(/^[\s"]*[=+\-@]/)
  expect(text.slice(1).replaceAll('\r\n', '').search(hiddenCharacters)).toBe(-1)
}

function shellDeliveries(text: string): number[] {
  const { status, stderr } = spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return numbersIn(text)
}

function moduleDeliveries(text: string): number[] {
  const file = path.join(tempFolder(), 'module.mjs')
  writeFileSync(file, text)
  const { status, stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return numbersIn(text)
}
