import { createInterface } from 'node:readline'

/** Simulated actions of the system or the user: one JSON object per line on stdin. */
export interface SimulatedAction {
  readonly kind: string
  readonly [key: string]: string | number | boolean | null
}

const handlers = new Map<string, (action: SimulatedAction) => void>()

export function onAction(kind: string, handle: (action: SimulatedAction) => void): void {
  handlers.set(kind, handle)
}

if (!process.stdin.isTTY) {
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    const action: SimulatedAction = JSON.parse(line)
    const handle = handlers.get(action.kind)
    if (handle === undefined) process.stderr.write(`[double] nobody grants ${line}\n`)
    else handle(action)
  })
  // Waiting for actions must not keep the app running.
  if ('unref' in process.stdin && typeof process.stdin.unref === 'function') process.stdin.unref()
}
