/** The job that an address names: `#/jobs/12`; null: none, or another page. */
export function jobOf(hash: string): number | null {
  const [, page, id = ''] = hash.split('/')
  return page === 'jobs' && /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null
}

/** The address of a job; without one of all of them. */
export function jobAddress(id: number | null): string {
  return id === null ? '#/jobs' : `#/jobs/${id}`
}
