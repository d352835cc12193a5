import { CircleAlert } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '../../components/Button.tsx'
import { Empty } from '../../components/Empty.tsx'
import { focusAfter } from '../../components/focus-after.ts'
import type { Client } from '../../platform/client.ts'
import { useClient } from '../../platform/use-client.ts'
import { useKeys } from '../shell/bound.ts'
import { useShell } from '../shell/store.ts'
import { wantedOf } from './address.ts'
import { DraftList } from './drafts/DraftList.tsx'
import { followDrafts } from './follow-drafts.ts'
import { openWanted } from './open.ts'
import { StartView } from './StartView.tsx'
import { useCompose } from './store.ts'
import { Workspace } from './Workspace.tsx'
import './ComposePage.css'

const followed = new WeakSet<Client>()

/** Requests that are written: from a delivery, a sample, a file or nothing; sent, and what came back. */
export function ComposePage() {
  const client = useClient()
  const hash = useShell((state) => state.hash)
  const session = useCompose((state) => state.session)
  const opening = useCompose((state) => state.opening)
  const listShown = useCompose((state) => state.listShown)

  useEffect(() => {
    if (followed.has(client)) return
    followed.add(client)
    followDrafts(client)
  }, [client])
  useEffect(() => {
    void openWanted(client, wantedOf(hash))
  }, [client, hash])
  useKeys({
    'compose-new': () =>
      focusAfter(showList, () => document.querySelector<HTMLElement>('[data-compose-new]')),
    'compose-drafts': () =>
      focusAfter(showList, () => document.querySelector<HTMLElement>('[data-draft]')),
  })

  return (
    <div className="compose" data-list={listShown || undefined}>
      <h1 className="visually-hidden">Compose</h1>
      <DraftList />
      {listShown && (
        <button
          type="button"
          className="compose-scrim"
          aria-label="Close the list"
          onClick={() => useCompose.setState({ listShown: false })}
        />
      )}
      {opening?.phase === 'failed' ? (
        <Empty
          icon={<CircleAlert aria-hidden />}
          title="This cannot be opened"
          actions={
            <>
              <Button
                onClick={() => {
                  useCompose.setState({ opening: null })
                  void openWanted(client, wantedOf(hash))
                }}
              >
                Try again
              </Button>
              <a className="button" href="#/compose">
                Begin another
              </a>
            </>
          }
        >
          <span role="alert">{opening.message}</span>
        </Empty>
      ) : opening !== null ? (
        <div className="detail-coming" role="status" aria-label="Loading" />
      ) : session === null ? (
        <StartView />
      ) : (
        <Workspace key={session.key} session={session} />
      )}
    </div>
  )
}

function showList(): void {
  useCompose.setState({ listShown: true })
}
