import { create } from 'zustand'
import type { ExportAsk } from './what.ts'

interface AskingState {
  /** Null: nobody asks. */
  readonly ask: ExportAsk | null
}

/** The export that is being asked about, from whichever page. */
export const useAsking = create<AskingState>(() => ({ ask: null }))

/** Asks what is to be exported, and how. */
export function askExport(ask: Partial<ExportAsk> & Pick<ExportAsk, 'log' | 'which'>): void {
  useAsking.setState({ ask: { filter: '', chosen: null, traceOf: null, ...ask } })
}

export function closeExport(): void {
  useAsking.setState({ ask: null })
}
