import { existsSync } from 'node:fs'
import type { Header, SandboxRoute } from '#contract/models.ts'
import { AppError } from '#engine/platform/errors.ts'
import { openReader } from '#engine/platform/sqlite.ts'
import { readEndpoints, type StoredEndpoint } from '#engine/deliveries/endpoints/store.ts'
import { readIntegrations } from '#engine/receiving/integrations/store.ts'
import { readHolder, storePath } from '#engine/platform/store/data-folder.ts'
import type { Target } from '#sandbox/request.ts'
import { createSecretBox } from './secrets.ts'
import { joinRunning, openSession, type Session } from './session.ts'
import { io } from '../command-line/io.ts'

/** Signed with the secret of the default endpoint unless another is given: directly, or through the address of the tunnel. Throws `AppError`. */
export async function runningTarget(
  dataDir: string,
  secret: string | undefined,
  through: SandboxRoute,
): Promise<Target> {
  const listener = readHolder(dataDir)?.listener
  if (!listener || !existsSync(storePath(dataDir))) {
    throw new AppError(
      'listener_down',
      `Tabscope is not running on ${dataDir}. Start it with tabscope serve, or specify a target: --to URL.`,
    )
  }
  const origin = through === 'tunnel' ? await tunnelOrigin(dataDir) : listener
  const db = openReader(storePath(dataDir))
  try {
    const [endpoint] = readEndpoints(db)
    if (!endpoint) {
      throw new AppError(
        'not_found',
        'No endpoints. Add one with tabscope endpoint add, or specify a target: --to URL.',
      )
    }
    const integration = readIntegrations(db).find(({ id }) => id === endpoint.integrationId)
    const sealed = endpoint.sealed.current
    return {
      url: `${origin}/hooks/${endpoint.slug}`,
      secret: secret ?? (sealed ? await unseal(dataDir, sealed) : null),
      brand: integration?.brand ?? 'Service',
      applicationId: endpoint.applicationId,
      customHeaders: await headersOf(dataDir, endpoint),
    }
  } finally {
    db.close()
  }
}

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

export function isListenerOf(dataDir: string, url: string): boolean {
  const listener = readHolder(dataDir)?.listener
  if (!listener || !URL.canParse(url)) return false
  const [ours, given] = [new URL(listener), new URL(url)]
  const areLocal = [ours, given].every(({ hostname }) => loopback.test(hostname))
  return ours.origin === given.origin || (areLocal && ours.port === given.port)
}

/** Read from the running Tabscope, since only it may have the key. */
async function headersOf(
  dataDir: string,
  { id, customHeaders, sealedHeaders }: StoredEndpoint,
): Promise<readonly Header[]> {
  if (sealedHeaders === null) return customHeaders
  await using session = await openSession(dataDir)
  const { endpoints } = await session.call('app.snapshot', {})
  return endpoints.find((each) => each.id === id)?.customHeaders ?? []
}

/** Values that the desktop app sealed with the keyring cannot be unsealed here. */
async function unseal(dataDir: string, sealed: Uint8Array): Promise<string> {
  try {
    return await createSecretBox(dataDir, io.env).unseal(sealed)
  } catch (error) {
    throw new AppError(
      'secret_unavailable',
      'The secret of the endpoint was encrypted by another host, such as the desktop app. Specify it with --secret or --secret-env.',
      { cause: error },
    )
  }
}

async function tunnelOrigin(dataDir: string): Promise<string> {
  await using session = await openSession(dataDir)
  const { state, reason, url } = (await session.call('app.snapshot', {})).tunnel
  if (url !== null) return url
  throw new AppError(
    'bad_target',
    `The tunnel is ${state}: ${reason} Open it with tabscope tunnel open.`,
  )
}

const deadlineMs = 10_000
const pageSize = 1000

export class StoredDeliveries implements AsyncDisposable {
  readonly #session: Session
  readonly #ids = new Map<string, number>()
  readonly #unlisten: () => void
  #after: number
  #changed = Promise.withResolvers<void>()

  private constructor(session: Session, after: number) {
    this.#session = session
    this.#after = after
    this.#unlisten = session.on('deliveries.arrived', () => {
      this.#changed.resolve()
      this.#changed = Promise.withResolvers()
    })
  }

  /** From now on; null if no Tabscope is running or it cannot be joined. */
  static async follow(folder: string): Promise<StoredDeliveries | null> {
    const session = await joinRunning(folder)
    if (session === null) return null
    const { stats } = await session.call('app.snapshot', {})
    return new StoredDeliveries(session, stats.newestId)
  }

  /** Null if no delivery with this SHA-256 (hex) was stored in time. */
  async idOf(sha256: string): Promise<number | null> {
    const signal = AbortSignal.timeout(deadlineMs)
    const { promise: late, resolve } = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => resolve(), { once: true })
    for (;;) {
      // Taken before the query, so that deliveries stored meanwhile end the wait.
      const changed = this.#changed.promise
      if (!(await this.#readNew())) return null
      const id = this.#ids.get(sha256)
      if (id !== undefined || signal.aborted) return id ?? null
      await Promise.race([changed, late, this.#session.gone])
    }
  }

  async #readNew(): Promise<boolean> {
    for (;;) {
      const next = { after: this.#after, limit: pageSize }
      const rows = await this.#session.call('deliveries.since', next).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'connection_lost') return null
        throw error
      })
      if (rows === null) return false
      for (const { id, sha256 } of rows) this.#ids.set(sha256, id)
      this.#after = rows.at(-1)?.id ?? this.#after
      if (rows.length < pageSize) return true
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unlisten()
    await this.#session[Symbol.asyncDispose]()
  }
}
