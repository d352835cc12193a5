/** The target of a settings URL. */
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

/** The URL of a setting. */
export function settingAddress(name: string): string {
  return `#/settings/${name}`
}
