import { useMemo } from 'react'
import { create } from 'zustand'
import type { Run } from '#contract/authorization.ts'
import type { Snapshot } from '#contract/calls.ts'
import type { Integration } from '#contract/integrations.ts'
import type { TokenView } from '#contract/tokens.ts'
import { saveNumber, saveText, loadNumber, loadText } from '#kit/storage.ts'

interface AuthorizationState {
  readonly integrations: readonly Integration[]
  /** The integration selected in the bar. If it was deleted, the first one is used. */
  readonly currentId: number | null
  /** Whether the list shows the deliveries of all integrations, or only of the current one. */
  readonly listsAll: boolean
  /** Complete records from snapshots and pushes, newest first. Older ones are loaded on demand. */
  readonly runs: readonly Run[]
  readonly tokens: readonly TokenView[]
}

const key = 'tabscope.integration'
const allKey = 'tabscope.integration.all'
/** How many complete records stay in memory. A record can contain a response of 64 KiB. */
const maxRuns = 40

export const useAuthorization = create<AuthorizationState>(() => {
  const storedId = loadNumber(key, 0)
  return {
    integrations: [],
    currentId: storedId > 0 ? storedId : null,
    listsAll: loadText(allKey) !== 'no',
    runs: [],
    tokens: [],
  }
})

export function showAuthorization(snapshot: Snapshot): void {
  useAuthorization.setState({
    integrations: snapshot.integrations,
    tokens: snapshot.tokens,
    runs: snapshot.runs.toSorted((a, b) => b.id - a.id),
  })
}

export function setRun(run: Run): void {
  useAuthorization.setState(({ runs }) => ({
    runs: [...runs.filter(({ id }) => id !== run.id), run]
      .toSorted((a, b) => b.id - a.id)
      .slice(0, maxRuns),
  }))
}

/** Removes the finished runs of an integration. */
export function dropRuns(integrationId: number): void {
  useAuthorization.setState(({ runs }) => ({
    runs: runs.filter((run) => run.integrationId !== integrationId || isRunActive(run)),
  }))
}

/** Makes an integration the current one, and remembers it. */
export function selectIntegration(id: number): void {
  saveNumber(key, id)
  useAuthorization.setState({ currentId: id })
}

/** Sets whether the list shows the deliveries of all integrations or only of the current one, and remembers it. */
export function listAllIntegrations(all: boolean): void {
  saveText(allKey, all ? 'yes' : 'no')
  useAuthorization.setState({ listsAll: all })
}

/** The integration whose deliveries are listed; null for all. With a single integration it is null, so that deliveries without an endpoint are listed too. */
export function listedIntegration(state: AuthorizationState): number | null {
  const { integrations, currentId, listsAll } = state
  if (listsAll || integrations.length === 1) return null
  return (integrations.find(({ id }) => id === currentId) ?? integrations[0])?.id ?? currentId
}

/** The current integration. Undefined only before the first snapshot. */
export function useIntegration(): Integration | undefined {
  return useAuthorization(
    ({ integrations, currentId }) =>
      integrations.find(({ id }) => id === currentId) ?? integrations[0],
  )
}

/** The tokens of an integration, newest first. */
export function useTokens(integrationId: number | undefined): readonly TokenView[] {
  const tokens = useAuthorization((state) => state.tokens)
  return useMemo(
    () =>
      tokens
        .filter((token) => token.integrationId === integrationId)
        .toSorted((a, b) => b.obtainedAt - a.obtainedAt || b.id - a.id),
    [tokens, integrationId],
  )
}

/** Whether a run is in progress or waiting for the user. */
export function isRunActive({ state }: Pick<Run, 'state'>): boolean {
  return state === 'running' || state === 'waiting'
}
