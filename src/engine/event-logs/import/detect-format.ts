import { JsonParser, jsonToken } from '#shared/json/tokenizer.ts'
import { AppError } from '../../platform/errors.ts'
import type { RequestList } from './request-list.ts'

export type Format = 'ndjson' | 'har' | RequestList

const modules = import.meta.glob<RequestList>('./tools/*.ts', { eager: true, import: 'default' })
const requestLists = Object.values(modules)

const suggestion = `Choose an "Event log" file (ndjson, optionally compressed) that Tabscope exported, a HAR file, or requests of ${requestLists
  .map(({ tool }) => tool)
  .join(' or ')} as JSON.`

const toSend =
  'It holds requests to send, not received ones. Copy one there as a cURL command, and use "Paste a cURL command" in Tabscope'
const parsed =
  'It holds parsed bodies, not the bytes that were signed. Let the service send to a URL of Tabscope instead'
const charles = 'a session of Charles. Export it there as HAR, with File > Export Session'

/** JSON of other tools by texts that its beginning contains, the first that matches. */
const otherTools: readonly (readonly [marks: readonly string[], description: string])[] = [
  [['schema.getpostman.com'], `a collection of Postman. ${toSend}`],
  [['"_postman_'], `an export of Postman. ${toSend}`],
  [['"folders_order"'], `an export of Postman. ${toSend}`],
  [['"__export_format"'], `an export of Insomnia. ${toSend}`],
  [['"brunoConfig"'], `a collection of Bruno. ${toSend}`],
  [['"opencollection"'], `a collection of Bruno. ${toSend}`],
  [['"items"', '"type"', '"http"'], `a collection of Bruno. ${toSend}`],
  [['"team_id"', '"source_id"'], `a list of Hookdeck. ${parsed}`],
  [['"eventType"', '"payload"', '"msg_'], `messages of Svix. ${parsed}`],
  [['"indexed_at_ms"'], `events of RequestBin or Pipedream. ${parsed}`],
  [['"smee.io"'], `events of smee.io. ${parsed}`],
  [['"actualPort"', '"protocolVersion"'], charles],
  [['"status"', '"COMPLETE"', '"method"'], charles],
]

const proxySession = 'If it is a session of Charles, Fiddler or Proxyman, export it there as HAR'

/** What else the beginning of a file may be, as Latin-1. The first that matches counts. */
const otherContent: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'empty'],
  [/^\s*$/, 'blank'],
  [/^SQLite format 3\0/, 'a database (SQLite)'],
  [/^PK\u0003\u0004/, `a zip archive. Extract it first. ${proxySession}`],
  [/^\u001f\u008b/, 'compressed twice. Decompress it once'],
  [/^(?:\u00ff\u00fe|\u00fe\u00ff)/, 'text in UTF-16. Save it as UTF-8'],
  [/^\s*(?:<!doctype\s+html|<html)/i, 'an HTML page. Open it in a browser; it cannot be imported'],
  [/<charles-session/, charles],
  [/^\s*[[{]/, 'JSON, but neither an event log nor HAR'],
  [
    /^\d{1,12}:\d{1,4}:[a-z_]{1,40}[;,]/,
    'flows of mitmproxy. Save them as HAR, with mitmdump -n -r FILE --set hardump=FILE.har',
  ],
  [/^(?:_type: export|type: [a-z]{1,20}\.insomnia\.rest)/, `an export of Insomnia. ${toSend}`],
  [/^(?:meta \{|opencollection:)/, `a collection of Bruno. ${toSend}`],
  [/\0/, `binary data. ${proxySession}`],
  [
    /^(?:[^\n]*[,;\t]){3}/,
    'a table (CSV). If webhook.site exported it, save the JSON of https://webhook.site/token/TOKEN/requests instead',
  ],
  [/^/, 'something other than an event log'],
]

/** Throws `log_unreadable` for anything else. */
export function detectFormat(head: Buffer): Format {
  const text = head.toString('utf8').replace(/^\uFEFF/, '')
  const start = text.trimStart()
  const members = firstMembers(text)
  if (members.has('"log"')) return 'har'
  if (/^[[{]/.test(start) && !members.has('"kind"')) {
    const contains = (marks: readonly string[]): boolean =>
      marks.every((mark) => text.includes(mark))
    const other = otherTools.find(([marks]) => contains(marks))
    if (other) throw notALog(other[1])
    const list = requestLists.find(({ marks }) => marks.some(contains))
    if (list) return list
  }
  if (/^\{[^\n]*[^\s{]/.test(start)) return 'ndjson'
  const bytes = head.toString('latin1')
  throw notALog(otherContent.find(([pattern]) => pattern.test(bytes))?.[1] ?? '')
}

/** In quotes, those of the outermost object. */
function firstMembers(text: string): ReadonlySet<string> {
  const parser = new JsonParser(text)
  const members = new Set<string>()
  for (;;) {
    const kind = parser.next()
    if (kind === jsonToken.other || kind === jsonToken.end) return members
    if (kind === jsonToken.key && parser.depth === 1) members.add(parser.source)
  }
}

function notALog(description: string): AppError {
  return new AppError('log_unreadable', `The file seems to be ${description}. ${suggestion}`)
}
