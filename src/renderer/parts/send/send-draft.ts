import { targetAddress, isHttp } from '#shared/text/address.ts'
import type { Endpoint } from '#contract/models.ts'
import type { SignChoice } from '#contract/sending.ts'

/** A signature option, as the value of a select. */
export type SignKey = 'auto' | 'keep' | 'none' | `${number | 'own'} ${'current' | 'previous'}`

export interface SendDraft {
  /** Empty for the default target. */
  readonly url: string
  readonly sign: SignKey
  /** In milliseconds. */
  readonly timeout: number
  /** Skips TLS verification for this request. */
  readonly insecure: boolean
  /** Changes the request; null: none. */
  readonly script: string | null
}

export const defaultDraft: SendDraft = {
  url: '',
  sign: 'auto',
  timeout: 30_000,
  insecure: false,
  script: null,
}

export interface SignOption {
  readonly value: SignKey
  readonly label: string
}

/** The signature options: those that need no secret, and one for each usable secret. */
export function signOptions(endpoints: readonly Endpoint[]): SignOption[] {
  const secrets = endpoints.flatMap(({ id, name, secret, previousSecret }): SignOption[] => [
    ...(usable(secret)
      ? [{ value: `${id} current`, label: `Current secret of ${name}` } as const]
      : []),
    ...(usable(previousSecret)
      ? [{ value: `${id} previous`, label: `Previous secret of ${name}` } as const]
      : []),
  ])
  return [
    { value: 'auto', label: 'As captured, or recomputed if edited' },
    { value: 'keep', label: 'As captured' },
    { value: 'none', label: 'No signature' },
    { value: 'own current', label: 'Current secret of its endpoint' },
    ...secrets,
  ]
}

function usable({ set, unavailable }: Endpoint['secret']): boolean {
  return set && !unavailable
}

/** The option for the engine. */
export function signChoiceOf(key: SignKey): SignChoice {
  if (key === 'auto' || key === 'keep' || key === 'none') return { how: key }
  const [id = '', which] = key.split(' ')
  return {
    how: 'secret',
    endpointId: id === 'own' ? null : Number(id),
    which: which === 'previous' ? 'previous' : 'current',
  }
}

/** The value of a select as a signature option. An unknown value is `auto`. */
export function signKeyOf(value: string, options: readonly SignOption[]): SignKey {
  return options.find((option) => option.value === value)?.value ?? 'auto'
}

/** The error in a URL that can be detected without a lookup; null if there is none or the URL is empty. */
export function urlError(url: string): string | null {
  const fullUrl = targetAddress(url)
  if (fullUrl === '') return null
  const parsed = URL.parse(fullUrl)
  if (!parsed) return 'Enter a complete URL, such as http://localhost:3000/webhooks.'
  if (!isHttp(parsed)) {
    return 'Enter an http or https URL.'
  }
  if (parsed.username !== '' || parsed.password !== '') {
    return 'Remove the user name and password from the URL.'
  }
  return null
}

/** The input of a call. The draft must have no errors. */
export function sendRequest({ url, sign, timeout, insecure, script }: SendDraft) {
  return {
    url: url.trim() === '' ? null : targetAddress(url),
    sign: signChoiceOf(sign),
    timeout,
    insecure: insecure && url.trim().toLowerCase().startsWith('https:'),
    script,
  }
}
