/** `#/jobs/scenarios`, `#/jobs/scenarios/friday`. `name` null: none is open. Null: another page. */
export function scenarioPlaceOf(hash: string): { readonly name: string | null } | null {
  const [, page, tab, name = ''] = hash.split('/')
  if (page !== 'jobs' || tab !== 'scenarios') return null
  try {
    return { name: decodeURIComponent(name) || null }
  } catch {
    return { name }
  }
}

export function scenarioAddress(name: string | null): string {
  return name === null ? '#/jobs/scenarios' : `#/jobs/scenarios/${encodeURIComponent(name)}`
}
