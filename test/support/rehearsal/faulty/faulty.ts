import type { FaultyHandler } from './define.ts'
import { effectFaults, eventFaults } from './events.ts'
import { rawBodyFaults, signatureFaults } from './signature.ts'
import { transportFaults } from './transport.ts'

export const faultyHandlers: readonly FaultyHandler[] = [
  ...signatureFaults,
  ...rawBodyFaults,
  ...eventFaults,
  ...effectFaults,
  ...transportFaults,
]
