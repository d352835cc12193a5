import type { Header } from '#contract/models.ts'
import type { SignChoice } from '#contract/sending.ts'
import type { AppError } from '../../errors.ts'
import type { Captured } from '../../store/captured.ts'
import type { SenderWorld } from '../world.ts'
import { hasHeader, insertBehind, withHeaders, withoutHeader, withValue } from './header-list.ts'
import { namesOf } from './names.ts'
import { refused } from './resend-headers.ts'
import { signAs, signCurrent, type Made } from './signing.ts'

interface Signed {
  readonly headers: readonly Header[]
  readonly signing: 'kept' | 'signed' | 'broken' | 'none'
  readonly secretName: string | null
  readonly note: string | null
}

/** The headers with the signature that is asked for. Throws `bad_input`, `secret_unavailable`. */
export function applySign(
  headers: readonly Header[],
  of: {
    readonly captured: Captured
    readonly sign: SignChoice
    readonly given: readonly Header[]
    readonly body: Uint8Array
    readonly bodyEdited: boolean
    readonly world: SenderWorld
  },
): Signed {
  const { captured, sign, given, body, bodyEdited, world } = of
  const { lower, usual, prefix } = namesOf(captured.brand)
  const kept = (): Signed => ({
    headers,
    signing: hasHeader(headers, lower.signature) ? 'kept' : 'none',
    secretName: null,
    note: null,
  })
  const left = (note: string | null): Signed => ({
    headers: withoutHeader(headers, lower.signature),
    signing: 'none',
    secretName: null,
    note,
  })
  const put = ({ value, signing, secretName }: Made): Signed => ({
    headers: hasHeader(headers, lower.signature)
      ? withValue(firstOnly(headers, lower.signature), lower.signature, value)
      : insertBehind(headers, prefix, [usual.signature, value]),
    signing,
    secretName,
    note: null,
  })
  const byHand = hasHeader(given, lower.signature)
  switch (sign.how) {
    case 'auto': {
      if (byHand || !bodyEdited) return kept()
      const endpoint = world.endpoint(captured.endpointId)
      const made = signCurrent(body, endpoint)
      if (made) return put(made)
      return left(
        endpoint
          ? `The endpoint "${endpoint.name}" has no secret, so the edited body goes out without a signature.`
          : 'The delivery belongs to no endpoint, so the edited body goes out without a signature.',
      )
    }
    case 'keep':
      return kept()
    case 'none':
      if (byHand) throw contradicting(usual.signature)
      return left(null)
    case 'secret':
    case 'broken':
      if (byHand) throw contradicting(usual.signature)
      return put(signAs(body, sign, captured.endpointId, world))
  }
}

function firstOnly(headers: readonly Header[], lowerName: string): Header[] {
  const first = headers.find(([name]) => name.toLowerCase() === lowerName)
  return first ? withHeaders(headers, [first]) : [...headers]
}

function contradicting(name: string): AppError {
  return refused(
    `The header ${name} is given by hand and by what is to sign. Leave one of them out.`,
  )
}
