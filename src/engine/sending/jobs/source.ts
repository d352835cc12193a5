import { basename, dirname, join } from 'node:path'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { createCapturedReader, type Captured } from '../../deliveries/store.ts'
import { AppError } from '../../platform/errors.ts'
import { createRedact, type Redact } from '../../platform/masking/redact.ts'
import { openReader, prepare, type Db } from '../../platform/sqlite.ts'
import { logsFolder } from '../../platform/store/data-folder.ts'
import { hmac, namedKey } from '../../payload/signature/verify.ts'
import type { JobRequest, ScenarioRequest } from '../messages.ts'
import type { SenderParts } from '../parts.ts'
import { namesOf } from '../prepare/header-list.ts'
import type { Prepared } from '../prepare/draft.ts'
import { prepareRequest, prepareResend } from '../prepare/prepare.ts'
import { signCurrent } from '../prepare/signing.ts'
import type { SenderConfiguration } from '../sender-configuration.ts'
import type { WireOutcome } from '../wire/exchange.ts'
import { readLastUrl } from '../store/attempts.ts'
import { defaultUrlOf, parseTarget } from '../target.ts'
import type { Item } from './run.ts'
import { collectIds, replaceIds, rewriteBody, type Rewriting } from './rewrite.ts'

export interface JobSource {
  readonly db: Db
  /** `next`: those that are sent after it. Null: it was deleted. */
  readonly captured: (id: number, next?: readonly Item[]) => Captured | null
  /** Throws like `deliveries.resend`. */
  prepare(captured: Captured): Prepared | Promise<Prepared>
  /** Masks a secret that only this job knows, in case that the target repeats it. */
  readonly masked: (outcome: WireOutcome) => WireOutcome
  close(): void
}

const maxDeliveries = 32
const maxBytes = 1024 * 1024

/** Reads several deliveries in one transaction: with one for each, the locks and page reads of SQLite take longer than everything else. */
function createReadAhead(db: Db, captured: (id: number) => Captured | null): JobSource['captured'] {
  const read = db.transaction((ids: readonly number[]) => {
    const found: Loaded[] = []
    let bytes = 0
    for (const id of ids) {
      const delivery = captured(id)
      found.push({ id, delivery })
      bytes += delivery?.body.byteLength ?? 0
      if (bytes > maxBytes) break
    }
    return found.toReversed()
  })
  /** The next one last. */
  let loaded: Loaded[] = []
  return (id, next = []) => {
    if (loaded.at(-1)?.id !== id) {
      const ids = next.slice(0, maxDeliveries - 1).map(({ deliveryId }) => deliveryId)
      loaded = read([id, ...ids])
    }
    return loaded.pop()?.delivery ?? null
  }
}

interface Loaded {
  readonly id: number
  readonly delivery: Captured | null
}

/** The deliveries of the store. */
export function storeSource(parts: SenderParts, request: JobRequest): JobSource {
  const { db, configuration } = parts
  const target = request.url === null ? null : parseTarget(request.url)
  return {
    db,
    captured: createReadAhead(db, parts.captured),
    prepare: (captured) => {
      const url = target ?? defaultUrlOf(captured, readLastUrl(db, captured.id), configuration)
      return prepareRequest(parts, captured, { ...request, url })
    },
    masked: unmasked,
    close: () => undefined,
  }
}

interface Run {
  readonly request: JobRequest & { readonly scenario: ScenarioRequest }
  readonly jobId: number
  /** Null: that of an endpoint. */
  readonly secret: string | null
  /** Milliseconds: what times are shifted to. A job that resumes continues with them. */
  readonly startedAt: number
}

/** The deliveries of a scenario. Throws `file_failed` if its event log is missing. */
export function scenarioSource({ db, configuration }: SenderParts, run: Run): JobSource {
  const { url, scenario } = run.request
  const target = parseTarget(url ?? '')
  const path = join(dirname(db.name), logsFolder, basename(scenario.store))
  const log = openLog(path, scenario.name)
  const captured = createReadAhead(log, createCapturedReader(log))
  const rewriting = prepareRewriting(db, log, run)
  rewriting.catch(() => undefined)
  return {
    db: log,
    captured,
    prepare: async (delivery) => rewritten(delivery, target, await rewriting, run, configuration),
    masked:
      run.secret === null ? unmasked : maskedBy(createRedact([run.secret], '<WEBHOOK_SECRET>')),
    close: () => void log.close(),
  }
}

const unmasked: JobSource['masked'] = (outcome) => outcome

function maskedBy(redact: Redact): JobSource['masked'] {
  return ({ response, ...outcome }) => ({
    ...outcome,
    response: response && {
      ...response,
      statusText: redact.text(response.statusText),
      headers: redact.headers(response.headers),
      body: redact.bytes(response.body),
    },
  })
}

function openLog(path: string, name: string): Db {
  try {
    return openReader(path)
  } catch {
    throw new AppError(
      'file_failed',
      `The data of the scenario "${name}" is missing. Delete it, and save it again.`,
    )
  }
}

function rewritten(
  captured: Captured,
  url: URL,
  rewriting: Rewriting,
  { request, secret }: Run,
  configuration: SenderConfiguration,
): Prepared {
  const body = rewriteBody(captured.body, captured.type, rewriting)
  const endpoint =
    request.sign.how === 'secret' && request.sign.endpointId !== null
      ? configuration.endpoint(request.sign.endpointId)
      : (configuration.endpoint(captured.endpointId) ?? configuration.endpointAt(captured.path))
  const signature =
    secret === null
      ? signCurrent(body, endpoint)
      : { value: hmac(body, namedKey('current', secret).key), secretName: null }
  const { signature: name } = namesOf(captured.brand).usual
  const prepared = prepareResend(
    // The digest of a log is that of the body before it was masked.
    { ...captured, sha256: null },
    {
      url,
      sign: { how: signature ? 'keep' : 'none' },
      edits: { headers: signature ? [[name, signature.value]] : [], body },
    },
    configuration,
  )
  if (!signature) return prepared
  return { ...prepared, signing: 'signed', secretName: signature.secretName }
}

/** Reads this many bytes at a time, because other requests wait. */
const stepBytes = 256 * 1024

/** New IDs for the whole scenario, so that a delivery may name an ID before the one that documents it. */
async function prepareRewriting(
  db: Db,
  log: Db,
  { request, jobId, startedAt }: Run,
): Promise<Rewriting> {
  const { scenario, pace } = request
  const ids = new Set<string>()
  let first: number | null = null
  let last = Number.NEGATIVE_INFINITY
  let bytes = 0
  const items = prepare<[number], number>(
    db,
    'SELECT delivery_id FROM send_job_item WHERE job_id = ? ORDER BY position',
  ).pluck()
  const select = prepare<
    [number],
    { createdAt: number | null; type: string | null; body: Uint8Array | null }
  >(
    log,
    'SELECT created_ms AS createdAt, type, body FROM delivery JOIN delivery_content USING (id) WHERE delivery.id = ?',
  )
  for (const id of items.all(jobId)) {
    const row = log.open ? select.get(id) : undefined
    if (!row) continue
    const { createdAt, type, body } = row
    if (createdAt !== null) {
      first ??= createdAt
      last = Math.max(last, createdAt)
    }
    if (!scenario.keepIds && body) collectIds(body, type, ids)
    bytes += 4096 + (body?.byteLength ?? 0)
    if (bytes < stepBytes) continue
    bytes = 0
    await yieldToOthers()
  }
  const origin = first ?? startedAt
  return {
    ids: replaceIds(ids, scenario.seed),
    shift:
      pace.how === 'spacing'
        ? (time) => startedAt + (time - origin) / pace.speed
        : (time) => time + (first === null ? 0 : startedAt - last),
  }
}
