import path from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Delivery } from '#contract/models.ts'
import type { CaptureLimits } from '#engine/receiving/listener/messages.ts'
import { createEngine, type Engine } from '#engine/app/engine.ts'
import type { EnginePorts } from '#engine/platform/ports.ts'
import type { TunnelTimings } from '#engine/receiving/tunnel/timings.ts'
import { createSecretBox } from '#hosts/node/session/secrets.ts'
import { createNodeSystem } from '#hosts/node/session/host.ts'
import { Sandbox } from '#sandbox/sandbox.ts'
import { rawClient, type Answer } from './raw-client.ts'
import { testSecret } from './requests.ts'
import { ownedFolder, type OwnedFolder } from './temp-folder.ts'
import { until } from './until.ts'
import { appVersion } from './app-version.ts'

export type DeliveryWithBody = Delivery & { readonly body: Buffer }

export interface TestEngine extends AsyncDisposable {
  readonly engine: Engine
  readonly dataDir: string
  readonly port: number
  /** `/hooks/<slug>` of the first endpoint. */
  readonly path: string
  /** The URL of the first endpoint. */
  readonly endpoint: string
  readonly endpointId: number
  readonly log: readonly string[]
  /** Sends requests to the listener, one after the other, until they are stored. Returns the responses. */
  receive(...requests: Uint8Array[]): Promise<Answer[]>
  /** Waits until `count` deliveries are stored. Returns all stored deliveries with bodies, oldest first. */
  kept(count: number): Promise<DeliveryWithBody[]>
  /** Waits for and returns the only stored delivery. */
  one(): Promise<DeliveryWithBody>
  /** Ignores all deliveries so far in `kept` and `one`. */
  forget(): Promise<void>
  close(): Promise<void>
}

export interface TestEngineOptions {
  readonly limits?: Partial<CaptureLimits>
  /** Shorter times for operations that would take long. */
  readonly tunnelPace?: Partial<TunnelTimings>
  /** False: no automatic refresh. */
  readonly background?: boolean
  readonly secret?: string | null
  /** Absent: a free port. If the port is in use, the engine opens without listening, and `port` is 0. */
  readonly listenerPort?: number
  /** False: as for a read-only command; `port` is 0. */
  readonly listen?: false
  readonly ports?: Partial<EnginePorts>
  /** A folder that the test removes itself. Default: a temporary folder that is removed with the engine. */
  readonly dataDir?: string
  /** Prepares the folder before the engine opens it. */
  readonly prepare?: (dataDir: string) => Promise<void>
}

const built = (file: string): URL => new URL(`../../out/main/${file}`, import.meta.url)

export const builtThreads: EnginePorts['threads'] = {
  capture: built('capture-thread.js'),
  writer: built('writer-thread.js'),
  indexer: built('indexer-thread.js'),
  reader: built('reader-thread.js'),
  sender: built('sender-thread.js'),
  tunnel: built('tunnel-thread.js'),
  exporter: built('export-thread.js'),
  importer: built('import-thread.js'),
  rehearsal: built('rehearsal-thread.js'),
  script: built('script-thread.js'),
  relay: built('relay-thread.js'),
}

/** Opens the engine of this checkout with its built worker threads, in its own folder and on a free port. */
export async function openTestEngine(options: TestEngineOptions = {}): Promise<TestEngine> {
  const folder = options.dataDir === undefined ? ownedFolder() : existingFolder(options.dataDir)
  await options.prepare?.(folder.path)
  const log: string[] = []
  const ports: EnginePorts = {
    secrets: createSecretBox(folder.path, {}),
    sandbox: new Sandbox(),
    log: {
      info: (message) => void log.push(message),
      warn: (message) => void log.push(message),
      error: (message, cause) => `log-${log.push(`${message} ${inspect(cause)}`)}`,
    },
    authorizationWindow: null,
    openExternal: async () => false,
    capabilities: {
      embeddedAuthWindow: false,
      nativeDialogs: false,
      osSecretStore: false,
      background: false,
      notifications: false,
      links: false,
      updates: false,
    },
    dialogs: null,
    system: createNodeSystem(path.join(folder.path, 'tabscope.log')),
    threads: builtThreads,
    ...options.ports,
  }
  const engine = await createEngine(ports, {
    dataDir: folder.path,
    version: appVersion,
    listenerPort: options.listenerPort ?? 0,
    background: options.background ?? true,
    ...(options.listen === false ? { listen: false } : {}),
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.tunnelPace ? { tunnelPace: options.tunnelPace } : {}),
  })
  const { endpoints, listener } = await engine.call('app.snapshot', {})
  const [endpoint] = endpoints
  const port = listener.state === 'listening' ? listener.port : 0
  if (!endpoint || (port === 0 && options.listenerPort === undefined && options.listen !== false))
    throw new Error('the engine does not listen')
  const { secret = testSecret } = options
  if (secret !== null) await engine.call('endpoints.rotateSecret', { id: endpoint.id, secret })

  let after = 0
  const kept = async (count: number): Promise<DeliveryWithBody[]> => {
    const rows = await until(`${count} deliveries in the store`, async () => {
      await engine.catchUp()
      const found = await engine.call('deliveries.since', { after, limit: 1000 })
      return found.length >= count ? found : null
    })
    return Promise.all(rows.map(({ id }) => readKept(engine, id)))
  }
  let closed: Promise<void> | null = null
  const close = (): Promise<void> => (closed ??= engine.close())
  return {
    engine,
    dataDir: folder.path,
    port,
    path: `/hooks/${endpoint.slug}`,
    endpoint: `http://127.0.0.1:${port}/hooks/${endpoint.slug}`,
    endpointId: endpoint.id,
    log,
    receive: async (...requests) => {
      const answers = await sendRequests(port, requests)
      await engine.catchUp()
      return answers
    },
    kept,
    one: async () => {
      const all = await kept(1)
      const [only] = all
      if (!only || all.length > 1) throw new Error(`there are ${all.length} deliveries, not one`)
      return only
    },
    forget: async () => {
      await engine.catchUp()
      after = (await engine.call('deliveries.page', { upTo: null, offset: 0, limit: 1 })).upTo
    },
    close,
    [Symbol.asyncDispose]: async () => {
      await close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

async function sendRequests(port: number, requests: readonly Uint8Array[]): Promise<Answer[]> {
  await using client = await rawClient(port)
  for (const [index, request] of requests.entries()) {
    await client.send(request)
    await client.answers(index + 1)
  }
  return await client.answers(requests.length)
}

function existingFolder(path: string): OwnedFolder {
  return { path, [Symbol.asyncDispose]: async () => undefined }
}

/** Shares one engine for all tests of a file. Each test starts without deliveries. */
export function sharedTestEngine(options: TestEngineOptions = {}): () => TestEngine {
  let tab: TestEngine | null = null
  beforeAll(async () => {
    tab = await openTestEngine(options)
  })
  beforeEach(() => tab?.forget())
  afterAll(() => tab?.[Symbol.asyncDispose]())
  return () => {
    if (!tab) throw new Error('the engine is there only while tests run')
    return tab
  }
}

async function readKept(engine: Engine, id: number): Promise<DeliveryWithBody> {
  const delivery = await engine.call('deliveries.get', { id })
  const slices: Uint8Array[] = []
  for (let offset = 0; ;) {
    const slice = await engine.call('deliveries.body', { id, offset, length: 4 * 1024 * 1024 })
    slices.push(slice.bytes)
    offset += slice.bytes.byteLength
    if (offset >= slice.size) break
  }
  return { ...delivery, body: Buffer.concat(slices) }
}
