import type { Header } from '#contract/models.ts'
import { bytesWord, plainOrQuoted, quoted, shellComment } from '../../../platform/posix-quote.ts'
import { type Replay, type Dialect, argumentText, fedWith } from '../script.ts'

/** What curl says by itself unless it is told not to. `Expect` it adds to large bodies, and waits for an answer to it. */
const ownHeaders = ['User-Agent', 'Accept', 'Expect']

/** Methods for which nothing is said of a body that is not there (RFC 9110, 8.6). */
const bodyless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])

/** curl 7.43 or newer, in a POSIX shell (https://curl.se/docs/manpage.html). */
export const curlDialect: Dialect = {
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
  const has = (name: string): boolean =>
    headers.some(([header]) => header.toLowerCase() === name.toLowerCase())
  const options = [
    // Brackets and dots of the path are sent as they are; HTTP/2 would write names of headers in lower case.
    '-sS --http1.1 --globoff --path-as-is',
    methodOption(method, body),
    quoted(url),
    ...headers.map((header) => `-H ${headerWord(header)}`),
    ...ownHeaders.filter((name) => !has(name)).map((name) => `-H '${name}:'`),
  ]
  if (body.byteLength > 0 && !has('content-type')) options.push("-H 'Content-Type:'")
  if (body.byteLength === 0 && !bodyless.has(method)) options.push("-H 'Content-Length: 0'")
  // With `--data` and `--data-binary` an @ would name a file.
  if (text !== null && body.byteLength > 0) options.push(`--data-raw ${quoted(text)}`)
  else if (body.byteLength > 0) options.push('--data-binary @-')
  options.push(String.raw`-w '\n%{http_code}\n'`)
  const command = ['curl', ...options].join(' \\\n  ')
  if (text === null) yield* fedWith(body, command)
  else yield `${command}\n`
}

function methodOption(method: string, body: Uint8Array): string {
  if (method !== 'HEAD') return `-X ${plainOrQuoted(method)}`
  // curl waits for the body of an answer to HEAD unless it knows better.
  return body.byteLength === 0 ? '--head' : '-X HEAD --max-time 30'
}

/** A semicolon is how an empty header is sent; a colon alone would take it out. No name begins with an @, which would name a file. */
function headerWord([name, value]: Header): string {
  return bytesWord(value === '' ? `${name};` : `${name}: ${value}`)
}
