/** The imported log that an address names: `#/logs/3`, with or without more behind it; null: none, or another page. */
export function logOf(hash: string): number | null {
  const [, page, id = ''] = hash.split(/[/?]/)
  return page === 'logs' && /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null
}

/** The address of an imported log; without one of all of them. */
export function logAddress(id: number | null): string {
  return id === null ? '#/logs' : `#/logs/${id}`
}

/** Where the integrations, tokens and runs are that a log tells of. */
export function authorizationAddress(id: number): string {
  return `${logAddress(id)}/authorization`
}

export function isAuthorization(hash: string): boolean {
  const log = logOf(hash)
  return log !== null && hash.split('?')[0] === authorizationAddress(log)
}
