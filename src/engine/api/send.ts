import type { ParsedInput } from '#contract/calls.ts'
import { AppError } from '../errors.ts'
import type { UsableToken } from '../tokens/tokens.ts'
import { knownSecrets, type KnownSecret } from './known-secrets.ts'
import { outgoingOf, strayingSecrets, type Outgoing } from './outgoing.ts'
import { originOf } from './target.ts'
import { RequestRunner, type Outcome, type SendParts } from './request-runner.ts'

/** All that came of one send, in clear text. */
export interface Sent extends Outcome {
  /** The secrets that were held before or after: a refresh on the way changes them. */
  readonly known: readonly KnownSecret[]
}

type Wish = ParsedInput<'api.send'>

/**
 * Sends, follows redirects, and once tries again with a fresh token where a 401 says that it expired. Nothing else is ever sent twice.
 * Throws `bad_input`, `not_found`, `token_unusable` or `other_origin` before anything is sent.
 */
export async function send(parts: SendParts, wish: Wish, signal: AbortSignal): Promise<Sent> {
  const known = knownSecrets(parts)
  const { baseUrl } = parts.integrations.view(wish.integrationId)
  const token = tokenOf(parts, wish)
  const first = outgoingOf(wish, baseUrl, token, known)
  if (!wish.allowOtherOrigin) assertOwnOrigin(first, baseUrl, known)
  const way = new RequestRunner(parts, wish, originOf(baseUrl), known, signal)
  await way.go(first)
  return { ...way.outcome(), known: [...knownSecrets(parts), ...stale(way, known)] }
}

/** Those of before that are others now, and those that went along. */
function stale({ used }: RequestRunner, known: readonly KnownSecret[]): KnownSecret[] {
  const sent = [...used].map(({ id, value }) => ({
    name: `token_${id}`,
    label: 'Access token, as it was sent',
    value,
    origin: null,
  }))
  return [...known, ...sent]
}

function tokenOf({ tokens }: SendParts, { tokenId, integrationId }: Wish): UsableToken | null {
  if (tokenId === null) return null
  const token = tokens.use(tokenId)
  if (token.integrationId === integrationId) return token
  throw new AppError(
    'bad_input',
    'The token belongs to another integration. Choose one of this integration, or none.',
    { details: { fields: ['tokenId'] } },
  )
}

function assertOwnOrigin(outgoing: Outgoing, baseUrl: string, known: readonly KnownSecret[]): void {
  const { origin } = outgoing.url
  const own = originOf(baseUrl)
  const [straying] = strayingSecrets(outgoing, known)
  if (!straying && (!outgoing.bearer || origin === own)) return
  throw new AppError(
    'other_origin',
    straying
      ? `The request would take a secret to ${origin}, which is not its integration's: ${straying.label}. Take it out, or allow it for this request.`
      : `The token would go to ${origin}, which is not the integration's. Send without a token, or allow it for this request.`,
    { details: { origin, integrationOrigin: own ?? '' } },
  )
}
