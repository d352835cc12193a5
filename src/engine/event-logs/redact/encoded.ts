import { gunzipSync, gzipSync } from 'node:zlib'
import type { Edit } from './edits.ts'

/** Shorter texts cannot contain anything that must be redacted. */
const minLength = 12
const maxUnpackedBytes = 8 * 1024 * 1024

const line = /[A-Za-z0-9+/_-]{2,}/g
const partPattern = /[A-Za-z0-9]{12}[A-Za-z0-9]*={0,2}|[A-Za-z0-9+/]{12}[A-Za-z0-9+/]*={0,2}/g
const padding = /={0,2}/y
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const hexOnly = /^[0-9a-fA-F]+$/
const oneWord = /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|\d+)$/

/** For texts in Base64 or hex. What `redactInner` returns is encoded again. */
export function encodedEdits(text: string, redactInner: (text: string) => string): Edit[] {
  const edits: Edit[] = []
  for (const { run, index } of runsIn(text)) {
    if (run.length === 36 && uuid.test(run)) continue
    for (const { from, piece } of piecesOf(run)) {
      const redactedText = hexOnly.test(piece)
        ? redactHex(piece, redactInner)
        : redactBase64(piece, redactInner)
      if (redactedText === null) continue
      edits.push({ from: index + from, to: index + from + piece.length, text: redactedText })
      if (piece.length === run.length) break
    }
  }
  return edits
}

/** Base64 or hex, which may be split into lines. */
function* runsIn(text: string): Generator<{ run: string; index: number }, void, undefined> {
  let from = -1
  let end = -1
  const completeRun = (): { run: string; index: number } => {
    padding.lastIndex = end
    return { run: text.slice(from, end) + (padding.exec(text)?.[0] ?? ''), index: from }
  }
  for (const match of text.matchAll(line)) {
    const next = end + (text[end] === '\r' ? 2 : 1)
    const continues = from !== -1 && match.index === next && text[next - 1] === '\n'
    if (!continues) {
      if (from !== -1) yield completeRun()
      from = match[0].length >= minLength ? match.index : -1
    }
    end = match.index + match[0].length
  }
  if (from !== -1) yield completeRun()
}

/** Practically never Base64. */
function isPlainWord(piece: string): boolean {
  if (oneWord.test(piece)) return true
  const words = /^[A-Za-z][A-Za-z_-]*$/.test(piece) && /[_-]/.test(piece)
  return words && /[A-Za-z]$/.test(piece) && !/[_-]{2}/.test(piece)
}

/** The complete run, then its parts: encoded text may be an element of a path or list. */
function* piecesOf(run: string): Generator<{ from: number; piece: string }> {
  if (!isPlainWord(run)) yield { from: 0, piece: run }
  if (!/[\n/_+-]/.test(run)) return
  for (const part of run.matchAll(partPattern)) {
    const piece = part[0]
    if (piece.length < run.length && !isPlainWord(piece)) yield { from: part.index, piece }
  }
}

function redactHex(run: string, redactInner: (text: string) => string): string | null {
  if (run.length % 2 !== 0) return null
  const bytes = Buffer.from(run, 'hex')
  if (!isText(bytes)) return null
  const text = bytes.toString('utf8')
  const redactedText = redactInner(text)
  if (redactedText === text) return null
  const hex = Buffer.from(redactedText, 'utf8').toString('hex')
  return /[A-F]/.test(run) ? hex.toUpperCase() : hex
}

function redactBase64(run: string, redactInner: (text: string) => string): string | null {
  if (run.length < minLength) return null
  const bytes = Buffer.from(run.replaceAll(/\s/g, ''), 'base64')
  const isBase64Url = /[-_]/.test(run)
  const padded = run.endsWith('=') || run.replaceAll(/\s/g, '').length % 4 === 0
  const encode = (redacted: Buffer): string => {
    const text = redacted.toString(isBase64Url ? 'base64url' : 'base64')
    if (padded) return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
    return text.replaceAll('=', '')
  }
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    try {
      const unpacked = gunzipSync(bytes, { maxOutputLength: maxUnpackedBytes })
      const redacted = redactBytes(unpacked, redactInner)
      return redacted && encode(gzipSync(redacted))
    } catch {
      return null
    }
  }
  const redacted = redactBytes(bytes, redactInner)
  return redacted && encode(redacted)
}

/** For binary data, which may be a digest. */
const strictEmail =
  /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{3,}@(?:[A-Za-z0-9-]{2,63}\.){1,127}[A-Za-z]{2,63}/

function redactBytes(bytes: Buffer, redactInner: (text: string) => string): Buffer | null {
  const encoding = detectEncoding(bytes)
  if (encoding === null) return null
  const text = bytes.toString(encoding)
  const redactedText = redactInner(text)
  return redactedText === text ? null : Buffer.from(redactedText, encoding)
}

/** Null: the bytes are not text and contain no e-mail address. */
function detectEncoding(bytes: Buffer): 'utf8' | 'utf16le' | 'latin1' | null {
  let zeros = 0
  for (let at = 1; at < bytes.byteLength; at += 2) if (bytes[at] === 0) zeros += 1
  if (bytes.byteLength % 2 === 0 && zeros * 2 > bytes.byteLength / 2) return 'utf16le'
  if (isText(bytes)) return 'utf8'
  return strictEmail.test(bytes.toString('latin1')) ? 'latin1' : null
}

/** Allows zero bytes, which occur in UTF-16. */
function isText(bytes: Buffer): boolean {
  if (bytes.byteLength === 0) return false
  let nonAscii = 0
  for (const byte of bytes) {
    if (byte >= 0x20 && byte < 0x7f) continue
    if (byte === 0x09 || byte === 0x0a || byte === 0x0d || byte === 0) continue
    if (byte < 0x20 || byte === 0x7f) return false
    nonAscii += 1
  }
  return (
    nonAscii === 0 ||
    (nonAscii * 4 < bytes.byteLength * 3 && !bytes.toString('utf8').includes('\uFFFD'))
  )
}
