import { withScheme } from '#contract/http.ts'
import type { Endpoint } from '#contract/models.ts'
import type { SignChoice } from '#contract/sending.ts'
import { isHttp } from '#shared/text/address.ts'

/** What can be chosen of the signature, as the value of a select. */
export type SignKey = 'auto' | 'keep' | 'none' | `${number | 'own'} ${'current' | 'previous'}`

/** How something is to be sent, as it is being written. */
export interface SendDraft {
  /** Empty: where it would go by itself. */
  readonly url: string
  readonly sign: SignKey
  /** The time limit, in seconds. */
  readonly seconds: string
  /** Any certificate is taken, this time. */
  readonly insecure: boolean
}

export const plainDraft: SendDraft = { url: '', sign: 'auto', seconds: '30', insecure: false }

export interface SignOption {
  readonly value: SignKey
  readonly label: string
}

/** The signatures to choose from: those that need no secret, and one for each secret that can be used. */
export function signOptions(endpoints: readonly Endpoint[]): SignOption[] {
  const secrets = endpoints.flatMap(({ id, name, secret, previousSecret }): SignOption[] => [
    ...(usable(secret)
      ? [{ value: `${id} current`, label: `With the current secret of ${name}` } as const]
      : []),
    ...(usable(previousSecret)
      ? [{ value: `${id} previous`, label: `With the previous secret of ${name}` } as const]
      : []),
  ])
  return [
    { value: 'auto', label: 'As captured, or computed again when edited' },
    { value: 'keep', label: 'As captured' },
    { value: 'none', label: 'Without a signature' },
    { value: 'own current', label: 'With the current secret of its endpoint' },
    ...secrets,
  ]
}

function usable({ set, unavailable }: Endpoint['secret']): boolean {
  return set && !unavailable
}

/** The choice as the engine takes it. */
export function signChoiceOf(key: SignKey): SignChoice {
  if (key === 'auto' || key === 'keep' || key === 'none') return { how: key }
  const [id = '', which] = key.split(' ')
  return {
    how: 'secret',
    endpointId: id === 'own' ? null : Number(id),
    which: which === 'previous' ? 'previous' : 'current',
  }
}

/** The value of a select as a choice; what is none of them is `auto`. */
export function signKeyOf(value: string, options: readonly SignOption[]): SignKey {
  return options.find((option) => option.value === value)?.value ?? 'auto'
}

/** Why the address cannot be sent to, as far as that can be told without looking; null: it can, or it is empty. */
export function urlFault(url: string): string | null {
  const written = withScheme(url)
  if (written === '') return null
  const parsed = URL.parse(written)
  if (!parsed) return 'Enter a whole address, such as http://localhost:3000/webhooks.'
  if (!isHttp(parsed)) {
    return 'Only http and https addresses can be sent to.'
  }
  if (parsed.username !== '' || parsed.password !== '') {
    return 'Take the user name and password out of the address.'
  }
  return null
}

/** Why the time limit cannot be taken; null: it can. */
export function secondsFault(seconds: string): string | null {
  const value = Number(seconds.trim().replace(',', '.'))
  if (seconds.trim() !== '' && value >= 0.001 && value <= 600) return null
  return 'Enter seconds, up to 600.'
}

/** What a call takes. Only of a draft without a fault. */
export function sendRequest({ url, sign, seconds, insecure }: SendDraft) {
  return {
    url: url.trim() === '' ? null : withScheme(url),
    sign: signChoiceOf(sign),
    timeout: Math.round(Number(seconds.trim().replace(',', '.')) * 1000),
    insecure: insecure && url.trim().toLowerCase().startsWith('https:'),
  }
}
