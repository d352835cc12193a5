import { gunzipSync, gzipSync } from 'node:zlib'
import type { Edit } from './edits.ts'

/** Fewer characters hold nothing that could be told of somebody. */
const shortest = 12
/** A text inside may be unpacked to so many bytes. */
const unpackedLimit = 8 * 1024 * 1024

const line = /[A-Za-z0-9+/_-]{2,}/g
const partPattern = /[A-Za-z0-9]{12}[A-Za-z0-9]*={0,2}|[A-Za-z0-9+/]{12}[A-Za-z0-9+/]*={0,2}/g
const padding = /={0,2}/y
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const hexOnly = /^[0-9a-fA-F]+$/
const oneWord = /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|\d+)$/

/** A text that stands in Base64 or hex: what must go out of it, written as it was. */
export function encodedEdits(text: string, inside: (text: string) => string): Edit[] {
  const edits: Edit[] = []
  for (const { run, index } of runsIn(text)) {
    if (run.length === 36 && uuid.test(run)) continue
    for (const { from, piece } of piecesOf(run)) {
      const becomes = hexOnly.test(piece) ? hexInside(piece, inside) : base64Inside(piece, inside)
      if (becomes === null) continue
      edits.push({ from: index + from, to: index + from + piece.length, text: becomes })
      if (piece.length === run.length) break
    }
  }
  return edits
}

/** Runs of at least `shortest` characters of Base64 or hex, which may be cut into lines. */
function* runsIn(text: string): Generator<{ run: string; index: number }, void, undefined> {
  let from = -1
  let end = -1
  const whole = (): { run: string; index: number } => {
    padding.lastIndex = end
    return { run: text.slice(from, end) + (padding.exec(text)?.[0] ?? ''), index: from }
  }
  for (const match of text.matchAll(line)) {
    const next = end + (text[end] === '\r' ? 2 : 1)
    const goesOn = from !== -1 && match.index === next && text[next - 1] === '\n'
    if (!goesOn) {
      if (from !== -1) yield whole()
      from = match[0].length >= shortest ? match.index : -1
    }
    end = match.index + match[0].length
  }
  if (from !== -1) yield whole()
}

/** Words and names, which are no Base64 that anybody would write by chance. */
function isPlainWord(piece: string): boolean {
  if (oneWord.test(piece)) return true
  const words = /^[A-Za-z][A-Za-z_-]*$/.test(piece) && /[_-]/.test(piece)
  return words && /[A-Za-z]$/.test(piece) && !/[_-]{2}/.test(piece)
}

/** The whole run, else its parts: a path or a list may have it between slashes, hyphens, and line breaks. */
function* piecesOf(run: string): Generator<{ from: number; piece: string }> {
  if (!isPlainWord(run)) yield { from: 0, piece: run }
  if (!/[\n/_+-]/.test(run)) return
  for (const part of run.matchAll(partPattern)) {
    const piece = part[0]
    if (piece.length < run.length && !isPlainWord(piece)) yield { from: part.index, piece }
  }
}

function hexInside(run: string, inside: (text: string) => string): string | null {
  if (run.length % 2 !== 0) return null
  const bytes = Buffer.from(run, 'hex')
  if (!isText(bytes)) return null
  const text = bytes.toString('utf8')
  const becomes = inside(text)
  if (becomes === text) return null
  const hex = Buffer.from(becomes, 'utf8').toString('hex')
  return /[A-F]/.test(run) ? hex.toUpperCase() : hex
}

function base64Inside(run: string, inside: (text: string) => string): string | null {
  if (run.length < shortest) return null
  const bytes = Buffer.from(run.replaceAll(/\s/g, ''), 'base64')
  const forUrl = /[-_]/.test(run)
  const padded = run.endsWith('=') || run.replaceAll(/\s/g, '').length % 4 === 0
  const written = (changed: Buffer): string => {
    const text = changed.toString(forUrl ? 'base64url' : 'base64')
    if (padded) return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
    return text.replaceAll('=', '')
  }
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    try {
      const unpacked = gunzipSync(bytes, { maxOutputLength: unpackedLimit })
      const changed = changedBytes(unpacked, inside)
      return changed && written(gzipSync(changed))
    } catch {
      return null
    }
  }
  const changed = changedBytes(bytes, inside)
  return changed && written(changed)
}

/** In bytes that are no text only what can be nothing else is looked for: digests are bytes as well. */
const strictEmail =
  /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{3,}@(?:[A-Za-z0-9-]{2,63}\.){1,127}[A-Za-z]{2,63}/

function changedBytes(bytes: Buffer, inside: (text: string) => string): Buffer | null {
  const coding = codingOf(bytes)
  if (coding === null) return null
  const text = bytes.toString(coding)
  const becomes = inside(text)
  return becomes === text ? null : Buffer.from(becomes, coding)
}

/** How the bytes can be read; null: they are no text, and hold none. */
function codingOf(bytes: Buffer): 'utf8' | 'utf16le' | 'latin1' | null {
  let zeros = 0
  for (let at = 1; at < bytes.byteLength; at += 2) if (bytes[at] === 0) zeros += 1
  if (bytes.byteLength % 2 === 0 && zeros * 2 > bytes.byteLength / 2) return 'utf16le'
  if (isText(bytes)) return 'utf8'
  return strictEmail.test(bytes.toString('latin1')) ? 'latin1' : null
}

/** Characters that people read: none of them for control alone, but zeros, which UTF-16 has between them. */
function isText(bytes: Buffer): boolean {
  if (bytes.byteLength === 0) return false
  let odd = 0
  for (const byte of bytes) {
    if (byte >= 0x20 && byte < 0x7f) continue
    if (byte === 0x09 || byte === 0x0a || byte === 0x0d || byte === 0) continue
    if (byte < 0x20 || byte === 0x7f) return false
    odd += 1
  }
  return odd === 0 || (odd * 4 < bytes.byteLength * 3 && !bytes.toString('utf8').includes('\uFFFD'))
}
