import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { gone } from './gone.ts'
import { readerOf } from './reader-of.ts'
import type {
  Keyring,
  KnownEndpoint,
  NamedSecret,
  SecretState,
} from '../signature/diagnose/subject.ts'

/** Tries every cause on the bytes as kept, in the reader thread. The candidate lives in this call alone. */
export async function diagnose(
  context: Context,
  { id, log, candidate }: ParsedInput<'deliveries.diagnose'>,
): Promise<CallOutput<'deliveries.diagnose'>> {
  const reader = await readerOf(context, log)
  const delivery = (await reader.call('get', id)) ?? gone(id)
  const keyring = keyringOf(context, log === null ? delivery.endpointId : null)
  return (await reader.call('diagnose', { id, keyring, candidate })) ?? gone(id)
}

/** Whatever may have signed a delivery to this endpoint: all the secrets that there are, with what they are called. */
function keyringOf({ registry, integrations }: Context, endpointId: number | null): Keyring {
  const views = registry.views()
  const own = views.find(({ id }) => id === endpointId)
  const others = views.filter(({ id }) => id !== endpointId)
  const secrets = new Map(
    registry.secretsOf(own?.id ?? null).map(({ name, secret }) => [name, secret]),
  )
  const endpoint: KnownEndpoint | 'deleted' | null = own
    ? {
        name: own.name,
        applicationId: own.applicationId,
        current: stateOf(own.secret),
        previous: stateOf(own.previousSecret),
      }
    : endpointId === null
      ? null
      : 'deleted'
  return {
    endpoint,
    current: secrets.get('current') ?? null,
    previous: secrets.get('previous') ?? null,
    others: others.flatMap(({ id, name }) =>
      registry.secretsOf(id).map((each) => ({
        words: `the ${each.name} secret of the endpoint “${name}”`,
        secret: each.secret,
      })),
    ),
    access: integrations.views().flatMap(({ id, name, accessSecret }) =>
      accessSecret.set && !accessSecret.unavailable
        ? [
            {
              words: `the API access secret of the integration “${name}”`,
              secret: integrations.accessSecret(id),
            },
          ]
        : [],
    ),
    identifiers: [
      ...integrations
        .views()
        .map(({ name, accessId }) => identifier(`the access id of “${name}”`, accessId)),
      ...views.map(({ name, applicationId }) =>
        identifier(`the application id of the endpoint “${name}”`, applicationId),
      ),
    ].flat(),
    applications: others.flatMap(({ name, applicationId }) =>
      applicationId === '' ? [] : [{ endpoint: name, id: applicationId }],
    ),
  }
}

function identifier(words: string, value: string): NamedSecret[] {
  return value === '' ? [] : [{ words, secret: value }]
}

function stateOf(view: { readonly set: boolean; readonly unavailable: boolean }): SecretState {
  if (!view.set) return 'none'
  return view.unavailable ? 'unavailable' : 'set'
}
