import { Dialog } from '../../components/Dialog.tsx'
import { Logo } from '../../components/Logo.tsx'
import { Note } from '../../components/Note.tsx'
import { useQuery } from '../../platform/use-client.ts'
import { closeDialog } from '../shell/dialogs.ts'
import { CopyVersions, ShowLicences, Versions } from './AboutFacts.tsx'

/** What this Tabscope is, to be copied into a report. */
export function AboutDialog({ open }: { readonly open: boolean }) {
  return (
    <Dialog
      open={open}
      onClose={closeDialog}
      title="About Tabscope"
      description="Shows the webhooks of one hospitality platform to those who integrate with it."
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
          <div className="about-head">
            <Logo />
            <Versions about={state.value} />
          </div>
          <div className="dialog-actions">
            <ShowLicences />
            <CopyVersions about={state.value} primary />
          </div>
        </div>
      )
  }
}
