/** The job ID in a URL: `#/jobs/12`; null if there is none or it is another page. */
export function jobOf(hash: string): number | null {
  const [, page, id = ''] = hash.split('/')
  return page === 'jobs' && /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null
}

/** The URL of a job, or of the list of jobs for null. */
export function jobAddress(id: number | null): string {
  return id === null ? '#/jobs' : `#/jobs/${id}`
}
