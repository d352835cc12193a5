import { create } from 'zustand'
import type { ApiExchange, ApiRequest } from '#contract/api.ts'
import { oncePerFrame } from '../../platform/frames.ts'
import { saveText, loadText } from '../../platform/storage.ts'
import type { Draft } from './draft.ts'
import { draftOf, emptyDraft, readDrafts, sameDraft, writeDrafts } from './draft.ts'

const key = 'tabscope.console.drafts'

/** What came of the last request of an integration, or of the one chosen from its history. */
export type Outcome =
  | { readonly phase: 'loading'; readonly id: number }
  | { readonly phase: 'sending'; readonly key: string; readonly since: number }
  | { readonly phase: 'done'; readonly exchange: ApiExchange }
  | { readonly phase: 'refused'; readonly message: string }
  /** The connection to the engine went: whether it was sent is not known. */
  | { readonly phase: 'lost'; readonly message: string }

interface ConsoleState {
  /** By integration, as are the outcomes. */
  readonly drafts: Readonly<Record<string, Draft>>
  readonly outcomes: Readonly<Record<string, Outcome>>
  /** Each draft as it was last sent or loaded: what differs from it was written since. */
  readonly bases: Readonly<Record<string, Draft>>
  /** A draft that a request from the history took the place of. */
  readonly stash: { readonly integrationId: number; readonly draft: Draft } | null
  /** The saved request that the draft came from. */
  readonly savedId: number | null
  readonly panel: 'history' | 'saved'
  /** Where there is no room for it beside the request: whether it lies over it. */
  readonly panelOpen: boolean
  /** Grow by one with each change that the engine tells of. */
  readonly historyTurn: number
  readonly savedTurn: number
}

export const useConsole = create<ConsoleState>(() => ({
  drafts: readDrafts(loadText(key)),
  outcomes: {},
  bases: {},
  stash: null,
  savedId: null,
  panel: 'history',
  panelOpen: false,
  historyTurn: 0,
  savedTurn: 0,
}))

const keep = oncePerFrame(() => saveText(key, writeDrafts(useConsole.getState().drafts)))

/** The draft of an integration. */
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
  keep()
}

export function setOutcome(integrationId: number, outcome: Outcome | null): void {
  useConsole.setState(({ outcomes }) => {
    const { [integrationId]: _before, ...others } = outcomes
    return { outcomes: outcome === null ? others : { ...others, [integrationId]: outcome } }
  })
}

/** Puts a request in the place of the draft, which is set aside when it was written on since it was sent. */
export function loadRequest(
  request: ApiRequest,
  savedId: number | null,
  tokenId: number | null | undefined,
): void {
  const { integrationId } = request
  const state = useConsole.getState()
  const before = draftFor(state, integrationId)
  const draft = { ...draftOf(request), tokenId }
  const known = [emptyDraft, draft, state.bases[integrationId] ?? emptyDraft]
  const written = known.every((other) => !sameDraft(before, other))
  useConsole.setState({
    savedId,
    panelOpen: false,
    bases: { ...state.bases, [integrationId]: draft },
    ...(written ? { stash: { integrationId, draft: before } } : {}),
  })
  editDraft(integrationId, draft)
}

/** The draft is being sent as it is. */
export function draftSent(integrationId: number): void {
  useConsole.setState((state) => ({
    stash: null,
    bases: { ...state.bases, [integrationId]: draftFor(state, integrationId) },
  }))
}

/** Takes back the draft that was set aside. */
export function restoreStash(): void {
  const { stash } = useConsole.getState()
  if (stash === null) return
  useConsole.setState({ stash: null, savedId: null })
  editDraft(stash.integrationId, stash.draft)
}

/** The engine says that the history or the saved requests changed. */
export function apiChanged(what: 'history' | 'saved'): void {
  useConsole.setState((state) =>
    what === 'history'
      ? { historyTurn: state.historyTurn + 1 }
      : { savedTurn: state.savedTurn + 1 },
  )
}
