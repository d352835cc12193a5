import { useMemo } from 'react'
import { create } from 'zustand'
import type { Run } from '#contract/authorization.ts'
import type { Snapshot } from '#contract/calls.ts'
import type { Integration } from '#contract/integrations.ts'
import type { TokenView } from '#contract/tokens.ts'
import { keepNumber, keepText, keptNumber, keptText } from '../platform/storage.ts'

interface AuthorizationState {
  readonly integrations: readonly Integration[]
  /** The one that the bar names; one that is gone gives way to the first. */
  readonly currentId: number | null
  /** The list of deliveries shows those of all integrations, and not of the current one alone. */
  readonly listsAll: boolean
  /** Whole records that came by themselves, newest first; older ones are asked for. */
  readonly runs: readonly Run[]
  readonly tokens: readonly TokenView[]
}

const key = 'tabscope.integration'
const allKey = 'tabscope.integration.all'
/** Whole records kept in memory. A record can hold 64 KiB of answer. */
const runsKept = 40

export const useAuthorization = create<AuthorizationState>(() => {
  const kept = keptNumber(key, 0)
  return {
    integrations: [],
    currentId: kept > 0 ? kept : null,
    listsAll: keptText(allKey) !== 'no',
    runs: [],
    tokens: [],
  }
})

/** Takes what a snapshot says about integrations, runs and tokens. */
export function showAuthorization(snapshot: Snapshot): void {
  useAuthorization.setState({
    integrations: snapshot.integrations,
    tokens: snapshot.tokens,
    runs: snapshot.runs.toSorted((a, b) => b.id - a.id),
  })
}

export function takeIntegrations(integrations: readonly Integration[]): void {
  useAuthorization.setState({ integrations })
}

export function takeTokens(tokens: readonly TokenView[]): void {
  useAuthorization.setState({ tokens })
}

/** A record that began or went on. */
export function takeRun(run: Run): void {
  useAuthorization.setState(({ runs }) => ({
    runs: [...runs.filter(({ id }) => id !== run.id), run]
      .toSorted((a, b) => b.id - a.id)
      .slice(0, runsKept),
  }))
}

/** The records of an integration that are over are forgotten. */
export function dropRuns(integrationId: number): void {
  useAuthorization.setState(({ runs }) => ({
    runs: runs.filter((run) => run.integrationId !== integrationId || isRunActive(run)),
  }))
}

/** Makes an integration the current one, and keeps that. */
export function chooseIntegration(id: number): void {
  keepNumber(key, id)
  useAuthorization.setState({ currentId: id })
}

/** Whether the list of deliveries shows those of all integrations, or of the current one alone. Kept. */
export function listAllIntegrations(all: boolean): void {
  keepText(allKey, all ? 'yes' : 'no')
  useAuthorization.setState({ listsAll: all })
}

/** The integration whose deliveries the list shows; null: those of all. Where there is only one, deliveries without an endpoint are shown as well. */
export function listedIntegration(state: AuthorizationState): number | null {
  const { integrations, currentId, listsAll } = state
  if (listsAll || integrations.length === 1) return null
  return (integrations.find(({ id }) => id === currentId) ?? integrations[0])?.id ?? currentId
}

/** The integration that everything on the screen is about. Undefined only before the first snapshot. */
export function useIntegration(): Integration | undefined {
  return useAuthorization(
    ({ integrations, currentId }) =>
      integrations.find(({ id }) => id === currentId) ?? integrations[0],
  )
}

/** The tokens of an integration, the newest first. */
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

/** Whether a run still goes on or waits for the user. */
export function isRunActive({ state }: Pick<Run, 'state'>): boolean {
  return state === 'running' || state === 'waiting'
}
