import { create } from 'zustand'
import { timelineKinds } from '#contract/deliveries.ts'
import { keepText, keptText } from '#renderer/platform/storage.ts'

export type ChartKind = (typeof timelineKinds)[number]

interface ChartsState {
  /** The whole panel is shown, and not its strip alone. */
  readonly open: boolean
  readonly by: ChartKind
  readonly asTable: boolean
}

const openKey = 'tabscope.charts.open'
const byKey = 'tabscope.charts.by'

export const useCharts = create<ChartsState>(() => ({
  open: keptText(openKey) === 'yes',
  by: timelineKinds.find((kind) => kind === keptText(byKey)) ?? 'verdict',
  asTable: false,
}))

export function toggleCharts(): void {
  useCharts.setState(({ open }) => ({ open: !open }))
  keepText(openKey, useCharts.getState().open ? 'yes' : 'no')
}

export function chartBy(by: ChartKind): void {
  useCharts.setState({ by })
  keepText(byKey, by)
}
