import { create } from 'zustand'

interface OpenLogs {
  /** In the order in which they were opened. */
  readonly ids: readonly number[]
}

/** The logs that are open beside the live list, each as it was left. */
export const useOpenLogs = create<OpenLogs>(() => ({ ids: [] }))

export function openLog(id: number): void {
  useOpenLogs.setState(({ ids }) => (ids.includes(id) ? {} : { ids: [...ids, id] }))
}

/** What was kept of it goes; the log itself stays. */
export function closeLog(id: number): void {
  useOpenLogs.setState(({ ids }) => ({ ids: ids.filter((open) => open !== id) }))
}
