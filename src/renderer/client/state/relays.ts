import { create } from 'zustand'
import type { RelayView } from '#contract/relay.ts'

/** The relays that this desktop follows, as last reported by the engine. */
export const useRelays = create<{ readonly relays: readonly RelayView[] }>(() => ({ relays: [] }))
