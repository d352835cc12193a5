import { isUtf8 } from 'node:buffer'
import type { Header } from '#contract/models.ts'
import { quoted, shellComment } from '../../platform/posix-quote.ts'
import { escapeControls } from '#shared/text/visible.ts'
import {
  headerNames,
  type Replay,
  type Dialect,
  argumentText,
  pipedBody,
  scriptFormat,
} from '../format-parts/script.ts'

const defaultHeaders = ['User-Agent', 'Accept', 'Accept-Encoding']

/** https://httpie.io/docs/cli, in a POSIX shell. HTTPie does not interpret a body on standard input. */
const httpieDialect: Dialect = {
  comment: shellComment,
  opening: ['#!/bin/sh'],
  usage: [
    'Run it with sh. It needs HTTPie 3 or newer, and base64 for bodies that are not plain text.',
    'HTTPie may send headers in a different order, and adds User-Agent and Accept-Encoding if they are missing.',
  ],
  prologue: '',
  pathCharacters: '',
  fault: ({ method }) =>
    /^[A-Z]+$/.test(method) ? null : 'HTTPie only supports upper-case methods.',
  remarks: ({ headers }) => {
    const unsupported = headers.filter((header) => requestItem(header) === null)
    return unsupported.length === 0
      ? []
      : [`HTTPie cannot write these headers: ${headerNames(unsupported)}`]
  },
  request: httpieRequest,
}

function* httpieRequest({
  method,
  url,
  headers,
  body,
}: Replay): Generator<string, void, undefined> {
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const removedDefaults = [...defaultHeaders, ...(body.byteLength > 0 ? ['Content-Type'] : [])]
  const items = [
    ...headers.flatMap((header) => requestItem(header) ?? []),
    ...removedDefaults.filter((name) => !names.has(name.toLowerCase())).map((name) => `${name}:`),
  ]
  const words = [
    ['--path-as-is', ...(body.byteLength === 0 ? ['--ignore-stdin'] : []), method].join(' '),
    quoted(url),
    // Arguments after `--` are never options.
    ...(items.some((item) => item.startsWith('-')) ? ['--'] : []),
    ...items.map(quoted),
  ]
  const command = ['http', ...words].join(' \\\n  ')
  const text = argumentText(body)
  if (text === null) yield* pipedBody(body, command)
  else if (text === '') yield `${command}\n`
  else yield `printf '%s' ${quoted(text)} | ${command}\n`
}

/** A backslash escapes `:`, `=`, `@` and `;` and is literal elsewhere, so a literal one before these cannot be written: null. */
function requestItem([name, value]: Header): string | null {
  if (value === '') return `${name};`
  const bytes = Buffer.from(value, 'latin1')
  const text = isUtf8(bytes) ? bytes.toString('utf8') : null
  if (text === null || escapeControls(text) !== text || /\\[:=@;]/.test(text)) return null
  // `:=` and `:@` start other kinds of items.
  return /^[:=@;]/.test(text) ? `${name}:\\${text}` : `${name}:${text}`
}

export default scriptFormat(httpieDialect, {
  id: 'httpie',
  label: 'HTTPie script',
  description: 'A shell script that sends each delivery again with HTTPie, its bytes as captured.',
  extension: 'sh',
  mediaType: 'text/x-shellscript; charset=utf-8',
})
