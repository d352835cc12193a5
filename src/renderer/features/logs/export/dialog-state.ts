import { create } from 'zustand'
import type { ExportAsk } from './selection.ts'

interface ExportDialogState {
  /** Null: the dialog is closed. */
  readonly ask: ExportAsk | null
}

/** The state of the export dialog, which can be opened from any page. */
export const useExportDialog = create<ExportDialogState>(() => ({ ask: null }))

/** Opens the export dialog. */
export function openExportDialog(ask: Partial<ExportAsk> & Pick<ExportAsk, 'log' | 'which'>): void {
  useExportDialog.setState({
    ask: { filter: '', selected: null, traceOf: null, rehearsal: null, ...ask },
  })
}

export function closeExportDialog(): void {
  useExportDialog.setState({ ask: null })
}
