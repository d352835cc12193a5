import { randomUUID } from 'node:crypto'
import type { DraftContent, DraftHeader } from '#contract/compose.ts'
import type { Edits, SignChoice } from '#contract/sending.ts'
import type { ScriptResult } from '#contract/scripts.ts'
import type { EndpointRoute } from '../../payload/endpoint.ts'
import type { Captured } from '../../deliveries/store.ts'
import { AppError } from '../../platform/errors.ts'
import { faultOfMethod } from '../../platform/http/request-head.ts'
import { failureText } from '../scripts/messages.ts'
import type { SenderParts } from '../parts.ts'
import type { SenderConfiguration } from '../sender-configuration.ts'
import { prepareDraft, type Prepared, requirePrepared } from './draft.ts'
import { hasHeader, isNamed, namesOf, withHost } from './header-list.ts'
import { requestTarget, withQuery } from './request-target.ts'
import { draftOfDelivery } from './start.ts'

export interface ResendOptions {
  readonly url: URL
  readonly sign: SignChoice
  readonly edits: Edits
}

/**
 * Prepares a captured delivery for a URL: byte for byte except for `Host`, and if anything is edited, as a draft of it. Uses the delivery's query if
 * the URL has none. Throws `bad_input`, `secret_unavailable`.
 */
export function prepareResend(
  captured: Captured,
  { url: to, sign, edits }: ResendOptions,
  configuration: SenderConfiguration,
): Prepared {
  const { id, method, brand } = captured
  const fault = faultOfMethod(method)
  if (fault !== null) throw badInput(`Delivery ${id} cannot be sent again. ${fault}`)
  if (!captured.whole && edits.body === null) {
    throw badInput(
      `Only the start of the body of delivery ${id} was stored, so it cannot be sent again unchanged. Send it with a new body.`,
    )
  }
  const url = withQuery(to, captured.path)
  const keepsSignature = sign.how === 'auto' || sign.how === 'keep'
  if (keepsSignature && edits.body === null && edits.headers.length === 0) {
    return asCaptured(captured, url)
  }
  const { lower, usual } = namesOf(brand)
  if (!keepsSignature && hasHeader(edits.headers, lower.signature)) {
    throw badInput(
      `The header ${usual.signature} is set manually, but a new signature is requested too. Remove one of them.`,
    )
  }
  const draft = draftOfDelivery(captured, configuration.endpoint(captured.endpointId), url.href)
  const content: DraftContent = {
    ...draft,
    headers: withChanges(draft.headers, edits.headers),
    body: edits.body === null ? draft.body : { kind: 'bytes', bytes: edits.body },
    sign,
  }
  return prepareVersion(content, captured, configuration)
}

/** Not by a draft, which parses the body and computes its digest: most jobs and forwards send deliveries as captured. */
function asCaptured(captured: Captured, url: URL): Prepared {
  const { method, headers, body, trailers, sha256 } = captured
  const isSigned = hasHeader(headers, namesOf(captured.brand).lower.signature)
  return {
    request: {
      method,
      url,
      target: requestTarget(url, captured.path),
      headers: withHost(headers, url.host),
      body,
      trailers,
    },
    edited: false,
    bodyEdited: false,
    signing: isSigned ? 'kept' : 'none',
    secretName: null,
    notes: [],
    asStored: sha256 !== null,
    sha256,
  }
}

/** Throws `bad_input`, `bad_target`, `secret_unavailable`. */
export function prepareVersion(
  content: DraftContent,
  captured: Captured,
  configuration: SenderConfiguration,
): Prepared {
  const filling = { now: new Date(), uuid: randomUUID, counter: 1 }
  return requirePrepared(prepareDraft(content, captured, filling, configuration))
}

/** Changed headers count as set manually, and take the place of the first header with their name. Null removes a header. */
function withChanges(
  rows: readonly DraftHeader[],
  changes: readonly (readonly [name: string, value: string | null])[],
): DraftHeader[] {
  let changed = [...rows]
  for (const [lowerName, group] of Map.groupBy(changes, ([name]) => name.toLowerCase())) {
    const isOther = ({ name }: DraftHeader): boolean => name.toLowerCase() !== lowerName
    const first = changed.findIndex((row) => !isOther(row))
    const at = first === -1 ? changed.length : first
    const given = group.flatMap(([name, value]): DraftHeader[] =>
      value === null ? [] : [{ name, value, on: true, byHand: true }],
    )
    changed = [...changed.slice(0, at), ...given, ...changed.slice(at).filter(isOther)]
  }
  // Manual framing replaces all captured framing.
  return changed.some((row) => isFraming(row) && row.byHand)
    ? changed.filter((row) => !isFraming(row) || row.byHand)
    : changed
}

function isFraming({ name }: DraftHeader): boolean {
  return ['content-length', 'transfer-encoding'].includes(name.toLowerCase())
}

export type ScriptedRequest = Extract<ScriptResult, { kind: 'request' }>

export function draftOfScript(
  captured: Captured,
  { headers, body, url, sign }: ScriptedRequest,
  endpoint: EndpointRoute | null,
  targetUrl: string,
): DraftContent {
  const draft = draftOfDelivery(captured, endpoint, url ?? targetUrl)
  const changes = headers.flatMap(([name, value]) => {
    const received = captured.headers.filter((header) => isNamed(header, name.toLowerCase()))
    // A script that copies the headers of the delivery does not set them.
    const isCopied = received.length > 0 && received.map(([, each]) => each).join(', ') === value
    return isCopied ? [] : [[received[0]?.[0] ?? name, value] as const]
  })
  return {
    ...draft,
    headers: withChanges(draft.headers, changes),
    body: body === null ? draft.body : { kind: 'bytes', bytes: body },
    sign: { how: sign },
  }
}

/**
 * A re-send, with what a script makes of it after the edits. Throws `bad_input` if the script failed or returned something else than a request, and the
 * errors of `prepareResend`.
 */
export function prepareRequest(
  parts: Pick<SenderParts, 'configuration' | 'runScript'>,
  captured: Captured,
  { script, ...options }: ResendOptions & { script: string | null },
): Prepared | Promise<Prepared> {
  const before = prepareResend(captured, options, parts.configuration)
  return script === null ? before : prepareScripted(parts, captured, before, script)
}

async function prepareScripted(
  { configuration, runScript }: Pick<SenderParts, 'configuration' | 'runScript'>,
  captured: Captured,
  before: Prepared,
  script: string,
): Promise<Prepared> {
  const { headers, body } = before.request
  const edited: Captured = { ...captured, headers, body, whole: true, sha256: null }
  const { result, notes } = await runScript(script, null, edited)
  switch (result.kind) {
    case 'none':
      return { ...before, notes: [...before.notes, ...notes] }
    case 'request':
      break
    case 'skip':
      throw badInput('The script did not send it.')
    case 'response':
      throw badInput('The script returned a response. For a re-send, return a request or nothing.')
    case 'failed':
      throw badInput(`The script failed: ${failureText(result.failure)}`)
  }
  const endpoint = configuration.endpoint(captured.endpointId)
  const content = draftOfScript(edited, result, endpoint, before.request.url.href)
  const after = prepareVersion(content, edited, configuration)
  const isSigned = after.signing === 'kept' && before.signing !== 'none'
  return {
    ...after,
    edited: before.edited || after.edited,
    bodyEdited: before.bodyEdited || after.bodyEdited,
    signing: isSigned ? before.signing : after.signing,
    secretName: isSigned ? before.secretName : after.secretName,
    notes: [...before.notes, ...after.notes, ...notes],
  }
}

function badInput(message: string): AppError {
  return new AppError('bad_input', message)
}
