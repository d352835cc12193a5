/** What a URL of the page shows. */
export type RehearsePlace =
  /** The form. Null: not preset. */
  | { readonly kind: 'start'; readonly to: string | null; readonly endpointId: number | null }
  /** `caseId`: the open case; null: none. `compare`: the matrix of all runs of the target. */
  | {
      readonly kind: 'run'
      readonly id: number
      readonly caseId: string | null
      readonly compare: boolean
    }

const number = /^[1-9]\d{0,14}$/
const caseName = /^[A-Z]\d{1,3}$/

/** `#/rehearse`, `#/rehearse?to=URL&endpoint=2`, `#/rehearse/12`, `#/rehearse/12/S4`, `#/rehearse/12/compare`. Null: another page. */
export function rehearsePlaceOf(hash: string): RehearsePlace | null {
  const end = hash.indexOf('?')
  const [path, query] = end < 0 ? [hash, ''] : [hash.slice(0, end), hash.slice(end + 1)]
  const [, page, id = '', part = ''] = path.split('/')
  if (page !== 'rehearse') return null
  if (number.test(id)) {
    return {
      kind: 'run',
      id: Number(id),
      caseId: caseName.test(part) ? part : null,
      compare: part === 'compare',
    }
  }
  const preset = new URLSearchParams(query)
  const endpoint = preset.get('endpoint') ?? ''
  return {
    kind: 'start',
    to: preset.get('to'),
    endpointId: number.test(endpoint) ? Number(endpoint) : null,
  }
}

/** The form with a preset target and endpoint. */
export function rehearseAddress(to: string | null, endpointId: number | null): string {
  const preset = new URLSearchParams({
    ...(to === null ? {} : { to }),
    ...(endpointId === null ? {} : { endpoint: String(endpointId) }),
  })
  return preset.size === 0 ? '#/rehearse' : `#/rehearse?${preset.toString()}`
}

/** A run, with the open case, or with the matrix. */
export function rehearsalAddress(id: number, part: string | null = null): string {
  return part === null ? `#/rehearse/${id}` : `#/rehearse/${id}/${part}`
}
