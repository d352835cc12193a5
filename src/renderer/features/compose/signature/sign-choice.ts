import type { SignChoice, signFaults } from '#contract/sending.ts'
import type { Endpoint } from '#contract/models.ts'

/** A secret that can be signed with, by what it is called. */
export interface SecretOption {
  readonly endpointId: number
  readonly which: 'current' | 'previous'
  readonly name: string
}

/** Every secret that is set, those of the endpoint first. */
export function secretOptions(
  endpoints: readonly Endpoint[],
  endpointId: number | null,
): SecretOption[] {
  const own = endpoints.filter(({ id }) => id === endpointId)
  return [...own, ...endpoints.filter((endpoint) => !own.includes(endpoint))].flatMap((endpoint) =>
    (['current', 'previous'] as const).flatMap((which) => {
      const { set } = which === 'current' ? endpoint.secret : endpoint.previousSecret
      return set ? [{ endpointId: endpoint.id, which, name: `${which} of ${endpoint.name}` }] : []
    }),
  )
}

export const faultLabels = {
  digit: 'one digit is another',
  base64: 'base64 in place of hex',
  prefix: '“sha256=” before it',
  other_secret: 'made with another secret',
} as const satisfies Record<(typeof signFaults)[number], string>

/** Another way of signing; what was chosen of the secret stays. Null: there is no secret to sign with. */
export function withHow(
  before: SignChoice,
  how: SignChoice['how'],
  secrets: readonly SecretOption[],
): SignChoice | null {
  switch (how) {
    case 'auto':
    case 'keep':
    case 'none':
      return { how }
    case 'secret':
    case 'broken': {
      const chosen = chosenSecret(before, secrets) ?? secrets[0]
      if (!chosen) return null
      const { endpointId, which } = chosen
      if (how === 'secret') return { how, endpointId, which }
      return {
        how,
        endpointId,
        which,
        fault: before.how === 'broken' ? before.fault : 'digit',
      }
    }
  }
}

/** The secret of a choice, where it has one that is still there. */
export function chosenSecret(
  sign: SignChoice,
  secrets: readonly SecretOption[],
): SecretOption | undefined {
  if (sign.how !== 'secret' && sign.how !== 'broken') return undefined
  return secrets.find(
    ({ endpointId, which }) => endpointId === sign.endpointId && which === sign.which,
  )
}
