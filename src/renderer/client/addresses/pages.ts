import { type GenerateOutput, generateOutputs } from '#contract/constants.ts'

/** The job ID in a URL: `#/send/history/12`; null if there is none or it is another page. */
export function jobOf(hash: string): number | null {
  const [, id] = /^#\/send\/history\/([1-9]\d{0,14})$/.exec(hash) ?? []
  return id === undefined ? null : Number(id)
}

/** The URL of a job, or of the list of jobs for null. */
export function jobAddress(id: number | null): string {
  return id === null ? '#/send/history' : `#/send/history/${id}`
}

export interface SettingsPlace {
  /** The setting to open; null if there is none. */
  readonly name: string | null
  /** The search query; empty for no search. */
  readonly find: string
}

/** `#/settings/port`, `#/settings?find=tunnel`. Anything else has no target. */
export function settingsPlaceOf(hash: string): SettingsPlace {
  const [path = '', query = ''] = hash.replace(/^#\//, '').split('?')
  const [page, name = ''] = path.split('/')
  if (page !== 'settings') return { name: null, find: '' }
  const find = (new URLSearchParams(query).get('find') ?? '').slice(0, 200)
  return { name: /^[a-z][a-z-]{0,60}$/.test(name) ? name : null, find }
}

export function settingAddress(name: string): string {
  return `#/settings/${name}`
}

/** The relays, below the tunnel. */
export const relayAddress = '#/setup/reach/relay'

/** The scenario in a URL: `#/send/scenarios/friday`; null if there is none. */
export function scenarioOf(hash: string): string | null {
  const [, , , name = ''] = hash.split('/')
  try {
    return decodeURIComponent(name) || null
  } catch {
    return name
  }
}

export function scenarioAddress(name: string | null): string {
  return name === null ? '#/send/scenarios' : `#/send/scenarios/${encodeURIComponent(name)}`
}

/** `#/setup/scripts`, `#/setup/scripts/table`, `#/setup/scripts?new`. `name` null: none is named. */
export function scriptPlaceOf(hash: string): {
  readonly name: string | null
  readonly isNew: boolean
} {
  const [path = '', query] = hash.split('?')
  const [, , , name = ''] = path.split('/')
  try {
    return { name: decodeURIComponent(name) || null, isNew: query === 'new' }
  } catch {
    return { name, isNew: false }
  }
}

export function scriptAddress(name: string): string {
  return `#/setup/scripts/${encodeURIComponent(name)}`
}

export const newScriptAddress = '#/setup/scripts?new'

/** The log ID in a URL: `#/logs/3`, with or without further parts; null if there is none or it is another page. */
export function logOf(hash: string): number | null {
  const [, page, id = ''] = hash.split(/[/?]/)
  return page === 'logs' && /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null
}

/** The URL of an imported log, or of the list of logs for null. */
export function logAddress(id: number | null): string {
  return id === null ? '#/logs' : `#/logs/${id}`
}

/** Views of a log beside its deliveries and rehearsals, by the last part of their URL: `#/logs/3/differences`. */
export const logViews = ['authorization', 'differences'] as const
export type LogViewName = (typeof logViews)[number]

export function logViewAddress(id: number, view: LogViewName): string {
  return `${logAddress(id)}/${view}`
}

export function logViewOf(hash: string): LogViewName | null {
  const log = logOf(hash)
  const [path] = hash.split('?')
  return (log !== null && logViews.find((view) => path === logViewAddress(log, view))) || null
}

/** What a URL of the page generates. */
export interface GeneratePlace {
  readonly output: GenerateOutput
  /** ID of a language or framework; empty: the first one. */
  readonly target: string
  /** Filter of deliveries; null: the documentation alone. */
  readonly observed: string | null
}

/** `#/handler/generate?output=handler&target=express&observed=verdict%3Avalid` */
export function generatePlaceOf(hash: string): GeneratePlace {
  const given = new URLSearchParams(hash.split('?')[1] ?? '')
  return {
    output: generateOutputs.find((name) => name === given.get('output')) ?? 'types',
    target: given.get('target')?.slice(0, 40) ?? '',
    observed: given.get('observed')?.slice(0, 4000) ?? null,
  }
}

export function generateAddress({ output, target, observed }: GeneratePlace): string {
  const query = new URLSearchParams({
    output,
    ...(target !== '' && { target }),
    ...(observed !== null && { observed }),
  })
  return `#/handler/generate?${query}`
}
