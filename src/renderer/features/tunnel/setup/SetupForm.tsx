import { Check } from 'lucide-react'
import { useState } from 'react'
import type { TunnelProviderView, TunnelView, TunnelWish } from '#contract/tunnel.ts'
import { Button } from '../../../components/Button.tsx'
import { Note } from '../../../components/Note.tsx'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { openConfirmed } from '../commands.ts'
import type { SetupDraft } from './draft.ts'
import { draftOf, sameWish, setupErrors, wishOf, withOption } from './draft.ts'
import { ProviderChoice } from './ProviderChoice.tsx'

interface Props {
  readonly view: TunnelView
  readonly providers: readonly TunnelProviderView[]
  readonly lookAgain: () => void
}

/** The providers as cards, the settings of the chosen one in it, and what to do with them. */
export function SetupForm({ view, providers, lookAgain }: Props) {
  const client = useClient()
  /** Null: nothing is written, and what is stored is shown. */
  const [written, setWritten] = useState<SetupDraft | null>(null)
  const draft = written ?? draftOf(view.setup)
  const fields = providers.find(({ id }) => id === draft.provider)?.fields ?? []
  const wish = wishOf(draft, fields)
  const [done, setDone] = useState<TunnelWish | null>(null)
  const send = useAction(async (open: boolean) => {
    if (open && !(await openConfirmed(client, wish))) return
    if (!open) await client.call('tunnel.configure', { setup: wish })
    setWritten(null)
    setDone(wish)
  })
  const errors = setupErrors(send.error, fields)
  const changed = !sameWish(wish, view.setup)
  const saved = !changed && !send.busy && done !== null && sameWish(done, wish)
  const change = (next: SetupDraft): void => {
    setWritten(next)
    setDone(null)
    send.reset()
  }
  return (
    <form
      className="tunnel-setup"
      onSubmit={(event) => {
        event.preventDefault()
        if (!send.busy) send.start(false)
      }}
    >
      <ProviderChoice
        providers={providers}
        draft={draft}
        errors={errors.fields}
        lookAgain={lookAgain}
        onChoose={(provider) => change({ ...draft, provider })}
        onWrite={(name, value) => change(withOption(draft, name, value))}
      />
      {errors.whole !== null && (
        <Note tone="invalid" alert>
          {errors.whole}
        </Note>
      )}
      {view.temporary && (
        <Note tone="info">
          What is open now was asked for on the command line, for as long as Tabscope runs. The
          stored setup is not changed by it.
        </Note>
      )}
      <div className="setup-actions">
        <Button
          kind={changed || view.state === 'off' ? 'primary' : 'plain'}
          busy={send.busy}
          onClick={() => send.start(true)}
        >
          {view.state === 'off' ? 'Open with these' : 'Open anew with these'}
        </Button>
        <Button type="submit" busy={send.busy}>
          Save
        </Button>
        <span className="setup-said" role="status">
          {saved && (
            <>
              <Check aria-hidden /> Saved
            </>
          )}
        </span>
        {changed && <span className="dim">not saved yet</span>}
      </div>
    </form>
  )
}
