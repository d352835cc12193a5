/** The log ID in a URL: `#/logs/3`, with or without further parts; null if there is none or it is another page. */
export function logOf(hash: string): number | null {
  const [, page, id = ''] = hash.split(/[/?]/)
  return page === 'logs' && /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null
}

/** The URL of an imported log, or of the list of logs for null. */
export function logAddress(id: number | null): string {
  return id === null ? '#/logs' : `#/logs/${id}`
}

/** The URL of the integrations, tokens and runs in a log. */
export function authorizationAddress(id: number): string {
  return `${logAddress(id)}/authorization`
}

export function isAuthorization(hash: string): boolean {
  const log = logOf(hash)
  return log !== null && hash.split('?')[0] === authorizationAddress(log)
}
