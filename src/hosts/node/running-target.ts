import { existsSync } from 'node:fs'
import type { Header, SandboxRoute } from '#contract/models.ts'
import { AppError } from '#engine/errors.ts'
import { openReader } from '#engine/store/driver.ts'
import { readEndpoints, type StoredEndpoint } from '#engine/store/endpoints.ts'
import { readIntegrations } from '#engine/store/integrations.ts'
import { readHolder } from '#engine/store/data-folder.ts'
import { storePath } from '#engine/store/data-folder.ts'
import type { Target } from '#sandbox/request.ts'
import { createSecretBox } from './secrets.ts'
import { openSession } from './session.ts'

/**
 * The default endpoint of the Tabscope that runs on this data, signed with its own secret unless another is given: straight at its listener, or
 * by the public address of its tunnel. Throws `AppError`.
 */
export async function runningTarget(
  dataDir: string,
  secret: string | undefined,
  through: SandboxRoute,
): Promise<Target> {
  const listener = readHolder(dataDir)?.listener
  if (!listener || !existsSync(storePath(dataDir))) {
    throw new AppError(
      'listener_down',
      `No Tabscope listens for ${dataDir}. Start it (tabscope serve), or give a URL: --to URL.`,
    )
  }
  const origin = through === 'tunnel' ? await tunnelOrigin(dataDir) : listener
  const db = openReader(storePath(dataDir))
  try {
    const [endpoint] = readEndpoints(db)
    if (!endpoint) {
      throw new AppError(
        'not_found',
        'No endpoints. Add one (tabscope endpoint add), or give a URL: --to URL.',
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

/** Whether a URL leads to the listener of the Tabscope that runs on this data. */
export function isListenerOf(dataDir: string, url: string): boolean {
  const listener = readHolder(dataDir)?.listener
  if (!listener || !URL.canParse(url)) return false
  const [ours, given] = [new URL(listener), new URL(url)]
  const areLocal = [ours, given].every(({ hostname }) => loopback.test(hostname))
  return ours.origin === given.origin || (areLocal && ours.port === given.port)
}

/** Asked of the Tabscope that runs: only it may have the key. */
async function headersOf(
  dataDir: string,
  { id, customHeaders, sealedHeaders }: StoredEndpoint,
): Promise<readonly Header[]> {
  if (sealedHeaders === null) return customHeaders
  await using session = await openSession(dataDir)
  const { endpoints } = await session.call('app.snapshot', {})
  return endpoints.find((each) => each.id === id)?.customHeaders ?? []
}

/** What the desktop app's keyring sealed cannot be opened from here. */
async function unseal(dataDir: string, sealed: Uint8Array): Promise<string> {
  try {
    return await createSecretBox(dataDir).unseal(sealed)
  } catch (error) {
    throw new AppError(
      'secret_unavailable',
      'The secret of the endpoint was sealed by another host, such as the desktop app. Give it with --secret or --secret-env.',
      { cause: error },
    )
  }
}

/** The current public origin of the tunnel. */
async function tunnelOrigin(dataDir: string): Promise<string> {
  await using session = await openSession(dataDir)
  const { state, reason, url } = (await session.call('app.snapshot', {})).tunnel
  if (url !== null) return url
  throw new AppError(
    'bad_target',
    `No tunnel is open, so nothing can be sent through it. It is ${state}: ${reason}`,
  )
}
