import { request as requestHttp, type IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { systemCodeOf } from '#shared/text/errors.ts'
import { ResponseReader } from '#engine/sending/wire/response-reader.ts'
import { seeded } from '#test/support/random-json.ts'

function choices(seed: number) {
  const random = seeded(seed)
  const int = (below: number): number => Math.floor(random() * below)
  const pick = <T>(list: readonly [T, ...T[]]): T => list[int(list.length)] ?? list[0]
  const repeat = <T>(most: number, make: () => T): T[] => Array.from({ length: int(most) }, make)
  const text = (most: number, letters: readonly [string, ...string[]]): string =>
    repeat(most, () => pick(letters)).join('')
  return { chance: (part: number) => random() < part, int, pick, repeat, text }
}

type Choices = ReturnType<typeof choices>

interface Reading {
  /** It was read completely. */
  readonly whole: boolean
  /** Why it could not be read. Also null if it was cut off. */
  readonly fault: string | null
  readonly response: object | null
}

function readByUs(bytes: Buffer, method: string): Reading {
  const reader = new ResponseReader(method, 1e6, () => undefined)
  let fault: string | null = null
  try {
    reader.take(bytes)
  } catch (error) {
    fault = systemCodeOf(error)
    if (fault === '') throw error
  }
  const whole = reader.whole || (fault === null && reader.ended())
  const response = reader.response()
  return {
    whole,
    fault: whole ? null : fault,
    response: response && {
      status: response.status,
      statusText: response.statusText,
      httpVersion: response.httpVersion,
      headers: response.headers.flat(),
      body: Buffer.from(response.body).toString('latin1'),
    },
  }
}

function readByNode(bytes: Buffer, method: string): Promise<Reading> {
  return new Promise((resolve) => {
    const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() })
    const outgoing = requestHttp({
      method,
      path: '/',
      setDefaultHeaders: false,
      maxHeaderSize: 256 * 1024,
      createConnection: () => socket,
    })
    outgoing.maxHeadersCount = 0
    let message: IncomingMessage | null = null
    const body: Buffer[] = []
    const done = (error: Error & { code?: string }): void => {
      // The parser does not return what it read before the error, and a call returns one piece.
      while (message?.read()) continue
      const whole = message?.complete === true
      const code = /^HPE_(?!INVALID_EOF)/.test(error.code ?? '') ? (error.code ?? null) : null
      resolve({
        whole,
        fault: whole ? null : code,
        response: message && {
          status: message.statusCode,
          statusText: message.statusMessage,
          httpVersion: message.httpVersion,
          headers: message.rawHeaders,
          body: Buffer.concat(body).toString('latin1'),
        },
      })
      outgoing.destroy()
    }
    outgoing.on('error', done)
    outgoing.on('close', () => done(new Error('closed')))
    outgoing.on('response', (response) => {
      message = response
      response.on('data', (chunk: Buffer) => body.push(chunk))
      response.on('end', () => done(new Error('ended')))
      response.on('error', () => undefined)
    })
    outgoing.end()
    setImmediate(() => {
      socket.push(bytes)
      socket.push(null)
    })
  })
}

function someResponse({ chance, int, pick, repeat, text }: Choices, method: string): string {
  const status = pick([200, 200, 201, 204, 299, 304, 307, 400, 417, 500, 999])
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  const fields = repeat(
    6,
    () =>
      `${pick(['X-A', 'x-a', 'Set-Cookie', '!~'])}:${text(3, [' ', '\t'])}${pick(['', 'a', 'b  c', 'caf\xe9', '"d"'])}${text(3, [' ', '\t'])}`,
  )
  if (chance(0.3)) fields.push(pick(['Connection: close', 'Connection: keep-alive']))
  const body = text(40, ['a', 'b', '\r', '\n', '\0', '\xff'])
  const framing = pick(['length', 'chunks', 'end'])
  let sent = hasBody ? body : ''
  if (framing === 'length') fields.push(`Content-Length: ${body.length}`)
  if (framing === 'chunks') {
    fields.push(`Transfer-Encoding: ${pick(['chunked', 'Chunked', 'gzip, chunked'])}`)
    const pieces: string[] = []
    for (let at = 0; at < body.length;) {
      const piece = body.slice(at, at + 1 + int(9))
      pieces.push(`${piece.length.toString(16)}${pick(['', ';a', ';a="b"'])}\r\n${piece}\r\n`)
      at += piece.length
    }
    sent = hasBody ? `${pieces.join('')}0\r\n${pick(['', 'X-Sum: 1\r\n'])}\r\n` : ''
  }
  const interim = chance(0.1) ? 'HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n' : ''
  const line = `HTTP/1.${pick([1, 0])} ${status}${pick([' OK', ' ', '', ' caf\xe9'])}`
  return `${interim}${[line, ...fields].join('\r\n')}\r\n\r\n${sent}`
}

function damaged({ int, pick }: Choices, text: string): string {
  const at = int(text.length + 1)
  const character = pick(['\r', '\n', '\0', ' ', ':', ';', 'a', '1', '\xff', '\t'])
  const field = (name: string, value: string): string =>
    text.replace('\r\n', `\r\n${name}: ${value}\r\n`)
  switch (int(7)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + character + text.slice(at)
    case 2:
      return text.slice(0, at) + text.slice(at + 1)
    case 3:
      return text.slice(0, at) + character + text.slice(at + 1)
    case 4:
      return text.replaceAll('\r\n', '\n')
    case 5:
      return field('Content-Length', pick(['3', '-1', '3, 3', '', 'x']))
    default:
      return field('Transfer-Encoding', pick(['chunked', 'gzip', 'identity', 'chunked, gzip']))
  }
}

test('2,000 responses are read as node:http reads them', async () => {
  const random = choices(21)
  for (let count = 0; count < 2000; count++) {
    const method = random.pick(['GET', 'POST', 'HEAD'])
    const text = someResponse(random, method)
    const bytes = Buffer.from(text, 'latin1')
    const ours = readByUs(bytes, method)
    expect(ours.whole).toBe(true)
    expect(ours, JSON.stringify(text)).toEqual(await readByNode(bytes, method))
  }
})

/**
 * Why node:http rejects a response that we accept: lines that end in LF alone, folded values, a length that is repeated, overridden
 * or not needed, and blanks or an empty extension after the size of a chunk.
 */
const lenientTo = new Set([
  'HPE_CR_EXPECTED',
  'HPE_INVALID_STATUS',
  'HPE_INVALID_HEADER_TOKEN',
  'HPE_INVALID_CONTENT_LENGTH',
  'HPE_INVALID_TRANSFER_ENCODING',
  'HPE_UNEXPECTED_CONTENT_LENGTH',
  'HPE_INVALID_CHUNK_SIZE',
  'HPE_STRICT',
])

test('of 3,000 damaged responses, those that node:http reads are read the same or refused', async () => {
  const random = choices(22)
  const refused: string[] = []
  for (let count = 0; count < 3000; count++) {
    const method = random.pick(['GET', 'POST', 'HEAD'])
    const text = damaged(random, someResponse(random, method))
    const bytes = Buffer.from(text, 'latin1')
    const [ours, nodes] = [readByUs(bytes, method), await readByNode(bytes, method)]
    if (ours.whole && nodes.whole) expect(ours, JSON.stringify(text)).toEqual(nodes)
    else if (ours.whole && nodes.fault)
      expect(lenientTo, JSON.stringify(text)).toContain(nodes.fault)
    else if (nodes.whole) refused.push(ours.fault ?? JSON.stringify(text))
    else expect(ours.whole, JSON.stringify(text)).toBe(false)
  }
  // A control character in the status text, which node:http accepts.
  expect(new Set(refused)).toEqual(new Set(['HPE_INVALID_CONSTANT']))
})
