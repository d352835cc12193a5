import { describe, expect, it } from 'vitest'
import { detectFormat } from '#engine/event-logs/import/detect-format.ts'
import { logHead } from '#test/support/event-log.ts'

const cURL =
  'It holds requests to send, not received ones. Copy one there as a cURL command, and use "Paste a cURL command" in Tabscope.'
const parsed =
  'It holds parsed bodies, not the bytes that were signed. Let the service send to a URL of Tabscope instead.'
const session = 'If it is a session of Charles, Fiddler or Proxyman, export it there as HAR.'

/** Beginnings of files as the tools write them. The comments have the source and its version. */
const files: readonly (readonly [name: string, file: string | object, sentence: string])[] = [
  // https://schema.postman.com/collection/json/v2.1.0, and the code panel: https://learning.postman.com/docs/sending-requests/create-requests/generate-code-snippets/
  [
    'a Postman collection',
    {
      info: {
        name: 'x',
        schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
      },
      item: [{ name: 'o', request: { method: 'POST', url: 'http://x', body: { raw: '{}' } } }],
    },
    `a collection of Postman. ${cURL}`,
  ],
  [
    'a Postman environment',
    { id: '1', name: 'x', values: [], _postman_variable_scope: 'environment' },
    `an export of Postman. ${cURL}`,
  ],
  // The data dump of Postman, whose collections have format 1: https://github.com/postmanlabs/postman-collection-transformer
  [
    'all data of Postman',
    { version: 1, collections: [{ id: '1', name: 'x', order: [], folders_order: [] }] },
    `an export of Postman. ${cURL}`,
  ],
  // https://support.insomnia.rest/article/52-importing-and-exporting-data, format 4 of Insomnia 8.6.1
  [
    'Insomnia 4, JSON',
    { _type: 'export', __export_format: 4, resources: [{ _type: 'request', method: 'POST' }] },
    `an export of Insomnia. ${cURL}`,
  ],
  [
    'Insomnia 4, YAML',
    '_type: export\n__export_format: 4\nresources: []\n',
    `an export of Insomnia. ${cURL}`,
  ],
  // https://github.com/Kong/insomnia, format 5 of Insomnia 11
  [
    'Insomnia 5',
    'type: collection.insomnia.rest/5.0\nname: x\ncollection: []\n',
    `an export of Insomnia. ${cURL}`,
  ],
  // https://github.com/usebruno/bruno, packages/bruno-app/src/utils/collections/export.js of Bruno 1 and 2; https://docs.usebruno.com/send-requests/REST/code-generator
  [
    'a Bruno collection',
    JSON.stringify({ name: 'x', version: '1', items: [{ type: 'http', name: 'o' }] }, null, 2),
    `a collection of Bruno. ${cURL}`,
  ],
  [
    'a Bruno request',
    'meta {\n  name: o\n  type: http\n  seq: 1\n}\n',
    `a collection of Bruno. ${cURL}`,
  ],
  // https://www.opencollection.com, version 1.0.0
  [
    'OpenCollection, JSON',
    { opencollection: '1.0.0', info: { name: 'x' } },
    `a collection of Bruno. ${cURL}`,
  ],
  ['OpenCollection, YAML', 'opencollection: 1.0.0\n', `a collection of Bruno. ${cURL}`],
  // https://hookdeck.com/docs/api#requests, version 2025-07-01: "JSON or string representation of the body"
  [
    'requests of Hookdeck',
    {
      pagination: { limit: 1 },
      models: [{ id: 'req_1', team_id: 'tm_1', source_id: 'src_1', data: { body: {} } }],
    },
    `a list of Hookdeck. ${parsed}`,
  ],
  // https://docs.svix.com, "List messages" of API version 1
  [
    'messages of Svix',
    { data: [{ eventType: 'a', payload: {}, id: 'msg_1', timestamp: '2026-01-01T00:00:00Z' }] },
    `messages of Svix. ${parsed}`,
  ],
  // https://pipedream.com/docs/rest-api, "Get source events" of API version 1
  [
    'events of RequestBin',
    {
      data: [{ id: '1-0', indexed_at_ms: 1_606_511_826_306, event: { method: 'POST', body: {} } }],
    },
    `events of RequestBin or Pipedream. ${parsed}`,
  ],
  // https://github.com/probot/smee-client, which forwards `body` written again
  [
    'an event of smee.io',
    { host: 'smee.io', 'content-type': 'application/json', body: {}, query: {}, timestamp: 1 },
    `events of smee.io. ${parsed}`,
  ],
  // https://www.charlesproxy.com/documentation, JSON and XML sessions of Charles 4 and 5
  [
    'a JSON session of Charles',
    [{ status: 'COMPLETE', method: 'POST', protocolVersion: 'HTTP/1.1', actualPort: 443 }],
    'a session of Charles. Export it there as HAR, with File > Export Session.',
  ],
  [
    'an XML session of Charles',
    "<?xml version='1.0' encoding='UTF-8' ?>\n<charles-session>",
    'a session of Charles. Export it there as HAR, with File > Export Session.',
  ],
  ['a zip', 'PK\u0003\u0004\u0014\0\0\0', `a zip archive. Extract it first. ${session}`],
  ['binary data', '\0\u0001\0\u0005', `binary data. ${session}`],
  // https://github.com/mitmproxy/mitmproxy, `hardump` since 10.1.0; flow files of versions 0.10 to 12
  ...['2134:5:error,0:~8:response,', '10771:4:type;4:http;7:version;2:18#'].map(
    (flows) =>
      [
        'flows of mitmproxy',
        flows,
        'flows of mitmproxy. Save them as HAR, with mitmdump -n -r FILE --set hardump=FILE.har.',
      ] as const,
  ),
  // https://docs.webhook.site/api/requests.html, "Export requests to CSV": the columns depend on the requests
  [
    'a CSV export of webhook.site',
    'uuid,type,token_id,created_at,method\n',
    'a table (CSV). If webhook.site exported it, save the JSON of https://webhook.site/token/TOKEN/requests instead.',
  ],
]

const bytesOf = (file: string | object): Buffer =>
  Buffer.from(typeof file === 'string' ? file : JSON.stringify(file), 'latin1')

describe('a file of another tool', () => {
  it.each(files)('is named with what to do: %s', (_name, file, sentence) => {
    expect(() => detectFormat(bytesOf(file))).toThrow(
      `The file seems to be ${sentence} Choose an "Event log" file (ndjson, optionally compressed) that Tabscope exported, a HAR file, or requests of ngrok or webhook.site as JSON.`,
    )
  })

  it.each([
    ['webhook.site', { data: [{ uuid: '1a', type: 'web', method: 'POST', content: '{}' }] }],
    ['webhook.site', { uuid: '1a', type: 'web', method: 'POST', content: '{}' }],
    ['ngrok', { uri: '/api/requests/http', requests: [] }],
    ['ngrok', { uri: '/api/requests/http/54', id: '54', tunnel_name: 'x', request: {} }],
    ['ngrok', [{ id: '54', request: { method: 'POST', raw: '' } }]],
  ])('is read if it holds received bytes: %s %j', (tool, file) => {
    for (const space of [0, 2]) {
      const bytes = Buffer.from(`\ufeff${JSON.stringify(file, null, space)}`)
      expect(detectFormat(bytes)).toMatchObject({ tool })
    }
  })
})

it('an event log and HAR are not taken for another tool, whatever texts they contain', () => {
  const texts = ['"_postman_', '"uuid" "method" "content"', '/api/requests/http', '"smee.io"']
  const redaction = { on: true, list: null, kept: texts, masked: ['opencollection:'], note: '' }
  expect(detectFormat(bytesOf(logHead(1, { redaction })))).toBe('ndjson')
  expect(detectFormat(bytesOf({ uuid: 1, method: 1, content: 1, log: { entries: [] } }))).toBe(
    'har',
  )
})
