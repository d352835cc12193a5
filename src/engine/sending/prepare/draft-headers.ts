import type { DraftHeader, DraftProblem, PreparedHeader } from '#contract/compose.ts'
import type { Header } from '#contract/models.ts'
import { AppError } from '../../platform/errors.ts'
import { type Signature, signAs, signCurrent } from './signing.ts'
import { headerEquals } from '../../payload/conformance/received-headers.ts'
import {
  asHeader,
  echoIds,
  factsOf,
  losesEncoding,
  type EchoId,
  problem,
  type Composing,
} from './body-facts.ts'
import { hasHeader, isNamed, isChunked } from './header-list.ts'

export type SignatureDecision =
  | { readonly how: 'keep' }
  | { readonly how: 'omit'; readonly problem: DraftProblem | null }
  | { readonly how: 'sign'; readonly signature: Signature }

/** `auto` keeps a captured signature if body and endpoint are unchanged, and otherwise signs with the endpoint's current secret. */
export function decideSignature(of: Composing): SignatureDecision {
  const { content, body, bodyUnchanged, sameEndpoint, endpoint, configuration } = of
  const { sign } = content
  switch (sign.how) {
    case 'auto': {
      if (bodyUnchanged && sameEndpoint) return { how: 'keep' }
      const signature = signCurrent(body, endpoint)
      if (signature) return { how: 'sign', signature }
      const message = endpoint
        ? `The endpoint "${endpoint.name}" has no secret, so the request is sent without a signature.`
        : 'No endpoint is selected, so the request is sent without a signature.'
      return { how: 'omit', problem: problem('info', 'sign.left_out', 'sign', message) }
    }
    case 'keep':
      return { how: 'keep' }
    case 'none':
      return { how: 'omit', problem: null }
    case 'secret':
    case 'broken':
      try {
        return { how: 'sign', signature: signAs(body, sign, content.endpointId, configuration) }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return { how: 'omit', problem: problem('error', 'sign.no_secret', 'sign', error.message) }
      }
  }
}

export interface ComposedHeaders {
  readonly rows: readonly PreparedHeader[]
  readonly leftOut: readonly number[]
  readonly problems: readonly DraftProblem[]
  readonly signing: 'kept' | 'signed' | 'broken' | 'none'
  readonly secretName: string | null
}

type Dependent =
  | 'host'
  | 'content-length'
  | 'content-encoding'
  | 'application-id'
  | 'signature'
  | EchoId

/** Dependent headers follow from body, endpoint, URL and secret, unless they are set manually. */
export function composeHeaders(of: Composing, decision: SignatureDecision): ComposedHeaders {
  const { content, values } = of
  const chunked = isChunked(
    content.headers.flatMap(({ name, on }, index): Header[] =>
      on ? [[name, values[index] ?? '']] : [],
    ),
  )
  const rows: PreparedHeader[] = []
  const leftOut: number[] = []
  let needsSignature = decision.how === 'sign'
  for (const [index, header] of content.headers.entries()) {
    if (!header.on || (header.name === '' && header.value === '')) continue
    const written = {
      name: header.name,
      value: values[index] ?? '',
      draft: index,
      from: 'draft',
    } as const
    const kind = header.byHand ? null : dependentOf(header, of)
    if (kind === null) {
      rows.push(written)
    } else if (kind === 'signature') {
      const isMissing = written.value === '' && !of.bodyUnchanged
      if (decision.how === 'keep' && !isMissing) rows.push(written)
      else if (decision.how === 'sign' && needsSignature) {
        rows.push({ ...written, value: decision.signature.value, from: 'signature' })
        needsSignature = false
      } else leftOut.push(index)
    } else {
      const following = dependentValue(kind, written.value, of, chunked)
      if (following === null) leftOut.push(index)
      else rows.push({ ...written, ...following })
    }
  }
  const problems: DraftProblem[] = []
  const isSignature = ({ name }: { name: string }): boolean =>
    name.toLowerCase() === of.names.lower.signature
  if (decision.how === 'omit' && decision.problem) problems.push(decision.problem)
  if (needsSignature && decision.how === 'sign') {
    const row = content.headers.find(isSignature)
    if (row) problems.push(notSigned(row))
    else {
      const value = decision.signature.value
      insert(rows, of.names.prefix, {
        name: of.names.usual.signature,
        value,
        draft: null,
        from: 'signature',
      })
    }
  }
  addEchoes(rows, of)
  problems.push(...addFraming(rows, of))
  const signature =
    decision.how === 'sign' && rows.some(({ from }) => from === 'signature')
      ? decision.signature
      : null
  return {
    rows,
    leftOut,
    problems,
    signing: signature?.signing ?? (rows.some(isSignature) ? 'kept' : 'none'),
    secretName: signature?.secretName ?? null,
  }
}

function dependentOf({ name }: DraftHeader, { names }: Composing): Dependent | null {
  const lower = name.toLowerCase()
  switch (lower) {
    case 'host':
    case 'content-length':
    case 'content-encoding':
      return lower
    case names.lower.signature:
      return 'signature'
    case names.lower['application-id']:
      return 'application-id'
    default:
      return echoIds.find((id) => names.lower[id] === lower) ?? null
  }
}

function dependentValue(
  kind: Exclude<Dependent, 'signature'>,
  written: string,
  of: Composing,
  chunked: boolean,
): Pick<PreparedHeader, 'value' | 'from'> | null {
  const { url, body, bodyUnchanged, sameEndpoint, endpoint } = of
  const asWritten = { value: written, from: 'draft' } as const
  switch (kind) {
    case 'host':
      return url ? { value: url.host, from: 'url' } : asWritten
    case 'content-length':
      if (bodyUnchanged) return asWritten
      return chunked ? null : { value: String(body.byteLength), from: 'length' }
    case 'content-encoding':
      return losesEncoding(of) ? null : asWritten
    case 'application-id': {
      const value = asHeader(endpoint?.applicationId)
      if ((bodyUnchanged && sameEndpoint) || value === '')
        return written === '' && !bodyUnchanged ? null : asWritten
      return { value, from: 'endpoint' }
    }
    case 'event-type':
    case 'target-uuid':
    case 'target-id': {
      if (bodyUnchanged) return asWritten
      const value = factsOf(body).echoes[kind]
      return value === '' ? null : { value, from: 'body' }
    }
  }
}

function notSigned({ on }: DraftHeader): DraftProblem {
  return on
    ? problem(
        'info',
        'sign.by_hand',
        'sign',
        'The signature header is set manually, so the request is not signed.',
      )
    : problem(
        'info',
        'sign.off',
        'sign',
        'The signature header is turned off, so no signature is sent.',
      )
}

/** Adds headers for values that are new in the body, as a resend with that body does. */
function addEchoes(rows: PreparedHeader[], of: Composing): void {
  const { captured, content, body, bodyUnchanged, names } = of
  if (!captured || bodyUnchanged) return
  if (!echoIds.some((id) => hasHeader(captured.headers, names.lower[id]))) return
  const before = factsOf(captured.body).echoes
  for (const id of echoIds) {
    const value = factsOf(body).echoes[id]
    const name = names.usual[id]
    if (value === '' || before[id] !== '' || hasHeader(captured.headers, names.lower[id])) continue
    if (content.headers.some((header) => header.name.toLowerCase() === names.lower[id])) continue
    insert(rows, `${names.prefix}event-`, { name, value, draft: null, from: 'body' })
  }
}

/** Adds `Host`, which every request needs, and a length for a body that is not chunked. */
function addFraming(rows: PreparedHeader[], of: Composing): DraftProblem[] {
  const { url, body, content } = of
  const has = (lower: string): boolean => rows.some(({ name }) => name.toLowerCase() === lower)
  if (url && !has('host')) rows.unshift({ name: 'Host', value: url.host, draft: null, from: 'url' })
  if (body.byteLength === 0 || has('transfer-encoding') || has('content-length')) return []
  const value = String(body.byteLength)
  rows.push({ name: 'Content-Length', value, draft: null, from: 'length' })
  const off = content.headers.findIndex(({ name }) => name.toLowerCase() === 'content-length')
  if (off === -1) return []
  const message =
    'Content-Length is turned off, but is sent anyway: a body requires it, or Transfer-Encoding: chunked.'
  return [problem('info', 'header.length_added', 'headers', message, off)]
}

function insert(rows: PreparedHeader[], lowerPrefix: string, added: PreparedHeader): void {
  const last = rows.findLastIndex(({ name }) => name.toLowerCase().startsWith(lowerPrefix))
  rows.splice(last === -1 ? rows.length : last + 1, 0, added)
}

/** Whether a dependent header contradicts body and endpoint, and must therefore stay as it is. */
export function contradicts(
  header: Header,
  of: Pick<Composing, 'names' | 'endpoint' | 'body'>,
): boolean {
  const { names, endpoint, body } = of
  if (isNamed(header, names.lower['application-id'])) {
    const expected = endpoint?.applicationId ?? ''
    return expected !== '' && !headerEquals(header[1], expected)
  }
  const id = echoIds.find((echoId) => isNamed(header, names.lower[echoId]))
  return id !== undefined && !headerEquals(header[1], factsOf(body).echoes[id])
}
