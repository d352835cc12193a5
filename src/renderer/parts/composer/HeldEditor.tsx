import { useState } from 'react'
import { useKeys } from '#client/command-registry.ts'
import { toast } from '#kit/toasts.ts'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { useHold } from '#client/state/hold.ts'
import { Button } from '#kit/Button.tsx'
import { Countdown } from '#kit/Time.tsx'
import { ErrorNote, Note } from '#kit/Note.tsx'
import { focusAfter } from '#kit/focus.ts'
import { Shown } from '#kit/Shown.tsx'
import { notifyResult, showAttempt } from '#parts/send/resend.ts'
import { withConfirmation } from '#parts/send/ConfirmTarget.tsx'
import { useHeaderRows } from './headers/HeaderList.tsx'
import { RequestParts, type Part } from './RequestParts.tsx'
import { SignatureRow } from './SignaturePanel.tsx'
import { dropHeld, heldSession, type Session, useCompose } from './store.ts'
import { Problems } from './TargetBar.tsx'

/** Edits a held delivery in place of its details. */
export function HeldEditor({ id }: { readonly id: number }) {
  const session = useCompose((state) => heldSession(state, id))
  return session && <Editor key={session.key} session={session} />
}

/** Closes the editor. The focus moves to the list, since the focused element is removed. */
function close({ key }: Session): void {
  focusAfter(
    () => dropHeld(key),
    () => document.querySelector<HTMLElement>('[data-delivery-list]'),
  )
}

function Editor({ session }: { readonly session: Session }) {
  const { content, preview, held } = session
  const [part, setPart] = useState<Part>('body')
  const rows = useHeaderRows(session)
  const id = held?.deliveryId ?? 0
  const now = useHold((state) => state.held.find(({ deliveryId }) => deliveryId === id))
  const { run, isHeld } = useSend(session, now !== undefined)
  const problems = preview?.problems.filter(({ field }) => field === 'url') ?? []
  const others = (held?.targets.length ?? 1) - 1
  return (
    <section
      className="flex h-full flex-col bg-bg [&_.signature-now]:basis-full [&_.signature-row]:flex-wrap"
      aria-label="Edit the held delivery"
    >
      <div className="grid min-w-0 flex-none grid-cols-1 gap-3 border-b border-line bg-surface px-5 py-4 low:gap-3 low:px-5 low:pt-3 low:pb-4">
        <div className="flex flex-wrap items-center gap-3">
          <h2 className="cut text-m">Edit #{id}</h2>
          {now !== undefined && now.releaseAt !== null && (
            <Countdown words="released in" at={now.releaseAt} />
          )}
          <div className="ml-auto flex flex-none gap-3">
            <Button onClick={() => close(session)}>{isHeld ? 'Cancel' : 'Discard'}</Button>
            <Button
              kind="primary"
              busy={run.busy}
              aria-keyshortcuts="Control+Enter"
              onClick={() => run.start()}
            >
              {isHeld ? 'Release' : 'Send as a new attempt'}
            </Button>
          </div>
        </div>
        {!isHeld && (
          <Note tone="warning" alert>
            This delivery is no longer held: it was released or dropped without your edit.
          </Note>
        )}
        <ErrorNote error={run.error} />
        <p className="text-s wrap-anywhere">
          <span className="mono">
            {content.method} <Shown text={content.url} max={400} />
          </span>
          {others > 0 && <span className="text-dim"> and {others} more, each at its own URL</span>}
        </p>
        <Problems problems={problems} />
        <SignatureRow session={session} />
      </div>
      <RequestParts session={session} rows={rows} part={part} onPart={setPart} />
    </section>
  )
}

/** Releases the delivery with the edit, or sends the edit if the delivery is no longer held. */
function useSend(session: Session, held: boolean) {
  const client = useClient()
  const { content } = session
  const id = session.held?.deliveryId ?? 0
  const run = useAction(async () => {
    if (held) {
      await client.call('hold.release', { ids: [id], content })
      toast('valid', `#${id} released, edited.`, { about: 'held' })
      showAttempt(id, null)
    } else {
      const attempt = await withConfirmation(client, () => client.call('compose.send', { content }))
      if (attempt === null) return
      notifyResult(attempt)
    }
    close(session)
  })
  // While it is being released, it is no longer in the list of what is held.
  const [wasHeld, setWasHeld] = useState(held)
  if (!run.busy && wasHeld !== held) setWasHeld(held)
  useKeys({
    'compose-send': () => {
      if (!run.busy) run.start()
    },
  })
  return { run, isHeld: run.busy ? wasHeld : held }
}
