import type { TunnelField, TunnelSetup } from '#contract/tunnel.ts'
import { CallError, sentence } from '../../../platform/call-error.ts'

type Options = Readonly<Record<string, string>>

/** A setup as it is being written: each provider keeps what was written for it. */
export interface SetupDraft {
  readonly provider: string
  readonly options: Readonly<Record<string, Options>>
}

export function draftOf({ provider, options }: TunnelSetup): SetupDraft {
  return { provider, options: { [provider]: options } }
}

export function withOption(draft: SetupDraft, name: string, value: string): SetupDraft {
  const { provider, options } = draft
  return {
    ...draft,
    options: { ...options, [provider]: { ...options[provider], [name]: value } },
  }
}

/** What is asked for: only fields of the provider that have something in them. */
export function setupOf(
  { provider, options }: SetupDraft,
  fields: readonly TunnelField[],
): TunnelSetup {
  const written = options[provider] ?? {}
  const given = fields.flatMap(({ name }) => {
    const value = (written[name] ?? '').trim()
    return value === '' ? [] : [[name, value] as const]
  })
  return { provider, options: Object.fromEntries(given) }
}

export function sameSetup(one: TunnelSetup, other: TunnelSetup): boolean {
  const names = Object.keys(one.options)
  return (
    one.provider === other.provider &&
    names.length === Object.keys(other.options).length &&
    names.every((name) => one.options[name] === other.options[name])
  )
}

export interface SetupErrors {
  /** By the name of the field. */
  readonly fields: Readonly<Record<string, string>>
  /** What belongs to none of them. */
  readonly whole: string | null
}

/** The refusal of the engine, at the field that it is about. */
export function setupErrors(error: unknown, fields: readonly TunnelField[]): SetupErrors {
  if (error === null) return { fields: {}, whole: null }
  const words = sentence(error)
  const named = error instanceof CallError ? fieldsOf(error) : []
  const field = fields.find(({ name }) =>
    // Of the engine itself "url", of the contract's own check "wish.options.url".
    named.some((place) => place === name || place.endsWith(`.options.${name}`)),
  )
  return field ? { fields: { [field.name]: words }, whole: null } : { fields: {}, whole: words }
}

function fieldsOf({ details }: CallError): readonly string[] {
  const fields = details?.['fields']
  return Array.isArray(fields) ? fields.filter((place) => typeof place === 'string') : []
}
