/** What a URL of the runs shows. */
export interface RunsPlace {
  /** The open run; null: the newest one. */
  readonly runId: number | null
  /** The run that it is compared with. */
  readonly against: number | null
}

const runs = /^#\/authorization\/runs\/([1-9]\d{0,14})(?:\/against\/([1-9]\d{0,14}))?$/
const token = /^#\/authorization\/tokens\/([1-9]\d{0,14})$/

/** `#/authorization/runs/12/against/9`. Anything else opens the newest run. */
export function runsPlaceOf(hash: string): RunsPlace {
  const [, run, against] = runs.exec(hash) ?? []
  return {
    runId: run === undefined ? null : Number(run),
    against: against === undefined ? null : Number(against),
  }
}

/** The token in a URL: `#/authorization/tokens/3`; null if there is none. */
export function tokenOf(hash: string): number | null {
  const [, tokenId] = token.exec(hash) ?? []
  return tokenId === undefined ? null : Number(tokenId)
}

/** The address of the record of a run, beside the one that it is compared with. */
export function runAddress(runId: number | null, against: number | null = null): string {
  const address = '#/authorization/runs'
  if (runId === null) return address
  return `${address}/${runId}${against === null ? '' : `/against/${against}`}`
}

export function tokenAddress(tokenId: number | null): string {
  return tokenId === null ? tokensAddress : `${tokensAddress}/${tokenId}`
}

export const tokensAddress = '#/authorization/tokens'
export const setupAddress = '#/authorization/setup'
export const refreshAddress = '#/authorization/refresh'
