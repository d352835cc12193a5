const runs = /^#\/authorization\/runs\/([1-9]\d{0,14})$/
const token = /^#\/authorization\/tokens\/([1-9]\d{0,14})$/

/** The run in a URL: `#/authorization/runs/12`; null if there is none, for the newest one. */
export function runOf(hash: string): number | null {
  const [, runId] = runs.exec(hash) ?? []
  return runId === undefined ? null : Number(runId)
}

/** The token in a URL: `#/authorization/tokens/3`; null if there is none. */
export function tokenOf(hash: string): number | null {
  const [, tokenId] = token.exec(hash) ?? []
  return tokenId === undefined ? null : Number(tokenId)
}

export function runAddress(runId: number | null): string {
  return runId === null ? runsAddress : `${runsAddress}/${runId}`
}

export function tokenAddress(tokenId: number | null): string {
  return tokenId === null ? tokensAddress : `${tokensAddress}/${tokenId}`
}

const runsAddress = '#/authorization/runs'
export const tokensAddress = '#/authorization/tokens'
export const setupAddress = '#/authorization/setup'
export const refreshAddress = '#/authorization/refresh'
