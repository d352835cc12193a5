import { BookmarkPlus, CircleAlert, Check, PanelLeft } from '../../ui/icons.tsx'
import { type ReactNode, useState } from 'react'
import type { DraftOrigin } from '#contract/compose.ts'
import { Text, Row } from '../../ui/Layout.tsx'
import { Button } from '../../ui/Button.tsx'
import { SideButton } from '../../ui/SidePage.tsx'
import { cut, visible } from '../../ui/text/visible.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { deliveryAddress } from '../../routes/deliveries.ts'
import { useLogs } from '../../state/logs.ts'
import { say } from '../../platform/toasts.ts'
import { TemplateDialog } from './drafts/TemplateDialog.tsx'
import { originLabel } from './drafts/DraftRow.tsx'
import { flush, ensureSaved } from './save.ts'
import { type Session, useCompose } from './store.ts'

/** The header of the composer: the open draft, its origin and whether it is saved. */
export function DraftHead({ session }: { readonly session: Session }) {
  const client = useClient()
  const { id, name, content } = session
  const { origin } = content
  const [naming, setNaming] = useState<number | null>(null)
  const nameDraft = useAction(async () => {
    try {
      setNaming(await ensureSaved(client))
    } catch (error) {
      say('invalid', sentence(error))
    }
  })
  return (
    <Row align="center" gap={5} className="draft-head">
      <DraftsButton />
      <Text as="h2" size="m" cut>
        {name === null ? titleOf(origin) : `Template “${visible(cut(name, 80))}”`}{' '}
        <Text tone="mid" weight="normal">
          <OriginLink origin={origin} />
        </Text>
      </Text>
      <SaveState session={session} />
      <Button
        kind="quiet"
        className="push"
        icon={<BookmarkPlus aria-hidden />}
        busy={nameDraft.busy}
        onClick={() => nameDraft.start()}
      >
        {name === null ? 'Save as template' : 'Rename'}
      </Button>
      {naming !== null && id !== null && (
        <TemplateDialog draft={{ id: naming, name }} onClose={() => setNaming(null)} />
      )}
    </Row>
  )
}

/** Opens the list of drafts in a narrow window. */
export function DraftsButton() {
  const open = useCompose((state) => state.listShown)
  return (
    <SideButton
      icon={<PanelLeft aria-hidden />}
      open={open}
      onOpen={() => useCompose.setState({ listShown: true })}
    >
      Drafts
    </SideButton>
  )
}

/** Links to the origin of the draft if it may still exist. */
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

function titleOf({ kind }: DraftOrigin): string {
  return kind === 'delivery' || kind === 'log' ? 'Edit and send' : 'Compose and send'
}

function SaveState({ session }: { readonly session: Session }) {
  const client = useClient()
  switch (session.saved) {
    case 'untouched':
      return <SaveLine>Saved once you change it</SaveLine>
    case 'waiting':
      return <SaveLine>Saving…</SaveLine>
    case 'saved':
      return (
        <SaveLine>
          <Check aria-hidden /> {session.name === null ? 'Draft saved' : 'Template saved'}
        </SaveLine>
      )
    case 'failed':
      return (
        <SaveLine tone="invalid" role="alert">
          <CircleAlert aria-hidden /> Not saved. {session.saveError}
          <Button kind="quiet" onClick={() => void flush(client)}>
            Try again
          </Button>
        </SaveLine>
      )
  }
}

interface LineProps {
  readonly tone?: 'dim' | 'invalid'
  readonly role?: 'alert'
  readonly children: ReactNode
}

function SaveLine({ tone = 'dim', ...rest }: LineProps) {
  return <Row as="span" inline align="center" gap={2} fixed size="s" tone={tone} {...rest} />
}
