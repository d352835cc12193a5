import { execFile } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import type { Header } from '#contract/models.ts'
import { formatOf } from '#engine/event-logs/formats.ts'
import type { DeliveryItem } from '#engine/event-logs/items.ts'
import { sampleEnv, sampleHead, written } from '#test/support/event-log/sample-log.ts'
import { replayedDeliveries } from '#test/support/event-log/replayed.ts'
import { rawTarget, type ReceivedRequest } from '#test/support/raw-target.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

const run = promisify(execFile)
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
)

const target = await rawTarget()
afterAll(() => target[Symbol.asyncDispose]())

const items = replayedDeliveries()

interface Sent {
  readonly received: readonly ReceivedRequest[]
  readonly script: string
}

/** Writes the script, runs it in a separate folder, and returns what the target received. */
async function replay(format: string, command: string): Promise<Sent> {
  const folder = tempFolder()
  const bin = tempFolder()
  const { extension, ...rest } = formatOf(format)
  const env = { ...sampleEnv, target: `${target.origin}/base/` }
  const bytes = written({ ...rest, extension }, items, sampleHead(items, 'A note.'), env)
  const file = path.join(bin, `script.${extension}`)
  writeFileSync(file, bytes)
  const before = target.received.length
  await run(command, [file], {
    cwd: folder,
    env: { ...process.env, HOME: folder, NODE_OPTIONS: '' },
  })
  expect(readdirSync(folder), 'something in a delivery was run').toEqual([])
  return { received: target.received.slice(before), script: bytes.toString() }
}

/** Headers that a tool sets itself for each request. */
const ofConnection = /^(?:host|content-length|connection|expect|transfer-encoding)$/i

function headersOf(received: ReceivedRequest | undefined): Header[] {
  return (received?.head ?? []).slice(1).flatMap((line): Header[] => {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon)
    return ofConnection.test(name) ? [] : [[name, line.slice(colon + 1).trim()]]
  })
}

function deliveryOf(id: number): DeliveryItem['delivery'] {
  const item = items.find(({ delivery }) => delivery.fields.id === id)
  if (!item) throw new Error(`no delivery ${id}`)
  return item.delivery
}

const capturedHeaders = (id: number): Header[] =>
  deliveryOf(id).fields.headers.filter(([name]) => !ofConnection.test(name))

/** Returns the request for each delivery. Fails unless exactly these were received, in order, with the same bytes. */
function byDelivery(
  received: readonly ReceivedRequest[],
  ids: readonly number[],
): Map<number, ReceivedRequest> {
  expect(received.length).toBe(ids.length)
  const found = new Map<number, ReceivedRequest>()
  for (const [at, id] of ids.entries()) {
    const request = received[at]
    if (!request) continue
    const same = request.body.equals(Buffer.from(deliveryOf(id).body))
    expect(same, `the body of delivery ${id}`).toBe(true)
    found.set(id, request)
  }
  return found
}

function expectLeftOut(script: string, ids: readonly number[]): void {
  for (const id of ids) {
    const comments = new RegExp(
      `^(?:#|//) '?Delivery ${id}: .*\\n(?:(?:#|//) .*\\n)*(?:#|//) .*Not sent\\. [A-Z]`,
      'm',
    )
    expect(script, `why delivery ${id} is not sent`).toMatch(comments)
  }
}

const sorted = (headers: readonly (readonly string[])[]): string[] =>
  headers.map((header) => JSON.stringify(header)).sort()

/** Deliveries that every tool can send unchanged. */
const plain = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
const strange = "/base/a'$(touch%20canary)`touch%20canary`/../b//c?x[]={1}&y=%25zz%20|%E4%23z"

describe.runIf(hasCurl)('a script for curl', () => {
  it('sends each delivery with the same body and headers, and runs nothing else', async () => {
    const { received, script } = await replay('curl', '/bin/sh')
    const found = byDelivery(received, [...plain, 13, 14, 15, 19])
    for (const id of [...plain, 13])
      expect(headersOf(found.get(id)), `headers of ${id}`).toEqual(capturedHeaders(id))
    expect(found.get(7)?.head[0]).toBe('GET /base/hooks/main?a=1&a=2 HTTP/1.1')
    expect(found.get(13)?.head[0]).toBe("P$H'`x`|& /base/hooks/main HTTP/1.1")
    expect(found.get(14)?.head[0]).toBe(`POST ${strange} HTTP/1.1`)
    expect(found.get(15)?.head[0]).toBe('POST /base/@evil.example/hooks HTTP/1.1')
    expect(headersOf(found.get(19))).toEqual([])
    expectLeftOut(script, [16, 17, 18])
  })
})

it('a module for fetch sends each delivery with the same body, headers as far as possible, and runs nothing else', async () => {
  const { received, script } = await replay('fetch', process.execPath)
  const found = byDelivery(received, [...plain, 13, 14, 15, 19])
  const own = /^(?:accept|accept-language|sec-fetch-mode|user-agent|accept-encoding)$/i
  for (const id of plain) {
    const joined = Map.groupBy(capturedHeaders(id), ([name]) => name.toLowerCase())
    const wanted = [...joined].map(([name, all]) => [
      name,
      all.map(([, value]) => value).join(', '),
    ])
    const given = new Set(joined.keys())
    const arrived = headersOf(found.get(id))
      .filter(([name]) => given.has(name.toLowerCase()) || !own.test(name))
      .map(([name, value]) => [name.toLowerCase(), value])
    expect(sorted(arrived), `headers of ${id}`).toEqual(sorted(wanted))
  }
  expect(found.get(7)?.head[0]).toBe('GET /base/hooks/main?a=1&a=2 HTTP/1.1')
  expect(found.get(15)?.head[0]).toBe('POST /base/@evil.example/hooks HTTP/1.1')
  expect(script).toContain('// fetch combines headers with the same name.')
  expect(script).toMatch(/\/\/ fetch changes its address to: .*\/base\/b\/\/c/)
  expectLeftOut(script, [16, 17, 18])
})
