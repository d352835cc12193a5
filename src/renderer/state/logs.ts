import { create } from 'zustand'
import type { LogExport, LogImport, LogsView } from '#contract/logs.ts'

/** Logs, exports and imports, as the engine tells of them last. */
export const useLogs = create<LogsView>(() => ({ logs: [], exports: [], imports: [], rules: [] }))

/** Takes a snapshot's, a push, or an answer. */
export function takeLogs(view: LogsView): void {
  useLogs.setState(view)
}

/** Whether it still goes on. */
export function isTransferActive({ state }: Pick<LogExport | LogImport, 'state'>): boolean {
  return state === 'running'
}

export type Transfer =
  | { readonly way: 'export'; readonly of: LogExport }
  | { readonly way: 'import'; readonly of: LogImport }

/** What goes out and comes in, begun last first. */
export function transfers({ exports, imports }: Pick<LogsView, 'exports' | 'imports'>): Transfer[] {
  return [
    ...exports.map((of) => ({ way: 'export', of }) as const),
    ...imports.map((of) => ({ way: 'import', of }) as const),
  ].toSorted((one, other) => other.of.startedAt - one.of.startedAt)
}

/** The one to tell of on every page: what goes on, else what ended last; null: there is none. */
export function transferToReport(
  view: Pick<LogsView, 'exports' | 'imports'>,
): { readonly first: Transfer; readonly more: number } | null {
  const all = transfers(view)
  const first = all.find(({ of }) => isTransferActive(of)) ?? all[0]
  return first === undefined ? null : { first, more: all.length - 1 }
}
