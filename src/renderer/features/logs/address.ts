/** The imported log that an address names: `#/logs/3`, with or without more behind it; null: none, or another page. */
export function logOf(hash: string): number | null {
  const [, page, id = ''] = hash.split(/[/?]/)
  return page === 'logs' && /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null
}

/** The address of an imported log; without one of all of them. */
export function logAddress(id: number | null): string {
  return id === null ? '#/logs' : `#/logs/${id}`
}
