import { expect, test } from 'vitest'
import {
  decodeRecords,
  encodeRecord,
  maxMessageBytes,
  recordFormat,
  type RecordHead,
} from '#engine/receiving/relay/format.ts'
import {
  decodeInvitation,
  encodeInvitation,
  type Invitation,
} from '#engine/receiving/relay/files.ts'

const head: RecordHead = {
  format: recordFormat,
  id: '0198a0c0-0000-7000-8000-000000000001',
  receivedUs: 1_795_000_000_000_000,
  method: 'POST',
  path: '/hooks/bar',
  httpVersion: '1.1',
  rawHeaders: ['Host', 'relay.example.com', 'X-Caf\u00e9', '\u00ff'],
  rawTrailers: [],
  remoteAddress: '203.0.113.9',
  arrival: 'complete',
  reason: null,
  bytes: 3,
  status: 200,
  nearPath: null,
  protocol: null,
  bodyBytes: 3,
  parts: null,
}
const body = Uint8Array.of(0, 255, 10)
const record = encodeRecord(head, body)

test('records of a message are read as they were written', () => {
  const second = { ...head, id: '0198a0c0-0000-7000-8000-000000000002', bodyBytes: 0 }
  const message = Buffer.concat([record, encodeRecord(second, new Uint8Array()), record])
  expect(decodeRecords(message).map((each) => [each.head, Uint8Array.from(each.body)])).toEqual([
    [head, body],
    [second, new Uint8Array()],
    [head, body],
  ])
})

test('a truncated message is refused wherever it ends, and so is another format', () => {
  for (let end = 1; end < record.byteLength; end += 1)
    expect(() => decodeRecords(record.subarray(0, end))).toThrow('ends within a record')
  const other = Buffer.from(encodeRecord(head, body)).toString('latin1')
  const later = Buffer.from(other.replace('"format":1', '"format":2'), 'latin1')
  expect(() => decodeRecords(later)).toThrow('format 2 is unknown. Update Tabscope, then forget')
  expect(() => decodeRecords(Buffer.from('\0\0\0\u0002[]'))).toThrow('not of Tabscope')
})

test.for<[field: string, value: unknown]>([
  ['bodyBytes', -record.byteLength],
  ['bodyBytes', 1.5],
  ['id', 'another'],
  ['id', '0198a0c0-0000-4000-8000-000000000001'],
  ['receivedUs', -1],
  ['receivedUs', 1e300],
  ['method', { toString: 'POST' }],
  ['path', 'x'.repeat(65_537)],
  ['rawHeaders', ['Host']],
  ['rawHeaders', ['Host', 'a\nX-Service-Signature\nb']],
  ['rawHeaders', ['Host', 'x'.repeat(65_536)]],
  ['rawTrailers', 'x'],
  ['arrival', 'unknown'],
  ['bytes', 2 ** 50],
  ['status', 1000],
  ['protocol', 'gopher'],
  ['parts', { count: 1_000_000, bytes: 3, sha256: 'a'.repeat(64) }],
  ['parts', { count: 51, bytes: 25 * 1024 ** 2, sha256: 'a'.repeat(64) }],
  ['parts', { count: 1, bytes: 26 * 1024 ** 2, sha256: 'a'.repeat(64) }],
  ['parts', { count: 1, bytes: maxMessageBytes + 1, sha256: 'a'.repeat(64) }],
  ['parts', { count: 1, bytes: 1, sha256: 'a' }],
])('a head whose %s is %j is refused, and the field is named', ([field, value]) => {
  const changed = encodeRecord({ ...head, bodyBytes: 0, [field]: value }, new Uint8Array())
  expect(() => decodeRecords(changed)).toThrow(`The head of a record is damaged: see ${field}.`)
})

test('a record in parts is alone and has no body, and the size of a message limits its records', () => {
  const parts = { count: 1, bytes: 3, sha256: 'a'.repeat(64) }
  const inParts = encodeRecord({ ...head, bodyBytes: 0, parts }, new Uint8Array())
  expect(decodeRecords(inParts)).toHaveLength(1)
  expect(() => decodeRecords(Buffer.concat([record, inParts]))).toThrow('not alone')
  expect(() => decodeRecords(encodeRecord({ ...head, parts }, body))).toThrow('see bodyBytes')
  const small = encodeRecord({ ...head, rawHeaders: [], path: '', bodyBytes: 0 }, new Uint8Array())
  expect(small.byteLength).toBeGreaterThan(250)
  expect(() => decodeRecords(Buffer.alloc(maxMessageBytes + 1))).toThrow('too large')
})

test('an invitation survives a chat, and a wrong one is refused without being repeated', () => {
  const invitation: Invitation = {
    tabscope: 'relay invitation',
    version: 1,
    name: 'Team',
    servers: ['tls://relay.example.com:4222'],
    seed: 'SUAAAA',
    ca: null,
    user: 'ann',
    endpoints: ['bar'],
  }
  const line = encodeInvitation(invitation)
  expect(line).toMatch(/^\S+$/)
  const half = Math.floor(line.length / 2)
  expect(decodeInvitation(`\n "${line.slice(0, half)}\r\n ${line.slice(half)}" `)).toEqual(
    invitation,
  )
  for (const slug of ['*', '_', 'a'.repeat(63)])
    expect(decodeInvitation(encodeInvitation({ ...invitation, endpoints: [slug] }))).toBeTruthy()
  for (const slug of ['', '>', 'a.b', 'a b', '__', 'a'.repeat(64)]) {
    const hostile = encodeInvitation({ ...invitation, endpoints: ['bar', slug] })
    expect(() => decodeInvitation(hostile)).toThrow('The invitation is incomplete')
  }
  expect(() => decodeInvitation(line.slice(0, half))).toThrow('The invitation is incomplete')
  expect(() => decodeInvitation('my password')).toThrow('must start with "tabscope-relay:"')
})
