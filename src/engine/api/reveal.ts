import { AppError } from '../errors.ts'
import type { IntegrationRegistry } from '../integrations/registry.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { livingName } from './known-secrets.ts'

/**
 * The value of a token or an access secret by its name in a record, from where it lives: no record has a copy. `at`: when the record was made,
 * in milliseconds since the epoch. Throws `not_found` when the value is another one by now, or gone.
 */
export function livingSecret(
  { tokens, integrations }: { tokens: Tokens; integrations: IntegrationRegistry },
  name: string,
  at: number,
): string {
  const [, refresh, accessSecret, digits] = livingName.exec(name) ?? []
  const id = Number(digits)
  if (digits === undefined) return gone()
  if (accessSecret !== undefined) return integrations.accessSecret(id)
  const token = tokens.views().find((view) => view.id === id)
  if (!token || token.obtainedAt > at) return gone()
  return tokens.reveal(id, refresh === undefined ? 'access' : 'refresh')
}

function gone(): never {
  throw new AppError(
    'not_found',
    'This value is not kept any more. A token is kept only where it lives: since then it was refreshed, forgotten or deleted.',
  )
}
