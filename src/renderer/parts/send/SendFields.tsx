import { Field, SelectField, Checkbox } from '#kit/Field.tsx'
import { NumberField } from '#kit/use-draft.tsx'
import { shortText } from '#kit/text/visible.ts'
import { describeTarget, type TargetSuggestion } from './target-suggestions.ts'
import type { Target, SignChoice } from '#contract/sending.ts'
import { useQuery, useSettled } from '#client/use-client.ts'
import { useEndpoints } from '#client/state/live-values.ts'
import { ScriptField } from '#parts/ScriptField.tsx'
import { hasCredentials, isHttp, targetAddress } from '#shared/text/address.ts'
import type { Endpoint } from '#contract/models.ts'

/** How long to wait after the last key press, in milliseconds. */
const debounce = 250

function useTargetInfo(url: string): Target | null {
  const request = useSettled(url.trim(), debounce)
  const valid = request !== '' && urlError(request) === null
  const { state } = useQuery('targets.resolve', valid ? { url: request } : null)
  return state.phase === 'ready' && request === url.trim() ? state.value : null
}

interface AddressProps {
  url: string
  error: string | null
  suggestions: readonly TargetSuggestion[]
  /** The hint for an empty field: the default target. */
  whenEmpty: string
  /** Whether an empty field gets the focus. Default: true. */
  focused?: boolean
  onChange: (url: string) => void
}

/** The target URL: entered, or one of the suggestions. Shows what kind of target it is. */
export function AddressField(props: AddressProps) {
  const { url, error, suggestions, whenEmpty, focused = true, onChange } = props
  const target = useTargetInfo(url)
  return (
    <div className="grid gap-4">
      <Field
        label="Address"
        data-mono
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- in a dialog that was opened to enter it
        autoFocus={focused && url === ''}
        inputMode="url"
        placeholder="http://localhost:3000/webhooks"
        value={url}
        error={error}
        hint={
          url.trim() === ''
            ? whenEmpty
            : target === null
              ? 'Any http or https URL.'
              : describeTarget(target)
        }
        onChange={(event) => onChange(event.target.value)}
      />
      {suggestions.length > 0 && (
        <ul
          className="lined overflow-hidden rounded-md border border-line bg-surface [&>li>.list-row]:px-4 [&>li>.list-row]:py-2"
          aria-label="Suggestions"
        >
          {suggestions.map((suggestion) => (
            <li key={suggestion.url}>
              <button
                className="list-row baseline flex text-s"
                type="button"
                aria-pressed={suggestion.url === url.trim()}
                onClick={() => onChange(suggestion.url)}
              >
                <span className="cut mono flex-1">{shortText(suggestion.url, 200)}</span>
                <span className="flex-none text-dim">{shortText(suggestion.label, 60)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface OptionsProps {
  draft: SendDraft
  onChange: (change: Partial<SendDraft>) => void
  /** Closes the dialog. */
  onClose: () => void
}

/** How to send: the signature, the time limit, a script and TLS verification. */
export function SendOptions({ draft, onChange, onClose }: OptionsProps) {
  const endpoints = useEndpoints((state) => state.endpoints)
  const options = signOptions(endpoints)
  return (
    <>
      <div className="grid grid-cols-1-field gap-5">
        <SelectField
          label="Signature"
          value={draft.sign}
          onChange={(event) => onChange({ sign: signKeyOf(event.target.value, options) })}
        >
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {shortText(label, 80)}
            </option>
          ))}
        </SelectField>
        <NumberField
          label="Time limit"
          unit="seconds"
          factor={1000}
          min={0.001}
          max={600}
          value={draft.timeout}
          onChange={(timeout) => onChange({ timeout })}
        />
      </div>
      <ScriptField
        script={draft.script}
        onChange={(script) => onChange({ script })}
        onFollow={onClose}
      />
      {draft.url.trim().toLowerCase().startsWith('https:') && (
        <label className="flex items-center gap-4 text-s">
          <Checkbox checked={draft.insecure} onChange={(insecure) => onChange({ insecure })} />
          Skip TLS verification for this request
        </label>
      )}
    </>
  )
}

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

interface SignOption {
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
  if (hasCredentials(parsed.href)) {
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
