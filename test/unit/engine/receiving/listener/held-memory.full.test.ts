import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { sendStatus } from '#engine/receiving/listener/send-response.ts'
import type { ReceivedRequest } from '#engine/receiving/listener/received-request.ts'
import type { HeldMemory } from '#engine/receiving/listener/request-reader.ts'
import type { CaptureLimits } from '#engine/receiving/listener/messages.ts'
import { openListener } from '#test/support/open-listener.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { goodBody, head, post } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

const KiB = 1024
const MiB = 1024 * KiB

// Each garbage collection scans the whole heap of the test runner.
vi.setConfig({ testTimeout: 30_000 })

setFlagsFromString('--expose-gc')
const collect = z
  .custom<() => void>((value) => typeof value === 'function')
  .parse(runInNewContext('gc'))

/** Returns the memory in use after garbage collection, in bytes. */
async function inUse(): Promise<number> {
  await turn()
  collect()
  await turn()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function recording(limits: Partial<CaptureLimits> = {}) {
  const received: ReceivedRequest[] = []
  const listener = await openListener((request) => {
    received.push(request)
    sendStatus(request.channel, request.status)
  }, limits)
  return { ...listener, received }
}

/** Returns the size of the bodies of all requests in progress, in bytes. */
const received = ({ unfinished }: HeldMemory): number =>
  [...unfinished].reduce((sum, { bytes }) => sum + bytes, 0)

const chunkedHead = head('POST / HTTP/1.1', ['Host: a', 'Transfer-Encoding: chunked'])
const oneByte = Buffer.from('1\r\nx\r\n'.repeat(16 * KiB))
const sixteenBytes = Buffer.from(`10\r\n${'x'.repeat(16)}\r\n`.repeat(KiB))

it('stores a body sent in 1-byte chunks in little more memory than its size', async () => {
  await using listener = await recording()
  await using client = await rawClient(listener.port)
  const before = await inUse()
  await client.send(chunkedHead)
  for (let sent = 0; sent < 256 * KiB; sent += 16 * KiB) await client.send(oneByte)
  await until('the body to be read', () => received(listener.held) === 256 * KiB)
  expect((await inUse()) - before).toBeLessThan(12 * MiB)
  expect(listener.held.bytes).toBeGreaterThanOrEqual(256 * KiB)
  expect(listener.held.bytes).toBeLessThan(768 * KiB)
  await client.send('0\r\n\r\n')
  await client.answers(1)
  expect(listener.received).toMatchObject([{ arrival: 'complete', bytes: 256 * KiB }])
  expect(Buffer.alloc(256 * KiB, 'x').equals(listener.received[0]?.body ?? goodBody)).toBe(true)
  expect(listener.held.bytes).toBe(0)
})

it('stores the bodies of 64 connections sent in small chunks in little more memory than their size', async () => {
  await using listener = await recording()
  await using stack = new AsyncDisposableStack()
  const before = await inUse()
  for (let count = 0; count < 64; count += 1) {
    const client = stack.use(await rawClient(listener.port))
    await client.send(chunkedHead)
    for (let sent = 0; sent < 48 * KiB; sent += 16 * KiB) await client.send(sixteenBytes)
  }
  await until('the bodies to be read', () => received(listener.held) === 64 * 48 * KiB)
  expect(listener.held.unfinished.size).toBe(64)
  expect(listener.held.bytes).toBeGreaterThanOrEqual(3 * MiB)
  expect((await inUse()) - before).toBeLessThan(20 * MiB)
})

it('rejects the request that takes most memory at the limit, and accepts a small one', async () => {
  const heldBytes = 512 * KiB
  await using listener = await recording({ heldBytes })
  await using stack = new AsyncDisposableStack()
  for (const size of [50, 100, 75]) {
    const client = stack.use(await rawClient(listener.port))
    await client.send(head('POST / HTTP/1.1', ['Host: a', `Content-Length: ${MiB}`]))
    await client.send(Buffer.alloc(size * KiB, 'x'))
  }
  await until('three bodies to be received', () => received(listener.held) === 225 * KiB)
  await using large = await rawClient(listener.port)
  await large.send(head('POST / HTTP/1.1', ['Host: a', `Content-Length: ${MiB}`]))
  await large.send(Buffer.alloc(400 * KiB, 'y'))
  expect(await large.answer()).toMatchObject({ status: 503 })
  await using small = await rawClient(listener.port)
  await small.send(post('/', goodBody))
  expect(await small.answer()).toMatchObject({ status: 404 })
  expect(listener.held.bytes).toBeLessThanOrEqual(heldBytes)
  expect(listener.received.at(-1)).toMatchObject({
    arrival: 'complete',
    bytes: goodBody.byteLength,
  })
})

it('counts the parsed fields of heads, which take many times their size', async () => {
  const heldBytes = 2 * MiB
  await using listener = await recording({ heldBytes })
  await using stack = new AsyncDisposableStack()
  const fields = Array.from({ length: 4000 }, (_, index) => `${index.toString(36)}:b`)
  const clients = []
  for (let count = 0; count < 20; count += 1) {
    const client = stack.use(await rawClient(listener.port))
    clients.push(client)
    await client.send(head('POST / HTTP/1.1', [...fields, 'Content-Length: 10']))
  }
  await until(
    'all heads to be read',
    () => listener.held.unfinished.size + listener.received.length === 20,
  )
  expect(listener.held.bytes).toBeLessThanOrEqual(heldBytes)
  expect(listener.received.length).toBeGreaterThan(5)
  expect(new Set(listener.received.map(({ status }) => status))).toEqual(new Set([503]))
})
