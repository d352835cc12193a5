import { formatCount } from '#shared/text/format.ts'
import type { Page, Tab } from '#client/addresses/page.ts'
import { useShell } from '#client/state/app.ts'
import {
  isRunActive,
  useAuthorization,
  useIntegration,
  useTokens,
} from '#client/state/authorization.ts'
import { useEndpoints, useHealth } from '#client/state/live-values.ts'
import { useHold } from '#client/state/hold.ts'
import { useJobs } from '#client/state/jobs.ts'
import { isTransferActive, useLogs } from '#client/state/logs.ts'
import { useRehearsals } from '#client/state/rehearsals.ts'
import { useSandbox } from '#client/state/sandbox.ts'

/** Beside the names of tabs, by their addresses: what goes on there, and how much there is. Empty while not connected. */
export interface Notes {
  readonly going: Readonly<Record<string, string>>
  readonly counts: Readonly<Record<string, number>>
}

const none: Notes = { going: {}, counts: {} }

export function useNotes(): Notes {
  const stale = useShell((state) => state.stale)
  const deliveries = useShell((state) => state.stats.deliveries)
  const held = useHold((state) => state.held.length)
  const transfers = useLogs(({ exports, imports }) =>
    [...exports, ...imports].some(isTransferActive),
  )
  const logs = useLogs((state) => state.logs.length)
  const sending = useJobs(({ jobs }) => [...jobs.values()].some(({ state }) => state === 'running'))
  const rehearsing = useRehearsals(({ runs }) =>
    [...runs.values()].some(({ state }) => state === 'running'),
  )
  const alerts = useHealth((state) => state.alerts.length)
  const waiting = useAuthorization(({ runs }) => runs.some(isRunActive))
  const tokens = useTokens(useIntegration()?.id).length
  const endpoints = useEndpoints((state) => state.endpoints.length)
  const traffic = useSandbox((state) => state.sandbox.running)
  if (stale) return none
  return {
    going: {
      ...(held > 0 && { '#/deliveries': `${formatCount(held)} held` }),
      ...(transfers && { '#/logs': 'running' }),
      ...(sending && { '#/send/history': 'running' }),
      ...(rehearsing && { '#/handler/rehearsals': 'running' }),
      ...(alerts > 0 && { '#/health/alerts': formatCount(alerts) }),
      ...(waiting && { '#/authorization/runs': 'waiting' }),
      ...(traffic && { '#/setup/sandbox': 'running' }),
    },
    counts: {
      '#/deliveries': deliveries,
      '#/logs': logs,
      '#/authorization/tokens': tokens,
      '#/setup/endpoints': endpoints,
    },
  }
}

export function noteOfTab({ address }: Tab, { going, counts }: Notes): string | undefined {
  const count = counts[address] ?? 0
  return going[address] ?? (count > 0 ? formatCount(count) : undefined)
}

/** The note of a page in the rail: what goes on in one of its tabs, or the number of deliveries. */
export function noteOfPage({ tabs }: Page, notes: Notes): string | undefined {
  const active = tabs.find(({ address }) => notes.going[address] !== undefined)
  if (active) return notes.going[active.address]
  return tabs[0].address === '#/deliveries' ? noteOfTab(tabs[0], notes) : undefined
}
