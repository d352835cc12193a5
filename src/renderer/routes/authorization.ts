/** The view of the authorization page, from its URL. */
export type View =
  | { readonly name: 'runs'; readonly runId: number | null; readonly against: number | null }
  | { readonly name: 'tokens'; readonly tokenId: number | null }
  | { readonly name: 'refresh' }
  | { readonly name: 'setup' }

function idOf(part: string | undefined): number | null {
  return part !== undefined && /^[1-9]\d{0,14}$/.test(part) ? Number(part) : null
}

/** `#/authorization/runs/12/against/9`, `#/authorization/tokens/3`, `#/authorization/setup`. Anything else opens the runs. */
export function viewOf(hash: string): View {
  const [, page, name, first, word, second] = hash.split('/')
  if (page !== 'authorization') return { name: 'runs', runId: null, against: null }
  switch (name) {
    case 'tokens':
      return { name, tokenId: idOf(first) }
    case 'refresh':
    case 'setup':
      return { name }
    default:
      return {
        name: 'runs',
        runId: name === 'runs' ? idOf(first) : null,
        against: word === 'against' ? idOf(second) : null,
      }
  }
}

export function addressOf(view: View): string {
  switch (view.name) {
    case 'runs':
      return (
        '#/authorization' +
        (view.runId === null ? '' : `/runs/${view.runId}`) +
        (view.against === null ? '' : `/against/${view.against}`)
      )
    case 'tokens':
      return `#/authorization/tokens${view.tokenId === null ? '' : `/${view.tokenId}`}`
    case 'refresh':
    case 'setup':
      return `#/authorization/${view.name}`
  }
}

/** The address of the record of a run. */
export function runAddress(runId: number | null): string {
  return addressOf({ name: 'runs', runId, against: null })
}

export const tokensAddress = addressOf({ name: 'tokens', tokenId: null })
export const setupAddress = addressOf({ name: 'setup' })
export const refreshAddress = addressOf({ name: 'refresh' })
