/** What an address of the settings asks for. */
export interface SettingsPlace {
  /** The setting that is to be gone to; null: none. */
  readonly name: string | null
  /** What is looked for; empty: nothing. */
  readonly find: string
}

/** `#/settings/port`, `#/settings?find=tunnel`. Anything else asks for nothing. */
export function settingsPlaceOf(hash: string): SettingsPlace {
  const [path = '', query = ''] = hash.replace(/^#\//, '').split('?')
  const [page, name = ''] = path.split('/')
  if (page !== 'settings') return { name: null, find: '' }
  const find = (new URLSearchParams(query).get('find') ?? '').slice(0, 200)
  return { name: /^[a-z][a-z-]{0,60}$/.test(name) ? name : null, find }
}

/** Where a setting is. */
export function settingAddress(name: string): string {
  return `#/settings/${name}`
}
