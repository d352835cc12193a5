import type { DraftContent, DraftHeader } from '#contract/compose.ts'
import { randomUUID } from 'node:crypto'
import type { ScriptResult, ScriptRun } from '#contract/scripts.ts'
import type { EndpointRoute } from '../../capture/messages.ts'
import type { Captured } from '../../deliveries/store.ts'
import { failureText } from '../../scripts/messages.ts'
import type { SenderParts } from '../parts.ts'
import type { SenderConfiguration } from '../sender-configuration.ts'
import { prepareDraft, requirePrepared } from './draft.ts'
import { type Prepared, prepareResend, type ResendOptions } from './prepare.ts'
import { badInput } from './resend-headers.ts'
import { draftOfDelivery } from './start.ts'

export type ScriptedRequest = Extract<ScriptResult, { kind: 'request' }>

/** The request that a script made of a delivery. What it set counts as set manually. */
export function draftOfScript(
  captured: Captured,
  { headers, body, url, sign }: ScriptedRequest,
  endpoint: EndpointRoute | null,
  targetUrl: string,
): DraftContent {
  const draft = draftOfDelivery(captured, endpoint, url ?? targetUrl)
  const changes = new Map(headers.map(([name, value]) => [name.toLowerCase(), { name, value }]))
  const kept = draft.headers.flatMap((row): DraftHeader[] => {
    const key = row.name.toLowerCase()
    const change = changes.get(key)
    if (!change) return [row]
    const { value } = change
    // The first of several has the new value.
    changes.set(key, { ...change, value: null })
    return value === null ? [] : [byHand(row.name, value)]
  })
  const added = [...changes.values()].flatMap(({ name, value }) =>
    value === null ? [] : [byHand(name, value)],
  )
  return {
    ...draft,
    headers: [...kept, ...added],
    body: body === null ? { kind: 'captured' } : { kind: 'bytes', bytes: body },
    sign: { how: sign },
  }
}

function byHand(name: string, value: string): DraftHeader {
  return { name, value, on: true, byHand: true }
}

/** A re-send. Throws the errors of `prepareScripted`. */
export function prepareRequest(
  { configuration, runScript }: Pick<SenderParts, 'configuration' | 'runScript'>,
  captured: Captured,
  { script, ...options }: ResendOptions & { readonly script: string | null },
): Prepared | Promise<Prepared> {
  if (script === null) return prepareResend(captured, options, configuration)
  const run = (delivery: Captured) => runScript(script, null, delivery)
  return prepareScripted(captured, options, run, configuration)
}

/**
 * A re-send with what a script makes of it, after the edits. Throws `bad_input` if the script failed or returned something else than a request, and the errors of
 * `prepareResend`.
 */
async function prepareScripted(
  captured: Captured,
  options: ResendOptions,
  run: (delivery: Captured) => Promise<ScriptRun>,
  configuration: SenderConfiguration,
): Promise<Prepared> {
  const before = prepareResend(captured, options, configuration)
  const { headers, body } = before.request
  const edited: Captured = { ...captured, headers, body, whole: true, sha256: null }
  const { result } = await run(edited)
  switch (result.kind) {
    case 'none':
      return before
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
    notes: [...before.notes, ...after.notes],
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
