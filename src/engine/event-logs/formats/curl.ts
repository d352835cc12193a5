import type { Header } from '#contract/models.ts'
import { bytesWord, plainOrQuoted, quoted, shellComment } from '../../platform/posix-quote.ts'
import {
  type Replay,
  type Dialect,
  argumentText,
  pipedBody,
  scriptFormat,
} from '../format-parts/script.ts'

/** Unless they are switched off. With `Expect`, curl waits for the interim response. */
const defaultHeaders = ['User-Agent', 'Accept', 'Expect']

/** Methods for which a missing body needs no `Content-Length: 0` (RFC 9110, 8.6). */
const methodsWithoutBody = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])

/** curl 7.43 or newer, in a POSIX shell (https://curl.se/docs/manpage.html). */
const curlDialect: Dialect = {
  comment: shellComment,
  opening: ['#!/bin/sh'],
  usage: ['Run it with sh. It needs curl, and base64 for bodies that are not plain text.'],
  prologue: '',
  pathCharacters: '[]{}|^`"<>\\',
  fault: () => null,
  remarks: () => [],
  request: curlRequest,
}

function* curlRequest({ method, url, headers, body }: Replay): Generator<string, void, undefined> {
  const text = argumentText(body)
  const hasHeader = (name: string): boolean =>
    headers.some(([header]) => header.toLowerCase() === name.toLowerCase())
  const options = [
    // Send brackets and dots of the path unchanged. HTTP/2 would lower-case header names.
    '-sS --http1.1 --globoff --path-as-is',
    methodOption(method, body),
    quoted(url),
    ...headers.map((header) => `-H ${headerArgument(header)}`),
    ...defaultHeaders.filter((name) => !hasHeader(name)).map((name) => `-H '${name}:'`),
  ]
  if (body.byteLength > 0 && !hasHeader('content-type')) options.push("-H 'Content-Type:'")
  if (body.byteLength === 0 && !methodsWithoutBody.has(method))
    options.push("-H 'Content-Length: 0'")
  // `--data` and `--data-binary` would treat a leading @ as a file name.
  if (text !== null && body.byteLength > 0) options.push(`--data-raw ${quoted(text)}`)
  else if (body.byteLength > 0) options.push('--data-binary @-')
  options.push(String.raw`-w '\n%{http_code}\n'`)
  const command = ['curl', ...options].join(' \\\n  ')
  if (text === null) yield* pipedBody(body, command)
  else yield `${command}\n`
}

function methodOption(method: string, body: Uint8Array): string {
  if (method !== 'HEAD') return `-X ${plainOrQuoted(method)}`
  // With `-X HEAD`, curl waits for a response body that never comes. `--head` avoids that; with a request body, only a timeout does.
  return body.byteLength === 0 ? '--head' : '-X HEAD --max-time 30'
}

/** curl sends an empty header if its name ends with a semicolon; a colon alone would remove it. No name starts with @, which would name a file. */
function headerArgument([name, value]: Header): string {
  return bytesWord(value === '' ? `${name};` : `${name}: ${value}`)
}

export default scriptFormat(curlDialect, {
  id: 'curl',
  label: 'curl script',
  description: 'A shell script that sends each delivery again with curl, its bytes as captured.',
  extension: 'sh',
  mediaType: 'text/x-shellscript; charset=utf-8',
})
