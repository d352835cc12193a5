import { create } from 'zustand'
import type { DraftContent, DraftSummary, Preview } from '#contract/compose.ts'
import type { Header } from '#contract/models.ts'
import type { Attempt, Target } from '#contract/sending.ts'

/** What a draft is held against: the delivery that it comes from. */
export interface Original {
  readonly deliveryId: number
  readonly headers: readonly Header[]
  /** Null: too large to be edited. */
  readonly body: Uint8Array | null
}

/** What came of sending. */
export type Outcome =
  | { readonly phase: 'sending'; readonly key: string; readonly since: number }
  | { readonly phase: 'done'; readonly attempt: Attempt }
  | { readonly phase: 'refused'; readonly message: string }

/** One request that is written. */
export interface Session {
  /** Another one for each that is opened: the editor belongs to it. */
  readonly key: number
  /** Grows when the body is put in from outside: the editor then begins anew. */
  readonly turn: number
  /** The draft it is stored as; null: not stored yet. */
  readonly id: number | null
  /** Of a template. */
  readonly name: string | null
  readonly counter: number
  readonly content: DraftContent
  readonly original: Original | null
  /** Why there is no original although it comes from a delivery. */
  readonly originalLost: string | null
  readonly saved: 'untouched' | 'waiting' | 'saved' | 'failed'
  readonly saveError: string | null
  /** What is written and is no body yet: hex that does not read. Sending waits for it. */
  readonly unreadable: string | null
  readonly preview: Preview | null
  /** The content that the preview is of. */
  readonly previewOf: DraftContent | null
  readonly previewError: string | null
  /** Of the address as it is; null: none, or not known yet. */
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
  readonly opening: Opening | null
  /** The address under which the session is found again. */
  readonly address: string
  /** Where there is no room for the list: whether it lies over the rest. */
  readonly listShown: boolean
}

export const useCompose = create<ComposeState>(() => ({
  drafts: null,
  draftsError: null,
  session: null,
  opening: null,
  address: '#/compose',
  listShown: false,
}))

/** Changes the session, if it still is the one with this key. */
export function changeSession(
  key: number,
  change: Partial<Session> | ((session: Session) => Partial<Session>),
): void {
  useCompose.setState((state) => {
    const { session } = state
    if (session?.key !== key) return state
    return {
      session: { ...session, ...(typeof change === 'function' ? change(session) : change) },
    }
  })
}

/** The session of now; one is open. */
export function sessionNow(): Session | null {
  return useCompose.getState().session
}
