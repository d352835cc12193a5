import { Tabs } from 'radix-ui'
import { plural } from '#shared/text/format.ts'
import type { Client } from '#client/client.ts'
import { useClient } from '#client/use-client.ts'
import { Button } from '#kit/Button.tsx'
import { confirm } from '#kit/Confirm.tsx'
import { focusTab, focusAfter } from '#kit/focus.ts'
import { Icons } from '#kit/icons.tsx'
import { StateMark } from '#kit/Mark.tsx'
import { sameBytes } from './body/body-modes.ts'
import { BodyPane } from './body/BodyPane.tsx'
import { resetToOriginal } from './edit.ts'
import { type HeaderRows, HeaderList, useHeaderRows } from './headers/HeaderList.tsx'
import { changeSession, type Session, dropHeld, heldSession, useCompose } from './store.ts'
import { useState } from 'react'
import { useKeys } from '#client/command-registry.ts'
import { toast } from '#kit/toasts.ts'
import { useAction } from '#kit/use-action.ts'
import { useHold } from '#client/state/hold.ts'
import { Countdown } from '#kit/Time.tsx'
import { ErrorNote, Note } from '#kit/Note.tsx'
import { Shown } from '#kit/Shown.tsx'
import { notifyResult, showAttempt } from '#parts/send/resend.ts'
import { withConfirmation } from '#parts/send/ConfirmTarget.tsx'
import { SignatureRow } from './SignaturePanel.tsx'
import { Problems } from './TargetBar.tsx'
import '#kit/Tabs.css'
import './Composer.css'

export type Part = 'body' | 'headers'

interface PartsProps {
  session: Session
  rows: HeaderRows
  part: Part
  onPart: (part: Part) => void
}

/** The body and the headers of a request, each as a tab, and what differs from the captured delivery. */
export function RequestParts({ session, rows, part, onPart }: PartsProps) {
  const problems = rows.rows.reduce((sum, row) => sum + row.problems.length, 0)
  return (
    <Tabs.Root
      className="flex h-full min-h-0 min-w-0 flex-col [&>.tab-page]:p-0"
      value={part}
      onValueChange={(next) => onPart(next === 'headers' ? 'headers' : 'body')}
    >
      <div className="flex flex-none flex-wrap items-center border-b border-line [&_.tabs]:border-b-0">
        <Tabs.List className="tabs" onFocus={focusTab} aria-label="Parts of the request">
          <Tabs.Trigger value="body">Body</Tabs.Trigger>
          <Tabs.Trigger value="headers">
            Headers
            <span className="text-xs font-medium text-dim">
              {rows.rows.filter(({ header }) => header.on).length}
            </span>
            {problems > 0 && (
              <span className="badge" data-tone="invalid" title="Headers with problems">
                {problems}
              </span>
            )}
          </Tabs.Trigger>
        </Tabs.List>
        <ChangeState session={session} rows={rows} onHeaders={() => onPart('headers')} />
      </div>
      {/* Stays mounted, so that the undo history survives switching tabs. */}
      <Tabs.Content
        value="body"
        forceMount
        className="tab-page grid-rows-1 content-stretch overflow-hidden pb-4"
        data-scrolls
      >
        <BodyPane session={session} />
      </Tabs.Content>
      <Tabs.Content value="headers" className="tab-page" data-scrolls>
        <HeaderList of={session.key} rows={rows} />
      </Tabs.Content>
    </Tabs.Root>
  )
}

interface ChangeStateProps extends Pick<PartsProps, 'session' | 'rows'> {
  onHeaders: () => void
}

function ChangeState({ session, rows, onHeaders }: ChangeStateProps) {
  const client = useClient()
  const { original, preview, content } = session
  if (original === null || preview === null) return null
  // A draft from a log has its own copy of the bytes.
  const body =
    content.body.kind === 'bytes' &&
    !(original.body && sameBytes(original.body, content.body.bytes))
  const ofLog = content.origin.kind === 'log'
  const isSame = ofLog && !body && rows.differing === 0
  if (preview.unchanged || isSame) {
    const word = preview.unchanged ? 'Exactly as captured' : 'Body and headers as in the log'
    return (
      <span className="ml-auto flex px-4" role="status">
        <StateMark tone="valid" icon={Icons.Check} word={word} />
      </span>
    )
  }
  const parts = [
    ...(body ? ['the body'] : []),
    ...(rows.differing > 0 ? [plural(rows.differing, 'header', 'headers')] : []),
  ]
  const word = ofLog ? 'Differs from the log' : 'Edited'
  return (
    <span className="ml-auto flex flex-wrap items-center justify-end gap-2 px-4">
      <span role="status">
        <StateMark
          tone="warning"
          icon={Icons.PenLine}
          word={parts.length === 0 ? word : `${word}: ${parts.join(' and ')}`}
        />
      </span>
      {rows.differing > 0 && (
        <Button kind="quiet" small onClick={onHeaders}>
          Show
        </Button>
      )}
      <Button
        kind="quiet"
        small
        icon={Icons.RotateCcw}
        onClick={() => confirmReset(client, session.key)}
      >
        Reset to original
      </Button>
    </span>
  )
}

function confirmReset(client: Client, key: Session['key']): void {
  confirm({
    title: 'Reset to original?',
    description:
      'Resets headers, body and signature to the captured delivery. Address and method stay.',
    action: 'Reset',
    run() {
      resetToOriginal(client, key)
      changeSession(key, (now) => ({ bodyRevision: now.bodyRevision + 1 }))
    },
  })
}

/** Edits a held delivery in place of its details. */
export function HeldEditor({ id }: { id: number }) {
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

function Editor({ session }: { session: Session }) {
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
