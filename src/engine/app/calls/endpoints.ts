import type { Context } from '../context.ts'
import type { ParsedInput, CallOutput } from '#contract/calls.ts'
import { routes } from '../../platform/routes.ts'
import type { Header, Endpoint } from '#contract/models.ts'
import { sealHeaders } from '../../platform/secrets.ts'
import {
  maxRules,
  type ResponseRule,
  defaultForward,
  type ForwardTarget,
} from '#contract/endpoint-rules.ts'
import { isHeader } from '../../receiving/listener/respond/rules.ts'
import { AppError } from '../../platform/errors.ts'
import type { RuleFields } from '../../deliveries/endpoints/rules-store.ts'
import { targetAddress } from '#shared/text/address.ts'
import { assertTargetAllowed } from '../../sending/target.ts'
import { assertScript, pushScripts } from './scripts.ts'
import { currentBrand, keyringOf } from '../../diagnosis/background-diagnosis.ts'
import { newSecret } from '../../receiving/endpoints/registry.ts'
import type { StoredEndpoint, Which } from '../../deliveries/endpoints/store.ts'

/** With the path `/hooks/<slug>` and no secret yet. Throws `path_taken`. */
export async function addEndpoint(context: Context, slug: string): Promise<void> {
  const [integration] = context.integrations.views()
  if (!integration) throw new AppError('not_found', 'There is no integration for the endpoint.')
  const fields = {
    integrationId: integration.id,
    name: slug,
    slug,
    applicationId: '',
    customHeaders: [],
    sealedHeaders: null,
  }
  const id = await context.store.writer.call('insertEndpoint', fields)
  await changed(context, { id, ...fields, hadSecret: false, sealed: {} })
}

export const endpointRoutes = routes<Context>()({
  'endpoints.activity': ({ registry, store }) =>
    store.reader.call('activity', {
      endpointIds: registry.views().map(({ id }) => id),
      nowMs: Date.now(),
    }),

  'endpoints.create': async (context, { integrationId, secret, customHeaders, ...named }) => {
    context.integrations.stored(integrationId)
    const fields = {
      ...named,
      ...(await sealHeaders(context.ports.secrets, customHeaders)),
    }
    const id = await context.store.writer.call('insertEndpoint', { integrationId, ...fields })
    const sealed = secret ? { current: await context.ports.secrets.seal(secret) } : {}
    await context.store.writer.call('writeSecrets', { id, sealed })
    return changed(context, { id, integrationId, ...fields, hadSecret: Boolean(secret), sealed })
  },

  'endpoints.update': async (context, { id, ...given }) => {
    const before = context.registry.stored(id)
    if (given.integrationId !== undefined) context.integrations.stored(given.integrationId)
    const fields = {
      integrationId: given.integrationId ?? before.integrationId,
      name: given.name ?? before.name,
      slug: given.slug ?? before.slug,
      applicationId: given.applicationId ?? before.applicationId,
      ...(given.customHeaders
        ? await sealHeaders(context.ports.secrets, given.customHeaders)
        : { customHeaders: before.customHeaders, sealedHeaders: before.sealedHeaders }),
    }
    await context.store.writer.call('updateEndpoint', { id, fields })
    return changed(context, { ...before, ...fields })
  },

  'endpoints.remove': async (context, { id }) => {
    context.registry.stored(id)
    await context.store.writer.call('deleteEndpoint', id)
    context.registry.remove(id)
    context.endpointRules.removeEndpoint(id)
    await context.configureThreads()
    context.bus.push('endpoints.changed', context.registry.views())
    context.bus.push('forwards.changed', [...context.endpointRules.forwards])
    context.bus.push('responses.changed', [...context.endpointRules.responses])
    pushScripts(context)
    return {}
  },

  'endpoints.rotateSecret': rotateSecret,
  'endpoints.correctSecret': correctSecret,
  'endpoints.undoSecret': undoSecret,

  'endpoints.clearSecret': (context, { id }) => {
    context.registry.forgetReplaced(id)
    return writeSecrets(context, context.registry.stored(id), {})
  },

  'endpoints.revealSecret': (context, { id, which }) => ({
    secret: context.registry.reveal(id, which),
  }),

  'forwards.add': async (context, { endpointId, temporary, ...typed }) => {
    const { endpointRules, store } = context
    const given = { ...typed, url: targetAddress(typed.url) }
    await assertTarget(context, given.url)
    return context.turn(async () => {
      context.registry.stored(endpointId)
      const existing = sameForward(context, { endpointId, temporary, ...given })
      if (existing)
        return putForward(context, existing, { ...given, enabled: given.enabled ?? true })
      const fields = merged({ ...defaultForward, types: [], endpointId, url: given.url }, given)
      assertRoom(context, endpointId)
      assertSingleResponder(context, fields, null)
      if (fields.script !== null) assertScript(context, fields.script)
      const id = temporary
        ? endpointRules.temporaryId()
        : await store.writer.call('insertForward', fields)
      return changedForward(context, { ...fields, id, temporary })
    })
  },

  'forwards.update': async (context, { id, ...typed }) => {
    const given = typed.url === undefined ? typed : { ...typed, url: targetAddress(typed.url) }
    if (given.url !== undefined && given.url !== forwardOf(context, id).url) {
      await assertTarget(context, given.url)
    }
    return context.turn(async () => {
      return putForward(context, forwardOf(context, id), given)
    })
  },

  'forwards.remove': async (context, { id }) =>
    context.turn(async () => {
      const { temporary } = forwardOf(context, id)
      if (!temporary) await context.store.writer.call('deleteForward', id)
      context.endpointRules.removeForward(id)
      await forwardsChanged(context)
      return {}
    }),

  'forwards.drop': async (context, { id }) => {
    forwardOf(context, id)
    return { dropped: await context.sender.api.call('dropWaiting', id) }
  },

  'responses.set': (context, { endpointId, rules }) => {
    context.registry.stored(endpointId)
    for (const rule of rules) assertRule(context, rule)
    return put(context, endpointId, rules)
  },

  'responses.add': (context, { endpointId, ...rule }) => {
    context.registry.stored(endpointId)
    assertRule(context, rule)
    const others = rulesOf(context, endpointId).filter(({ type }) => type !== rule.type)
    if (others.length >= maxRules) {
      throw new AppError(
        'bad_input',
        `The endpoint already has the maximum of ${maxRules} response rules. Remove one first.`,
      )
    }
    return put(context, endpointId, rule.type === null ? [...others, rule] : [rule, ...others])
  },

  'responses.remove': (context, { id }) => {
    const rule = context.endpointRules.responses.find((each) => each.id === id)
    if (!rule) {
      const ids = context.endpointRules.responses.map((each) => each.id).join(', ') || 'none'
      throw new AppError('not_found', `Response rule ${id} does not exist. Available: ${ids}.`)
    }
    const { endpointId } = rule
    return put(
      context,
      endpointId,
      rulesOf(context, endpointId).filter((each) => each.id !== id),
    )
  },

  'responses.off': async (context, { endpointId }) => {
    const { endpointRules, store } = context
    if (endpointId !== undefined) context.registry.stored(endpointId)
    await store.writer.call('switchResponsesOff', endpointId ?? null)
    endpointRules.switchOff(endpointId ?? null)
    await rulesChanged(context)
    return endpointRules.responses.filter(
      (rule) => (endpointId ?? rule.endpointId) === rule.endpointId,
    )
  },
})

function rulesOf({ endpointRules }: Context, endpointId: number): ResponseRule[] {
  return endpointRules.responses.filter((rule) => rule.endpointId === endpointId)
}

async function put(
  context: Context,
  endpointId: number,
  rules: readonly RuleFields[],
): Promise<ResponseRule[]> {
  const stored = await context.store.writer.call('writeResponses', { endpointId, rules })
  context.endpointRules.putResponses(endpointId, stored)
  await rulesChanged(context)
  return stored
}

function assertRule(context: Context, { response }: Pick<ResponseRule, 'response'>): void {
  if (response.kind === 'script') assertScript(context, response.script)
  if (response.kind === 'status') for (const header of response.headers) assertHeader(header)
}

/** Throws `bad_input` for an invalid header, which would otherwise be omitted from the response silently. */
function assertHeader(header: Header): void {
  if (isHeader(header)) return
  throw new AppError(
    'bad_input',
    `The header ${JSON.stringify(header.join(': '))} cannot be sent. Use letters, digits and hyphens in the name, and only Latin-1 characters without line breaks in the value.`,
  )
}

async function rulesChanged(context: Context): Promise<void> {
  await context.configureThreads()
  context.bus.push('responses.changed', [...context.endpointRules.responses])
  pushScripts(context)
}

/** Per endpoint. */
const maxForwards = 20

async function putForward(
  context: Context,
  before: ForwardTarget,
  given: Given,
): Promise<ForwardTarget> {
  const { id, temporary } = before
  const forward = { ...merged(before, given), id, temporary }
  assertSingleResponder(context, forward, id)
  if (forward.script !== null) assertScript(context, forward.script)
  if (!temporary) await context.store.writer.call('updateForward', forward)
  return changedForward(context, forward)
}

/** A second target with the same endpoint, event types and URL would send each delivery twice. */
function sameForward(
  { endpointRules }: Context,
  {
    endpointId,
    temporary,
    url,
    types = [],
  }: Given & Pick<ForwardTarget, 'endpointId' | 'temporary'>,
): ForwardTarget | undefined {
  const wanted = new Set(types)
  return endpointRules.forwards.find(
    (forward) =>
      forward.endpointId === endpointId &&
      forward.temporary === temporary &&
      forward.url === url &&
      forward.types.length === wanted.size &&
      forward.types.every((type) => wanted.has(type)),
  )
}

type Fields = Omit<ForwardTarget, 'id' | 'temporary'>
type Given = Omit<ParsedInput<'forwards.update'>, 'id'>

/** Absent fields stay unchanged. */
function merged(before: Fields, given: Given): Fields {
  return {
    endpointId: before.endpointId,
    url: given.url ?? before.url,
    types: given.types ?? before.types,
    mode: given.mode ?? before.mode,
    retries: given.retries ?? before.retries,
    timeoutMs: given.timeoutMs ?? before.timeoutMs,
    concurrency: given.concurrency ?? before.concurrency,
    queueLimit: given.queueLimit ?? before.queueLimit,
    enabled: given.enabled ?? before.enabled,
    script: given.script === undefined ? before.script : given.script,
    onScriptFailure: given.onScriptFailure ?? before.onScriptFailure,
  }
}

async function assertTarget({ sender }: Context, url: string): Promise<void> {
  assertTargetAllowed(await sender.api.call('resolveToForward', url))
}

function assertRoom({ endpointRules }: Context, endpointId: number): void {
  const existing = endpointRules.forwards.filter((forward) => forward.endpointId === endpointId)
  if (existing.length < maxForwards) return
  throw new AppError(
    'bad_input',
    `The endpoint already has the maximum of ${maxForwards} forward targets. Remove one first.`,
    { details: { fields: ['endpointId'] } },
  )
}

/** Throws `bad_input` if another target already provides the response: there can be only one. */
function assertSingleResponder(
  { endpointRules }: Context,
  fields: Fields,
  id: number | null,
): void {
  if (fields.mode !== 'return' || !fields.enabled) return
  const other = endpointRules.forwards.find(
    (forward) =>
      forward.endpointId === fields.endpointId &&
      forward.id !== id &&
      forward.mode === 'return' &&
      forward.enabled,
  )
  if (!other) return
  throw new AppError(
    'bad_input',
    `The response of ${other.url} is already returned for this endpoint. Turn that target off, or set it to "Respond first, then forward".`,
    { details: { fields: ['mode'] } },
  )
}

function forwardOf({ endpointRules }: Context, id: number): ForwardTarget {
  const forward = endpointRules.forwards.find((other) => other.id === id)
  if (forward) return forward
  const ids = endpointRules.forwards.map((other) => other.id).join(', ') || 'none'
  throw new AppError('not_found', `Forward target ${id} does not exist. Available: ${ids}.`)
}

async function changedForward(context: Context, forward: ForwardTarget): Promise<ForwardTarget> {
  context.endpointRules.putForward(forward)
  await forwardsChanged(context)
  return forward
}

async function forwardsChanged(context: Context): Promise<void> {
  await context.configureThreads()
  context.bus.push('forwards.changed', [...context.endpointRules.forwards])
  pushScripts(context)
}

/** The service has a new secret: it becomes the current one, and the one in use until now the previous one. */
async function rotateSecret(
  context: Context,
  { id, secret = newSecret(), keepPrevious }: ParsedInput<'endpoints.rotateSecret'>,
): Promise<CallOutput<'endpoints.rotateSecret'>> {
  const current = await context.ports.secrets.seal(secret)
  const previous = keepPrevious ? await inUse(context, id, secret, ['current', 'previous']) : null
  return replaceSecrets(context, id, previous ? { current, previous } : { current })
}

/** A secret was wrong here: it is replaced, and the other one stays. */
async function correctSecret(
  context: Context,
  { id, which, secret, deliveryId }: ParsedInput<'endpoints.correctSecret'>,
): Promise<CallOutput<'endpoints.correctSecret'>> {
  if ((secret === undefined) === (deliveryId === undefined)) {
    throw new AppError('bad_input', 'Specify either a secret or the ID of a delivery.')
  }
  if (deliveryId !== undefined) return correctByDelivery(context, id, deliveryId)
  const corrected = await context.ports.secrets.seal(secret ?? '')
  return replaceSecrets(context, id, {
    ...context.registry.stored(id).sealed,
    [which]: corrected,
  })
}

/** The current secret may be right for other deliveries. Then it is kept, so that they stay valid. */
async function correctByDelivery(
  context: Context,
  id: number,
  deliveryId: number,
): Promise<Endpoint> {
  // Identifiers and access secrets are mistakes of the sender: they do not become webhook secrets.
  const keyring = { ...keyringOf(context, id), access: [], identifiers: [] }
  const secret = await context.store.reader.call('findSecret', { id: deliveryId, keyring })
  if (secret === null) {
    throw new AppError(
      'not_found',
      'No known secret, and no variant of one, signed this delivery. Enter the secret of the dashboard.',
    )
  }
  const current = await context.ports.secrets.seal(secret)
  const previous = await inUse(context, id, secret, ['previous'])
  return replaceSecrets(context, id, previous ? { current, previous } : { current })
}

/** Sets the secrets of before the last rotation or correction. They are kept sealed, until Tabscope ends. */
async function undoSecret(
  context: Context,
  { id }: ParsedInput<'endpoints.undoSecret'>,
): Promise<CallOutput<'endpoints.undoSecret'>> {
  const before = context.registry.forgetReplaced(id)
  if (!before) {
    throw new AppError('not_found', 'The secret was not changed since Tabscope started.')
  }
  return writeSecrets(context, context.registry.stored(id), before)
}

/** For an endpoint that never had a secret, so that the sandbox's first deliveries are signed. */
export async function ensureSecret(context: Context, id: number): Promise<void> {
  if (context.registry.stored(id).hadSecret) return
  await rotateSecret(context, { id, keepPrevious: false })
}

/**
 * The secret to keep beside a new one: the one that verified the newest deliveries, otherwise the first of `names` that is set. So a secret that was typed
 * wrong and never verified anything does not replace the real one.
 */
async function inUse(
  context: Context,
  id: number,
  besides: string,
  names: readonly Which[],
): Promise<Uint8Array | undefined> {
  const { registry, store } = context
  const secrets = registry.secretsOf(id).filter(({ secret }) => secret !== besides)
  const keys = { secrets, brand: currentBrand(context, id) ?? '' }
  const proven = await store.reader.call('provenSecret', { endpointId: id, keys })
  const { sealed } = registry.stored(id)
  const kept = (['current', 'previous'] as const)
    .filter((name) => secrets.some((each) => each.name === name))
    .filter((name) => name === proven || (proven === null && names.includes(name)))
  return kept[0] && sealed[kept[0]]
}

async function replaceSecrets(
  context: Context,
  id: number,
  sealed: StoredEndpoint['sealed'],
): Promise<Endpoint> {
  const before = context.registry.stored(id)
  const endpoint = await writeSecrets(context, before, sealed)
  context.registry.keepReplaced(id, before.sealed)
  return endpoint
}

async function writeSecrets(
  context: Context,
  before: StoredEndpoint,
  sealed: StoredEndpoint['sealed'],
): Promise<Endpoint> {
  await context.store.writer.call('writeSecrets', { id: before.id, sealed })
  const hadSecret = before.hadSecret || sealed.current !== undefined
  return changed(context, { ...before, hadSecret, sealed })
}

/** Applies a stored change: first in memory, then in the capture thread (from the next delivery on), then in the interface. */
async function changed(context: Context, stored: StoredEndpoint): Promise<Endpoint> {
  await context.registry.put(stored)
  await context.configureThreads()
  context.bus.push('endpoints.changed', context.registry.views())
  return context.registry.view(stored.id)
}
