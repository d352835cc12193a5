import { create } from 'zustand'
import type { ApiExchange, ApiRequest } from '#contract/api.ts'
import { CallError, type Client } from '#client/client.ts'
import { messageOf } from '#kit/use-action.ts'
import { oncePerFrame } from '#client/limit-calls.ts'
import { saveText, loadText } from '#kit/storage.ts'
import { toast } from '#kit/toasts.ts'
import { type Draft, draftOf, emptyDraft, readDrafts, writeDrafts } from './draft.ts'

const key = 'tabscope.console.drafts'
/** Minimum milliseconds between two refreshes of the history or the saved requests. */
export const refreshEvery = 500

type Outcome =
  | { readonly phase: 'loading'; readonly id: number }
  | { readonly phase: 'sending'; readonly key: string; readonly since: number }
  | { readonly phase: 'done'; readonly exchange: ApiExchange }
  | { readonly phase: 'refused'; readonly message: string }
  /** The connection to the engine was lost, so it is unknown whether the request was sent. */
  | { readonly phase: 'lost'; readonly message: string }

interface ConsoleState {
  /** By integration, like the outcomes. */
  readonly drafts: Readonly<Record<string, Draft>>
  readonly outcomes: Readonly<Record<string, Outcome>>
  /** The saved request that the draft was loaded from. */
  readonly savedId: number | null
  readonly panel: 'history' | 'saved'
  /** Whether the panel covers the request in a narrow window. */
  readonly panelOpen: boolean
}

export const useConsole = create<ConsoleState>(() => ({
  drafts: readDrafts(loadText(key)),
  outcomes: {},
  savedId: null,
  panel: 'history',
  panelOpen: false,
}))

const saveDrafts = oncePerFrame(() => saveText(key, writeDrafts(useConsole.getState().drafts)))

export function draftFor(state: ConsoleState, integrationId: number): Draft {
  return state.drafts[integrationId] ?? emptyDraft
}

export function editDraft(integrationId: number, change: Partial<Draft>): void {
  useConsole.setState((state) => ({
    drafts: {
      ...state.drafts,
      [integrationId]: { ...draftFor(state, integrationId), ...change },
    },
  }))
  saveDrafts()
}

export function setOutcome(integrationId: number, outcome: Outcome | null): void {
  useConsole.setState(({ outcomes }) => {
    const { [integrationId]: _before, ...others } = outcomes
    return { outcomes: outcome === null ? others : { ...others, [integrationId]: outcome } }
  })
}

/** The draft as it was loaded. Another object means that the user has edited it. */
let loaded = emptyDraft

/** Replaces the draft by a request. Offers to undo that if the user has edited the draft. */
export function loadRequest(
  request: ApiRequest,
  savedId: number | null,
  tokenId: number | null | undefined,
): void {
  const { integrationId } = request
  const before = draftFor(useConsole.getState(), integrationId)
  useConsole.setState({ savedId, panelOpen: false })
  editDraft(integrationId, { ...draftOf(request), tokenId })
  if (before !== loaded && before !== emptyDraft) {
    const undo = { label: 'Undo', run: () => editDraft(integrationId, before) }
    toast('valid', 'Your request was replaced.', { about: 'console', action: undo })
  }
  loaded = draftFor(useConsole.getState(), integrationId)
}

/**
 * Sends a request. Resolves to `other-origin` if the engine did not send it because its token would leave the integration's origin. Otherwise
 * resolves to `over`, with the result in the store.
 */
export async function sendRequest(
  client: Client,
  request: ApiRequest,
  allowOtherOrigin: boolean,
): Promise<'over' | 'other-origin'> {
  const { integrationId } = request
  const before = useConsole.getState().outcomes[integrationId] ?? null
  const key = crypto.randomUUID()
  setOutcome(integrationId, { phase: 'sending', key, since: Date.now() })
  const isLatest = (): boolean => {
    const outcome = useConsole.getState().outcomes[integrationId]
    return outcome?.phase === 'sending' && outcome.key === key
  }
  try {
    const exchange = await client.call('api.send', { ...request, allowOtherOrigin, key })
    if (isLatest()) setOutcome(integrationId, { phase: 'done', exchange })
  } catch (error) {
    if (!isLatest()) return 'over'
    if (error instanceof CallError && error.code === 'other_origin') {
      setOutcome(integrationId, before)
      return 'other-origin'
    }
    setOutcome(integrationId, failureOf(error))
  }
  return 'over'
}

/** Shows an exchange from the history and loads its request as the draft. */
export async function showExchange(
  client: Client,
  id: number,
  integrationId: number,
): Promise<void> {
  setOutcome(integrationId, { phase: 'loading', id })
  const isLatest = (): boolean => {
    const outcome = useConsole.getState().outcomes[integrationId]
    return outcome?.phase === 'loading' && outcome.id === id
  }
  try {
    const exchange = await client.call('api.exchange', { id })
    if (!isLatest()) return
    // A request that was sent without a token is sent again with the one that is selected now.
    const { tokenId } = draftFor(useConsole.getState(), integrationId)
    loadRequest(exchange.request, null, exchange.request.tokenId ?? tokenId)
    setOutcome(integrationId, { phase: 'done', exchange })
  } catch (error) {
    if (isLatest()) setOutcome(integrationId, failureOf(error))
  }
}

function failureOf(error: unknown): Outcome {
  const lost = error instanceof CallError && error.code === 'connection_lost'
  return { phase: lost ? 'lost' : 'refused', message: messageOf(error) }
}
