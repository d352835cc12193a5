import { Icons } from '#kit/icons.tsx'
import { type ReactNode, useState } from 'react'
import type { DraftOrigin, DraftSummary } from '#contract/compose.ts'
import { cx } from '#kit/cx.ts'
import { Button } from '#kit/Button.tsx'
import { SideButton } from '#kit/SidePage.tsx'
import { shortText } from '#kit/text/visible.ts'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { deliveryAddress } from '#client/addresses/deliveries.ts'
import { useLogs } from '#client/state/logs.ts'
import { toast, toastError } from '#kit/toasts.ts'
import { originLabel } from './DraftRow.tsx'
import { flush, ensureSaved } from '#parts/composer/edit.ts'
import { type Session, useCompose, changeSession, sessionNow } from '#parts/composer/store.ts'
import { NameDialog } from '#kit/Dialog.tsx'

export function DraftHead({ session }: { session: Session }) {
  const client = useClient()
  const { id, name, content } = session
  const { origin } = content
  const [naming, setNaming] = useState<number | null>(null)
  const nameDraft = useAction(async () => {
    await ensureSaved(client).then(setNaming, toastError)
  })
  return (
    <div className="flex min-h-(--control-s) min-w-0 items-center gap-5 below-620:flex-wrap below-620:[&_h2]:max-w-full">
      <DraftsButton />
      <h2 className="cut text-m">
        {name === null ? titleOf(origin) : `Template “${shortText(name, 80)}”`}{' '}
        <span className="font-normal text-mid">
          <OriginLink origin={origin} />
        </span>
      </h2>
      <SaveState session={session} />
      <Button
        kind="quiet"
        className="ml-auto"
        icon={Icons.BookmarkPlus}
        busy={nameDraft.busy}
        onClick={() => nameDraft.start()}
      >
        {name === null ? 'Save as template' : 'Rename'}
      </Button>
      {naming !== null && id !== null && (
        <TemplateDialog draft={{ id: naming, name }} onClose={() => setNaming(null)} />
      )}
    </div>
  )
}

export function DraftsButton() {
  const open = useCompose((state) => state.listShown)
  return (
    <SideButton
      icon={Icons.PanelLeft}
      open={open}
      onOpen={() => useCompose.setState({ listShown: true })}
    >
      Drafts
    </SideButton>
  )
}

function OriginLink({ origin }: { origin: DraftOrigin }) {
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

function titleOf({ kind }: DraftOrigin): string {
  return kind === 'delivery' || kind === 'log' ? 'Edit and send' : 'Compose and send'
}

function SaveState({ session }: { session: Session }) {
  const client = useClient()
  switch (session.saved) {
    case 'untouched':
      return <SaveLine>Saved once you change it</SaveLine>
    case 'waiting':
      return <SaveLine>Saving…</SaveLine>
    case 'saved':
      return (
        <SaveLine>
          <Icons.Check /> {session.name === null ? 'Draft saved' : 'Template saved'}
        </SaveLine>
      )
    case 'failed':
      return (
        <SaveLine tone="invalid" role="alert">
          <Icons.CircleAlert /> Not saved. {session.saveError}
          <Button kind="quiet" onClick={() => void flush(client)}>
            Try again
          </Button>
        </SaveLine>
      )
  }
}

interface LineProps {
  tone?: 'dim' | 'invalid'
  role?: 'alert'
  children: ReactNode
}

function SaveLine({ tone = 'dim', ...rest }: LineProps) {
  return (
    <span
      className={cx(
        'inline-flex flex-none items-center gap-2 text-s',
        tone === 'dim' ? 'text-dim' : 'text-invalid',
      )}
      {...rest}
    />
  )
}

/** Names a draft, which makes it a template, or renames a template. */
export function TemplateDialog({
  draft,
  onClose,
}: {
  draft: Pick<DraftSummary, 'id' | 'name'>
  onClose: () => void
}) {
  const client = useClient()
  const isNew = draft.name === null
  return (
    <NameDialog
      title={isNew ? 'Save as template' : 'Rename template'}
      description="Use a template for any number of requests. If placeholders are on, {{uuid}}, {{now}} and {{counter}} get new values for each request."
      action={isNew ? 'Save' : 'Rename'}
      name={draft.name ?? ''}
      onSave={async (name) => {
        await flush(client)
        const { content } = await client.call('compose.get', { id: draft.id })
        const saved = await client.call('compose.save', { id: draft.id, name, content })
        const session = sessionNow()
        if (session?.id === saved.id) changeSession(session.key, { name: saved.name })
        toast('valid', `Saved as template “${name}”.`)
      }}
      onClose={onClose}
    />
  )
}
