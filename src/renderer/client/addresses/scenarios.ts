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
