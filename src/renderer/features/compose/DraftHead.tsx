import { BookmarkPlus, CircleAlert, Check, PanelLeft } from 'lucide-react'
import { useState } from 'react'
import type { DraftOrigin } from '#contract/compose.ts'
import { Button } from '../../components/Button.tsx'
import { cut, visible } from '../../components/text/visible.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { deliveryAddress } from '../deliveries/address.ts'
import { useLogs } from '../logs/store.ts'
import { say } from '../shell/toasts.ts'
import { NameDialog } from './drafts/NameDialog.tsx'
import { originLabel } from './drafts/DraftRow.tsx'
import { flush, stored } from './save.ts'
import type { Session } from './store.ts'
import { useCompose } from './store.ts'

/** What is open, where it comes from, and whether it is kept. */
export function DraftHead({ session }: { readonly session: Session }) {
  const client = useClient()
  const { id, name, content } = session
  const { origin } = content
  const [naming, setNaming] = useState<number | null>(null)
  const keep = useAction(async () => {
    try {
      setNaming(await stored(client))
    } catch (error) {
      say('invalid', sentence(error))
    }
  })
  return (
    <div className="draft-head">
      <Button
        className="compose-list-button"
        icon={<PanelLeft aria-hidden />}
        onClick={() => useCompose.setState({ listShown: true })}
      >
        Drafts
      </Button>
      <h2 className="cut">
        {name === null ? headOf(origin) : `Template “${visible(cut(name, 80))}”`}
        <span className="draft-origin">
          <OriginLink origin={origin} />
        </span>
      </h2>
      <SaveState session={session} />
      <span className="compose-gap" />
      <Button
        kind="quiet"
        icon={<BookmarkPlus aria-hidden />}
        busy={keep.busy}
        onClick={() => keep.start()}
      >
        {name === null ? 'Save as template' : 'Rename'}
      </Button>
      {naming !== null && id !== null && (
        <NameDialog draft={{ id: naming, name }} onClose={() => setNaming(null)} />
      )}
    </div>
  )
}

/** The way to what it comes from, where that may still be there. */
function OriginLink({ origin }: { readonly origin: DraftOrigin }) {
  const logs = useLogs((state) => state.logs)
  if (origin.kind === 'delivery') {
    return (
      <>
        from{' '}
        <a href={deliveryAddress(origin.deliveryId, null, '')}>delivery #{origin.deliveryId}</a>
      </>
    )
  }
  if (origin.kind !== 'log' || !logs.some(({ id }) => id === origin.logId)) {
    return originLabel(origin)
  }
  return <a href={deliveryAddress(origin.deliveryId, origin.logId)}>{originLabel(origin)}</a>
}

function headOf({ kind }: DraftOrigin): string {
  return kind === 'delivery' || kind === 'log' ? 'Edit and send' : 'Write and send'
}

function SaveState({ session }: { readonly session: Session }) {
  const client = useClient()
  switch (session.saved) {
    case 'untouched':
      return <span className="draft-saved dim">Not kept until you change it</span>
    case 'waiting':
      return <span className="draft-saved dim">Being saved</span>
    case 'saved':
      return (
        <span className="draft-saved dim">
          <Check aria-hidden /> {session.name === null ? 'Draft saved' : 'Template saved'}
        </span>
      )
    case 'failed':
      return (
        <span className="draft-saved" data-tone="invalid" role="alert">
          <CircleAlert aria-hidden /> Not saved. {session.saveError}
          <Button kind="quiet" onClick={() => void flush(client)}>
            Try again
          </Button>
        </span>
      )
  }
}
