import { create } from 'zustand'
import type { DraftContent, DraftSummary, Preview } from '#contract/compose.ts'
import type { HeldDelivery } from '#contract/hold.ts'
import type { Header } from '#contract/models.ts'
import type { Attempt, Target } from '#contract/sending.ts'

interface Original {
  readonly deliveryId: number
  readonly headers: readonly Header[]
  /** Null if too large to edit. */
  readonly body: Uint8Array | null
}

export type Outcome =
  | { readonly phase: 'sending'; readonly key: string; readonly since: number }
  | { readonly phase: 'done'; readonly attempt: Attempt }
  | { readonly phase: 'refused'; readonly message: string }

export interface Session {
  /** Unique for each opened request. The editor is bound to it. */
  readonly key: number
  /** The held delivery that is edited, as it was then; null for a draft. */
  readonly held: HeldDelivery | null
  /** Incremented when the body is replaced from outside, to recreate the editor. */
  readonly bodyRevision: number
  /** The ID of the stored draft; null if not stored yet. */
  readonly id: number | null
  /** The name of a template; null for a draft. */
  readonly name: string | null
  readonly counter: number
  readonly content: DraftContent
  /** What of a cURL command is not in the draft. */
  readonly ignored: readonly string[]
  readonly original: Original | null
  /** Why the original delivery is not available. */
  readonly originalLost: string | null
  readonly saved: 'untouched' | 'waiting' | 'saved' | 'failed'
  readonly saveError: string | null
  readonly preview: Preview | null
  /** The content that the preview belongs to. */
  readonly previewOf: DraftContent | null
  readonly previewError: string | null
  /** Facts about the target of the current address; null if none or not known yet. */
  readonly target: Target | null
  readonly outcome: Outcome | null
  /** Milliseconds. */
  readonly timeout: number
}

export type Opening =
  | { readonly phase: 'loading'; readonly address: string }
  | { readonly phase: 'failed'; readonly address: string; readonly message: string }

interface ComposeState {
  readonly drafts: readonly DraftSummary[] | null
  readonly draftsError: string | null
  readonly session: Session | null
  /** Edits of held deliveries, which are not stored. */
  readonly held: readonly Session[]
  readonly opening: Opening | null
  readonly address: string
  readonly listShown: boolean
}

export const useCompose = create<ComposeState>(() => ({
  drafts: null,
  draftsError: null,
  session: null,
  held: [],
  opening: null,
  address: '#/send/drafts',
  listShown: false,
}))

/** Changes the session with this key, if it is still open. */
export function changeSession(
  key: number,
  change: Partial<Session> | ((session: Session) => Partial<Session>),
): void {
  const changed = (session: Session): Session =>
    session.key === key
      ? { ...session, ...(typeof change === 'function' ? change(session) : change) }
      : session
  useCompose.setState((state) => {
    if (state.session?.key === key) return { session: changed(state.session) }
    return state.held.some((session) => session.key === key)
      ? { held: state.held.map(changed) }
      : state
  })
}

/** The draft that is open; null if none is. */
export function sessionNow(): Session | null {
  return useCompose.getState().session
}

/** The draft or held request with this key, if it is still open. */
export function sessionOf(key: number): Session | undefined {
  const { session, held } = useCompose.getState()
  return session?.key === key ? session : held.find((each) => each.key === key)
}

/** The edit of a held delivery, if there is one. */
export function heldSession(
  { held }: Pick<ComposeState, 'held'>,
  deliveryId: number | null,
): Session | undefined {
  return held.find((session) => session.held?.deliveryId === deliveryId)
}

/** Forgets the edit of a held delivery. */
export function dropHeld(key: number): void {
  useCompose.setState(({ held }) => ({ held: held.filter((session) => session.key !== key) }))
}
