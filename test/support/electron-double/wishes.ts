import { createInterface } from 'node:readline'

/**
 * Simulated actions of the system or the user: one JSON object per line on stdin. The responsible part of the double performs the action. An action
 * that nothing handles is reported on stderr.
 */
export interface Wish {
  readonly kind: string
  readonly [key: string]: string | number | boolean | null
}

const granting = new Map<string, (wish: Wish) => void>()

export function onWish(kind: string, grant: (wish: Wish) => void): void {
  granting.set(kind, grant)
}

if (!process.stdin.isTTY) {
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    const wish: Wish = JSON.parse(line)
    const grant = granting.get(wish.kind)
    if (grant === undefined) process.stderr.write(`[double] nobody grants ${line}\n`)
    else grant(wish)
  })
  // Waiting for actions must not keep the app running.
  if ('unref' in process.stdin && typeof process.stdin.unref === 'function') process.stdin.unref()
}
