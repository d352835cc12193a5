import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node'
import { z } from 'zod'
import {
  bodiesStream,
  decodeRecords,
  partSubject,
  type RecordHead,
  type RelayRecord,
} from '#engine/receiving/relay/format.ts'
import type { ReceiverFile } from '#engine/receiving/relay/files.ts'
import { spawnCli, startCli, type RunningCli, type SpawnedCli } from '../run-cli.ts'
import { until } from '../until.ts'
import { createStreams, openNats, type Nats, type NatsOptions } from './server.ts'

export interface OpenRelay extends AsyncDisposable {
  readonly nats: Nats
  /** Of an administrator. */
  readonly connection: NatsConnection
}

/** A nats-server with the streams of a relay. */
export async function openRelay(
  options: NatsOptions & { readonly endpoints?: readonly string[] } = {},
): Promise<OpenRelay> {
  const nats = await openNats(options)
  const connection = await nats.connect()
  await createStreams(connection, options.endpoints)
  return {
    nats,
    connection,
    [Symbol.asyncDispose]: async () => {
      await connection.close()
      await nats[Symbol.asyncDispose]()
    },
  }
}

const Ready = z.object({
  event: z.literal('ready'),
  receiver: z.string(),
  listener: z.string(),
  endpoints: z.array(z.string()),
  connected: z.boolean(),
})

interface Receiving {
  readonly ready: z.infer<typeof Ready>
  readonly port: number
}

/** In this process, one at a time. */
export function startReceiver(file: string, ...args: string[]): Promise<RunningCli & Receiving> {
  return untilReady(startCli(receiverArgs(file, args)))
}

export function spawnReceiver(file: string): Promise<SpawnedCli & Receiving> {
  return untilReady(spawnCli(receiverArgs(file)))
}

/** With `--json`, on a free port. */
function receiverArgs(file: string, args: readonly string[] = []): string[] {
  return ['receive', '--port', '0', '--json', '--relay', file, ...args]
}

/** Its name. For the endpoint `sandbox` of the receiver `edge-1`, without a key. */
export function receiverFile(
  values: { [Key in keyof ReceiverFile]?: unknown } & Record<string, unknown>,
): string {
  const content = {
    tabscope: 'relay receiver',
    version: 1,
    name: 'Team',
    servers: ['nats://127.0.0.1:1'],
    seed: null,
    ca: null,
    receiver: 'edge-1',
    endpoints: [{ slug: 'sandbox' }],
    monitor: null,
    ...values,
  }
  return textFile(JSON.stringify(content))
}

let folder: string | null = null
let files = 0

/** Its name. In a folder that is deleted with the process, since benchmarks use it too. */
export function textFile(text: string): string {
  if (folder === null) {
    const made = mkdtempSync(path.join(tmpdir(), 'tabscope-receiver-'))
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
    folder = made
  }
  const name = path.join(folder, `receiver-${(files += 1)}.json`)
  writeFileSync(name, text)
  return name
}

async function untilReady<R extends RunningCli>(running: R): Promise<R & Receiving> {
  let ended = false
  void running.ended.then(() => (ended = true))
  const line = await until('the receiver', () => {
    const found = running.lines().find(({ event }) => event === 'ready')
    if (!found && ended) throw new Error(`it ended: ${running.stderr()}`)
    return found
  })
  const ready = Ready.parse(line)
  return { ...running, ready, port: Number(new URL(ready.listener).port) }
}

export interface StoredMessage {
  readonly seq: number
  readonly subject: string
  readonly headers: MsgHdrs
  readonly bytes: number
  readonly records: readonly RelayRecord[]
}

/** All messages of deliveries, in the order of the streams by the time of each message. */
export async function storedMessages(connection: NatsConnection): Promise<StoredMessage[]> {
  const manager = await jetstreamManager(connection)
  const messages: (StoredMessage & { readonly at: string })[] = []
  for await (const { config, state } of manager.streams.list('hooks.>')) {
    for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq += 1) {
      const message = await manager.streams.getMessage(config.name, { seq })
      if (!message) throw new Error(`the message ${seq} is not there`)
      const { subject, header, data, timestamp: at } = message
      const records = decodeRecords(data)
      messages.push({ seq, at, subject, headers: header, bytes: data.byteLength, records })
    }
  }
  return messages.toSorted((a, b) => (a.at < b.at ? -1 : 1))
}

export async function storedRecords(connection: NatsConnection): Promise<RelayRecord[]> {
  return (await storedMessages(connection)).flatMap(({ records }) => records)
}

/** Of the record, or from its parts. */
export async function bodyOf(
  connection: NatsConnection,
  slug: string,
  receiver: string,
  { head, body }: RelayRecord,
): Promise<Buffer> {
  if (!head.parts) return Buffer.from(body)
  const manager = await jetstreamManager(connection)
  const parts: Uint8Array[] = []
  for (let part = 0; part < head.parts.count; part += 1) {
    const message = await manager.streams.getMessage(bodiesStream, {
      last_by_subj: partSubject(slug, receiver, head.id, part),
    })
    if (!message) throw new Error(`part ${part} is not there`)
    parts.push(message.data)
  }
  return Buffer.concat(parts)
}

/** A flat list, as in a record, in pairs. */
export function pairs(flat: RecordHead['rawHeaders']): [string, string][] {
  return Array.from({ length: flat.length / 2 }, (_, at) => [
    flat[at * 2] ?? '',
    flat[at * 2 + 1] ?? '',
  ])
}
