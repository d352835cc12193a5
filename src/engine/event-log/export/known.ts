import type { EndpointRegistry } from '../../endpoints/registry.ts'
import type { IntegrationRegistry } from '../../integrations/registry.ts'
import type { Tokens } from '../../tokens/tokens.ts'
import type { KnownSecret } from '../redact/redactor.ts'

/** All that Tabscope itself holds as a secret, in clear text: for the thread of an export, so that it is found wherever it stands. */
export function knownToExports({
  registry,
  integrations,
  tokens,
}: {
  readonly registry: EndpointRegistry
  readonly integrations: IntegrationRegistry
  readonly tokens: Pick<Tokens, 'clearValues'>
}): KnownSecret[] {
  const webhooks = registry.views().flatMap(({ id }) => registry.secretsOf(id))
  return [
    ...webhooks.map(({ secret }) => ({ kind: 'secret' as const, value: secret })),
    ...integrations.clearSecrets().map((value) => ({ kind: 'secret' as const, value })),
    ...tokens.clearValues().map(({ value }) => ({ kind: 'token' as const, value })),
  ]
}
