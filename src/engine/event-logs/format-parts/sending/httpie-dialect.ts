import { isUtf8 } from 'node:buffer'
import type { Header } from '#contract/models.ts'
import { quoted, shellComment } from '../../../platform/posix-quote.ts'
import { visible } from '#shared/text/visible.ts'
import { namesOf, type Replay, type Dialect, argumentText, fedWith } from '../script.ts'

/** What HTTPie says by itself unless it is told not to. */
const ownHeaders = ['User-Agent', 'Accept', 'Accept-Encoding']

/** HTTPie in a POSIX shell (https://httpie.io/docs/cli). The body comes by standard input, where nothing is read into it. */
export const httpieDialect: Dialect = {
  comment: shellComment,
  opening: ['#!/bin/sh'],
  usage: [
    'Run it with sh. It needs HTTPie 3 or newer, and base64 for bodies that are not plain text.',
    'HTTPie may write headers in another order, and adds User-Agent and Accept-Encoding where there is none.',
  ],
  prologue: '',
  pathCharacters: '',
  fault: ({ method }) =>
    /^[A-Z]+$/.test(method) ? null : 'HTTPie takes only methods of capital letters.',
  remarks: ({ headers }) => {
    const left = headers.filter((header) => itemOf(header) === null)
    return left.length === 0 ? [] : [`HTTPie cannot write these headers: ${namesOf(left)}`]
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
  const off = [...ownHeaders, ...(body.byteLength > 0 ? ['Content-Type'] : [])]
  const items = [
    ...headers.flatMap((header) => itemOf(header) ?? []),
    ...off.filter((name) => !names.has(name.toLowerCase())).map((name) => `${name}:`),
  ]
  const words = [
    ['--path-as-is', ...(body.byteLength === 0 ? ['--ignore-stdin'] : []), method].join(' '),
    quoted(url),
    // Behind it nothing is an option.
    ...(items.some((item) => item.startsWith('-')) ? ['--'] : []),
    ...items.map(quoted),
  ]
  const command = ['http', ...words].join(' \\\n  ')
  const text = argumentText(body)
  if (text === null) yield* fedWith(body, command)
  else if (text === '') yield `${command}\n`
  else yield `printf '%s' ${quoted(text)} | ${command}\n`
}

/**
 * A header as an item of HTTPie. A backslash takes from `:`, `=`, `@` and `;` what they mean, and stays itself before anything else: so none can
 * be written before one of those. Null: it cannot be written, or not as these bytes.
 */
function itemOf([name, value]: Header): string | null {
  if (value === '') return `${name};`
  const bytes = Buffer.from(value, 'latin1')
  const text = isUtf8(bytes) ? bytes.toString('utf8') : null
  if (text === null || visible(text) !== text || /\\[:=@;]/.test(text)) return null
  // `:=` and `:@` would be other kinds of items.
  return /^[:=@;]/.test(text) ? `${name}:\\${text}` : `${name}:${text}`
}
