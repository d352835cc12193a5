import type { Header } from '#contract/models.ts'
import { findingStep } from '#shared/json/path.ts'
import { prettyJson } from '#shared/json/format.ts'
import { stringEnd } from '#shared/json/tokenizer.ts'
import { formatSize } from '#shared/text/format.ts'
import { escapeOf, hiddenCharacters } from '#shared/text/visible.ts'
import { decodeHeader, exactText } from './text.ts'

/*
 * The parts of an HTML document without script. Each value is escaped by `text`; only what these functions return may be written to the file.
 */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Untrusted text: never markup, and with hidden characters as escapes, which differ from text that only looks like one. */
export function text(value: string): string {
  return value
    .replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign)
    .replace(hiddenCharacters, (character) => `<i>${escapeOf(character)}</i>`)
}

/** `html` is the output of other functions of this file. */
export function details(summary: string, html: string, attributes = ''): string {
  return `<details${attributes}><summary>${summary}</summary>\n${html}</details>\n`
}

export type Fact = readonly [name: string, value: string]

/** Leaves out what is empty. */
export function factList(facts: readonly Fact[]): string {
  const shown = facts.filter(([, value]) => value !== '')
  if (shown.length === 0) return ''
  const rows = shown.map(([name, value]) => `<dt>${text(name)}</dt><dd>${text(value)}</dd>\n`)
  return `<dl>\n${rows.join('')}</dl>\n`
}

/** `marked`: locations of findings, such as `header.content-type`. */
export function headerBlock(
  title: string,
  first: string,
  headers: readonly Header[],
  marked: ReadonlySet<string> = new Set(),
): string {
  const lines = headers.map(([name, value]) => {
    const line = text(`${name}: ${decodeHeader(value)}`)
    return marked.has(`header.${name.toLowerCase()}`) ? `<mark>${line}</mark>` : line
  })
  const all = first === '' ? lines : [text(first), ...lines]
  return `<h3>${title}</h3>\n${all.length === 0 ? '<p>None.</p>\n' : `<pre>${all.join('\n')}</pre>\n`}`
}

/** In bytes, and in characters after formatting. Browsers become slow with more. */
const maxShown = 256 * 1024
const restNote =
  '<p>The rest is not shown. An event log in the format ndjson has the complete body.</p>\n'

/** JSON is formatted, with every value unchanged. `marked`: locations of findings, such as `body.data.total`. */
export function bodyBlock(
  title: string,
  body: Uint8Array,
  marked: ReadonlySet<string> = new Set(),
): string {
  const heading = `<h3>${title} <small>${formatSize(body.byteLength)}</small></h3>\n`
  if (body.byteLength === 0) return `${heading}<p>Empty.</p>\n`
  const source = exactText(body)
  if (source === null) return heading + hexBlock(body)
  const pretty = body.byteLength > maxShown ? null : prettyJson(source)
  const shown = pretty ?? source
  const isCut = shown.length > maxShown
  // A cut in the middle of a character leaves half of it, which is shown as an escape.
  const lines = (isCut ? shown.slice(0, maxShown) : shown).split(/\r?\n/)
  const html = pretty === null ? lines.map(text) : markedLines(lines, marked)
  return `${heading}<pre>${html.join('\n')}</pre>\n${isCut ? restNote : ''}`
}

function markedLines(lines: readonly string[], marked: ReadonlySet<string>): string[] {
  if (marked.size === 0) return lines.map(text)
  /** `next`: the index of the next element; null in an object. */
  const open: { location: string; next: number | null }[] = []
  return lines.map((line) => {
    const content = line.trimStart()
    if (/^[\]}]/.test(content)) {
      open.pop()
      return text(line)
    }
    const parent = open.at(-1)
    const location = parent === undefined ? 'body' : parent.location + stepOf(parent, content)
    if (/[[{]$/.test(content)) open.push({ location, next: content.endsWith('[') ? 0 : null })
    if (parent === undefined || !marked.has(location)) return text(line)
    return `${' '.repeat(line.length - content.length)}<mark>${text(content)}</mark>`
  })
}

function stepOf(parent: { next: number | null }, content: string): string {
  if (parent.next !== null) {
    parent.next += 1
    return findingStep(parent.next - 1)
  }
  const key: unknown = JSON.parse(content.slice(0, stringEnd(content, 0)))
  return findingStep(String(key))
}

const maxHexBytes = 512

function hexBlock(body: Uint8Array): string {
  const lines: string[] = []
  for (let at = 0; at < Math.min(body.byteLength, maxHexBytes); at += 16) {
    const hex = Array.from(body.subarray(at, at + 16), (byte) => byte.toString(16).padStart(2, '0'))
    lines.push(`${at.toString(16).padStart(4, '0')}  ${hex.join(' ')}`)
  }
  return `<pre>${lines.join('\n')}</pre>\n${body.byteLength > maxHexBytes ? restNote : ''}`
}
