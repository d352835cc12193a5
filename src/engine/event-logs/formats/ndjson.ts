import { createHash } from 'node:crypto'
import {
  eventLogVersion,
  hashedHead,
  type LogHead,
  type LogLine,
  inlineBody,
  lineAttempts,
  lineBodies,
  type LogPart,
} from '#contract/event-log.ts'
import type { FormatEnv, LogFormat } from '../formats.ts'
import type { LogItem, ExportedAttempt, ExportedDelivery } from '../items.ts'
import { caseLines } from '../format-parts/rehearsal-lines.ts'
import { isUtf8 } from 'node:buffer'
import { asBuffer } from '../format-parts/text.ts'

/** The native event log, as defined in `contract/event-log.ts`. The same deliveries give the same bytes. */
const ndjson: LogFormat = {
  id: 'ndjson',
  label: 'Event log',
  description: 'Everything, to import into another Tabscope. For support requests and backups.',
  extension: 'ndjson',
  mediaType: 'application/x-ndjson',
  imports: 'complete',
  gzip: true,
  rehearsals: true,
  comfortable: null,
  single: true,
  write,
}

function* write(
  head: LogHead,
  items: Iterable<LogItem>,
  env: FormatEnv,
): Generator<Uint8Array, void, undefined> {
  const writer = createLineWriter()
  const hash = createHash('sha256')
  let deliveries = 0
  const add = (line: LogLine): void => {
    writer.text(JSON.stringify(line))
    writer.endLine()
  }
  const hashed = (bytes: Uint8Array): Uint8Array => {
    hash.update(bytes)
    return bytes
  }
  const headLine = JSON.stringify({ ...head, version: eventLogVersion } satisfies LogHead)
  hash.update(`${hashedHead(headLine)}\n`)
  yield Buffer.from(`${headLine}\n`)
  for (const item of items) {
    if (item.kind === 'delivery') {
      deliveries += 1
      for (const _ of writeDelivery(writer, item.delivery)) {
        if (writer.full) yield hashed(writer.take())
      }
    } else if (item.kind === 'rehearsal_case') {
      for (const line of caseLines(item)) {
        add(line)
        if (writer.full) yield hashed(writer.take())
      }
    } else {
      add(item)
      if (writer.full) yield hashed(writer.take())
    }
  }
  yield hashed(writer.take())
  const lines = 1 + writer.lines
  const sha256 = hash.digest('hex')
  add({ kind: 'end', deliveries, lines, removed: { ...env.removed() }, sha256 })
  yield writer.take()
}

const pieceBytes = 128 * 1024

type LineWriter = ReturnType<typeof createLineWriter>

const empty = new Uint8Array()

function createLineWriter() {
  let buffer = Buffer.allocUnsafeSlow(pieceBytes * 2)
  let length = 0
  let lines = 0
  const reserve = (bytes: number): void => {
    if (length + bytes <= buffer.byteLength) return
    const larger = Buffer.allocUnsafeSlow(Math.max(buffer.byteLength * 2, length + bytes))
    buffer.copy(larger, 0, 0, length)
    buffer = larger
  }
  return {
    get lines() {
      return lines
    },
    text: (text: string) => {
      // A UTF-16 unit takes at most three bytes in UTF-8.
      reserve(text.length * 3)
      length += buffer.write(text, length, 'utf8')
    },
    /** Appends valid UTF-8 as a JSON string, without decoding it. */
    quoted: (utf8: Uint8Array) => {
      // JSON only escapes ASCII, which never occurs within a multi-byte character of UTF-8, so the bytes can be treated as Latin-1.
      const escaped = JSON.stringify(asBuffer(utf8).toString('latin1'))
      reserve(escaped.length)
      length += buffer.write(escaped, length, 'latin1')
    },
    endLine: () => {
      reserve(1)
      buffer[length] = 0x0a
      length += 1
      lines += 1
    },
    get full() {
      return length >= pieceBytes
    },
    /** The caller owns the bytes. */
    take: () => {
      if (length === 0) return empty
      const piece = buffer.subarray(0, length)
      buffer = Buffer.allocUnsafeSlow(pieceBytes * 2)
      length = 0
      return piece
    },
  }
}

/** A multiple of three, so that only the last part has Base64 padding. */
const partBytes = 768 * 1024

interface BodyQueue {
  lineBytesLeft: number
  readonly inParts: Uint8Array[]
}

/** Yields after each line: the delivery, attempts that do not fit into it, its large bodies. Keys are in the order of the contract. */
function* writeDelivery(
  writer: LineWriter,
  { fields, body, omitted, attempts }: ExportedDelivery,
): Generator<void, void, undefined> {
  const bodies: BodyQueue = { lineBytesLeft: lineBodies, inParts: [] }
  writer.text(`{"kind":"delivery",${jsonMembers(fields)},"body":`)
  if (omitted === null) writeBody(writer, body, bodies)
  else writer.text(JSON.stringify({ omitted }))
  writer.text(',"attempts":[')
  let size = 0
  let written = 0
  for (const attempt of attempts) {
    const fieldsJson = jsonMembers(attempt.fields)
    size += fieldsJson.length
    if (size > lineAttempts) break
    if (written > 0) writer.text(',')
    writeAttempt(writer, fieldsJson, attempt, bodies)
    written += 1
  }
  writer.text(written < attempts.length ? `],"moreAttempts":${attempts.length - written}}` : ']}')
  writer.endLine()
  yield
  for (const attempt of attempts.slice(written)) {
    bodies.lineBytesLeft = lineBodies
    writer.text(`{"kind":"attempt","delivery":${fields.id},"attempt":`)
    writeAttempt(writer, jsonMembers(attempt.fields), attempt, bodies)
    writer.text('}')
    writer.endLine()
    yield
  }
  for (const [key, bytes] of bodies.inParts.entries())
    yield* writeParts(writer, fields.id, key, bytes)
}

function jsonMembers(object: object): string {
  return JSON.stringify(object).slice(1, -1)
}

/** `fieldsJson`: the fields of the attempt as JSON, without braces. */
function writeAttempt(
  writer: LineWriter,
  fieldsJson: string,
  { requestBody, answerBody }: ExportedAttempt,
  bodies: BodyQueue,
): void {
  writer.text(`{${fieldsJson},"requestBody":`)
  if (requestBody === null) writer.text('null')
  else writeBody(writer, requestBody, bodies)
  writer.text(',"responseBody":')
  if (answerBody === null) writer.text('null')
  else writeBody(writer, answerBody, bodies)
  writer.text('}')
}

function writeBody(writer: LineWriter, bytes: Uint8Array, bodies: BodyQueue): void {
  if (bytes.byteLength > Math.min(inlineBody, bodies.lineBytesLeft)) {
    const key = bodies.inParts.length
    bodies.inParts.push(bytes)
    writer.text(JSON.stringify({ parts: Math.ceil(bytes.byteLength / partBytes), key }))
    return
  }
  bodies.lineBytesLeft -= bytes.byteLength
  if (isUtf8(bytes)) {
    writer.text('{"text":')
    writer.quoted(bytes)
    writer.text('}')
  } else writer.text(`{"base64":"${asBuffer(bytes).toString('base64')}"}`)
}

function* writeParts(
  writer: LineWriter,
  delivery: number,
  key: number,
  bytes: Uint8Array,
): Generator<void, void, undefined> {
  for (let at = 0; at < bytes.byteLength; at += partBytes) {
    const part: LogPart = {
      kind: 'part',
      delivery,
      key,
      index: at / partBytes,
      base64: asBuffer(bytes.subarray(at, at + partBytes)).toString('base64'),
    }
    writer.text(JSON.stringify(part))
    writer.endLine()
    yield
  }
}

export default ndjson
