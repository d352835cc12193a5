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
