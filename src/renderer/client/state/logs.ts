import { create } from 'zustand'
import type { LogExport, LogImport, LogsView } from '#contract/logs.ts'

/** Logs, exports and imports, as last reported by the engine. */
export const useLogs = create<LogsView>(() => ({ logs: [], exports: [], imports: [], choices: [] }))

export function setLogs(view: LogsView): void {
  useLogs.setState(view)
}

export function isTransferActive({ state }: Pick<LogExport | LogImport, 'state'>): boolean {
  return state === 'running'
}

export type Transfer =
  | { readonly direction: 'export'; readonly of: LogExport }
  | { readonly direction: 'import'; readonly of: LogImport }

/** Exports and imports, most recently started first. */
export function transfers({ exports, imports }: Pick<LogsView, 'exports' | 'imports'>): Transfer[] {
  return [
    ...exports.map((of) => ({ direction: 'export', of }) as const),
    ...imports.map((of) => ({ direction: 'import', of }) as const),
  ].toSorted((a, b) => b.of.startedAt - a.of.startedAt)
}

/** The transfer to show on every page: a running one, otherwise the latest; null if there is none. */
export function transferToReport(
  view: Pick<LogsView, 'exports' | 'imports'>,
): { readonly first: Transfer; readonly more: number } | null {
  const all = transfers(view)
  const first = all.find(({ of }) => isTransferActive(of)) ?? all[0]
  return first === undefined ? null : { first, more: all.length - 1 }
}
