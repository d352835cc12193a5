import { Row } from '../../ui/Layout.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { Note } from '../../ui/Note.tsx'
import { useQuery } from '../../platform/use-client.ts'
import { closeDialog } from '../../platform/dialogs.ts'
import { CopyVersions, ShowLicences, Versions } from './AboutFacts.tsx'

/** The versions of Tabscope and its parts, to copy into a bug report. */
export function AboutDialog({ open }: { readonly open: boolean }) {
  return (
    <Dialog
      open={open}
      onClose={closeDialog}
      title="About Tabscope"
      description="A webhook inspector for integrations with one hospitality platform."
    >
      <Facts />
    </Dialog>
  )
}

function Facts() {
  const { state } = useQuery('app.about', {})
  switch (state.phase) {
    case 'loading':
      return <div className="about-dialog" role="status" aria-label="Loading" />
    case 'failed':
      return (
        <Note tone="invalid" alert>
          {state.message}
        </Note>
      )
    case 'ready':
      return (
        <div className="about-dialog">
          <Row gap={6} className="about-head">
            <Logo />
            <Versions about={state.value} />
          </Row>
          <div className="dialog-actions">
            <ShowLicences />
            <CopyVersions about={state.value} primary />
          </div>
        </div>
      )
  }
}
