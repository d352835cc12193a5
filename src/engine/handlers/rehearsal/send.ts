import type { DesignedRequest } from '#catalogue/rehearsal/define.ts'
import { keptRehearsalBytes } from '#contract/constants.ts'
import type { Header } from '#contract/models.ts'
import type { RehearsalOptions } from '#contract/rehearsal.ts'
import type { WireOptions } from '../../sending/wire/exchange.ts'
import type { Wire } from '../../sending/wire/wire.ts'
import type { Redact } from '../../platform/masking/redact.ts'
import type { Sent } from './all-responses.ts'

type Limits = Pick<WireOptions, 'verifyTls' | 'publicAllowed' | 'signal'> & {
  /** Removes secrets that a handler reveals from what is stored. */
  readonly redact: Redact
}

/** Returns a function that sends a request to the target of a run, and describes it with its response. */
export function createSend(
  wire: Pick<Wire, 'exchange'>,
  { url, requestTimeout }: Pick<RehearsalOptions, 'url' | 'requestTimeout'>,
  limits: Limits,
): (request: DesignedRequest) => Promise<Sent> {
  const target = new URL(url)
  return (request) => send(request, { wire, target, requestTimeout, limits })
}

async function send(
  request: DesignedRequest,
  {
    wire,
    target,
    requestTimeout,
    limits,
  }: { wire: Pick<Wire, 'exchange'>; target: URL; requestTimeout: number; limits: Limits },
): Promise<Sent> {
  const url = new URL(target)
  if (request.query !== undefined) {
    url.search = url.search === '' ? request.query : `${url.search}&${request.query}`
  }
  const headers: Header[] = [['Host', url.host], ...request.headers]
  const {
    response,
    error,
    timings,
    sent: bodySent,
  } = await wire.exchange(
    {
      method: request.method ?? 'POST',
      url,
      headers,
      body: request.body,
      trailers: [],
      ...(request.transmission ? { transmission: request.transmission } : {}),
    },
    {
      verifyTls: limits.verifyTls,
      publicAllowed: limits.publicAllowed,
      signal: limits.signal,
      timeout: requestTimeout,
      maxResponseBytes: keptRehearsalBytes,
      keepAlive: request.keepAlive ?? false,
      own: 'send',
    },
  )
  const stopped = request.transmission?.stopAfter !== undefined
  const responseHeaders = response ? [...response.headers] : []
  const responseBody = response ? response.body.slice(0, keptRehearsalBytes) : new Uint8Array()
  const { valid } = request
  const known = new Set(valid.headers.map(keyOf))
  const sent = new Set(request.headers.map(keyOf))
  const status = response?.status ?? null
  return {
    status: error === null ? status : null,
    error: error === null ? null : error.message,
    stopped,
    closed: error?.code === 'reset',
    bodySent,
    durationMs: timings.totalMs ?? 0,
    request: {
      method: request.method ?? 'POST',
      url: url.href,
      headers,
      missingHeaders: valid.headers.filter((header) => !sent.has(keyOf(header))),
      changedHeaders: headers.flatMap((header, index) =>
        index === 0 || known.has(keyOf(header)) ? [] : [index],
      ),
      body: request.body.slice(0, keptRehearsalBytes),
      bodyBytes: request.body.byteLength,
      bodyChange: changeOf(valid.body, request.body),
      status,
      error: error?.message ?? null,
      responseHeaders: limits.redact.headers(responseHeaders),
      responseBody: limits.redact.bytes(responseBody),
      durationMs: timings.totalMs ?? 0,
    },
    response: {
      text: `${responseHeaders.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${Buffer.from(responseBody).toString('latin1')}`,
    },
  }
}

function keyOf([name, value]: Header): string {
  return `${name}\n${value}`
}

function changeOf(valid: Uint8Array, changed: Uint8Array): [number, number] | null {
  if (Buffer.compare(valid, changed) === 0) return null
  const shorter = Math.min(valid.byteLength, changed.byteLength)
  let start = 0
  while (start < shorter && valid[start] === changed[start]) start += 1
  let end = 0
  while (end < shorter - start && valid.at(-1 - end) === changed.at(-1 - end)) end += 1
  return [start, changed.byteLength - end]
}
