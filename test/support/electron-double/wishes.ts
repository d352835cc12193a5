import { createInterface } from 'node:readline'

/**
 * What a test has the system or the user do: one JSON object a line on stdin. The part of the double that can do it grants it; where nobody
 * does, that is a line on stderr.
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
  // A wish that may come must not keep the app from ending.
  if ('unref' in process.stdin && typeof process.stdin.unref === 'function') process.stdin.unref()
}
