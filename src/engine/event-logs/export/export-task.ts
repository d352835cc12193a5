import { rm } from 'node:fs/promises'
import type { ParsedInput } from '#contract/calls.ts'
import type { FieldChoice } from '#contract/masking.ts'
import { handledLater } from '#shared/async/handled-later.ts'
import { targetAddress } from '#shared/text/address.ts'
import { AppError } from '../../platform/errors.ts'
import type { Listening } from '../../receiving/listener/listening/listening.ts'
import type { EndpointRegistry } from '../../receiving/endpoints/registry.ts'
import type { IntegrationRegistry } from '../../receiving/integrations/registry.ts'
import type { Clock } from '../../platform/clock.ts'
import { heapLimits } from '../../platform/heap-limits.ts'
import type { EnginePorts } from '../../platform/ports.ts'
import { Task, type TaskEnd } from '../../platform/task.ts'
import type { StoreWrites } from '../../platform/store/store-port.ts'
import type { StoredLog } from '../store.ts'
import type { deleteLog, putLog, writeFieldChoices } from '../writes.ts'
import type { TokenManager } from '../../authorization/tokens/manager.ts'
import type { ExportProgress, ExportShape, ExportTask, ExportTo } from './messages.ts'

interface LogsStore extends StoreWrites<{
  putLog: typeof putLog
  deleteLog: typeof deleteLog
  writeFieldChoices: typeof writeFieldChoices
}> {
  readonly path: string
  readonly initial: {
    readonly logs: readonly StoredLog[]
    readonly fieldChoices: FieldChoice[]
    readonly settings: { readonly listenerPort: number }
  }
}

export interface LogParts {
  readonly ports: EnginePorts
  readonly clock: Clock
  readonly dataDir: string
  readonly version: string
  readonly store: LogsStore
  readonly registry: EndpointRegistry
  readonly integrations: IntegrationRegistry
  readonly tokens: TokenManager
  readonly listening: Listening
}

export interface ExportsParts extends LogParts {
  /** The saved ones. */
  readonly choices: () => readonly FieldChoice[]
  /** The path of the store of a log. Throws `not_found`. */
  readonly pathOf: (log: number) => string
}

type ExportOptions = Omit<ParsedInput<'logs.export'>, 'to'>

export type ExportEnd = TaskEnd<ExportProgress>

export type RunningExport = Awaited<ReturnType<typeof startExport>>

/** Throws `not_found` for an unknown log. */
export async function startExport(
  parts: ExportsParts,
  options: ExportOptions,
  to: ExportTo,
  on: {
    progress?: (progress: ExportProgress) => void
    /** Resolves when the piece is consumed. */
    piece?: (bytes: Uint8Array) => Promise<void>
  },
) {
  const started = Promise.withResolvers<void>()
  // A caller may wait for `ended` only.
  handledLater(started.promise)
  const task = new Task<ExportShape>({
    entry: parts.ports.threads.exporter,
    limits: heapLimits.exporter,
    input: await createExportTask(parts, options, to),
    reports: {
      started: () => started.resolve(),
      progress: (progress) => on.progress?.(progress),
      piece: async (bytes) => on.piece?.(bytes),
    },
  })
  const end = async (): Promise<ExportEnd> => {
    const last = await task.ended
    // A thread that was terminated could not remove it.
    if (last.kind !== 'done' && to.kind === 'file') {
      await rm(to.part, { force: true }).catch(() => undefined)
    }
    started.reject(last.kind === 'failed' ? last.error : exportCancelled())
    return last
  }
  const ended = end()
  return {
    /** Resolves once the request is valid and the output is open. Rejects with the reason otherwise, with `run_over` if the export was cancelled first. */
    started: started.promise,
    /** Never rejects. An export that does not end with `done` leaves no file. */
    ended,
    /** Resolves when the export has ended, whatever the result. */
    cancel: async () => {
      await task.cancel()
      return ended
    },
  }
}

export function exportCancelled(): AppError {
  return new AppError('run_over', 'The export was cancelled. Start it again.')
}

/** Resolves once every delivery that Tabscope has responded to so far is in the store. Throws `not_found` for an unknown log. */
async function createExportTask(
  parts: ExportsParts,
  options: ExportOptions,
  to: ExportTo,
): Promise<ExportTask> {
  const { what, redact } = options
  const storePath = what.log === null ? parts.store.path : parts.pathOf(what.log)
  const configured = parts.registry.views()
  return {
    storePath,
    what,
    with: options.with,
    asOf: parts.clock.now(),
    app: `Tabscope ${parts.version}`,
    format: options.format,
    gzip: options.gzip,
    target: options.target === '' ? listenerOrigin(parts) : targetAddress(options.target),
    endpointHeaders: new Map(
      what.log === null ? configured.map(({ id, customHeaders }) => [id, customHeaders]) : [],
    ),
    redaction: redact
      ? {
          choices: [...parts.choices(), ...options.choices],
          own: options.choices.map(({ field }) => field),
          secrets: [
            ...secretsOf(parts),
            ...configured.flatMap(({ customHeaders }) => customHeaders.map(([, value]) => value)),
          ],
        }
      : null,
    to,
  }
}

function listenerOrigin({ listening, store }: LogParts): string {
  try {
    return listening.origin()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return `http://127.0.0.1:${store.initial.settings.listenerPort}`
  }
}

function secretsOf({
  registry,
  integrations,
  tokens,
}: {
  registry: EndpointRegistry
  integrations: IntegrationRegistry
  tokens: Pick<TokenManager, 'clearValues'>
}): string[] {
  const webhooks = registry.views().flatMap(({ id }) => registry.secretsOf(id))
  return [
    ...webhooks.map(({ secret }) => secret),
    ...integrations.clearSecrets(),
    ...tokens.clearValues().map(({ value }) => value),
  ]
}
