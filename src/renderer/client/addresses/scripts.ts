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
