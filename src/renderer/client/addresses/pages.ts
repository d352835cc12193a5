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
