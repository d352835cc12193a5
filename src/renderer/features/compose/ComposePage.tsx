import { Check, CircleAlert, FileUp, Inbox, PanelLeft, PenLine, RotateCcw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Empty } from '../../components/Empty.tsx'
import { focusAfter } from '../../components/focus-after.ts'
import type { Client } from '../../platform/client.ts'
import { useClient } from '../../platform/use-client.ts'
import { useKeys } from '../shell/command-registry.ts'
import { useShell } from '../shell/store.ts'
import { wantedOf } from './address.ts'
import { DraftList } from './drafts/DraftList.tsx'
import { followDrafts } from './follow-drafts.ts'
import { openWanted } from './open.ts'
import { changeSession, type Session, useCompose } from './store.ts'
import './ComposePage.css'
import { Tabs } from 'radix-ui'
import { focusTab } from '../../components/focus-tab.ts'
import { SplitPane } from '../../components/SplitPane.tsx'
import { AnswerPanel } from './answer/AnswerPanel.tsx'
import { BodyPane } from './body/BodyPane.tsx'
import { DraftHead } from './DraftHead.tsx'
import { HeaderList, useHeaderRows } from './headers/HeaderList.tsx'
import { SignatureRow } from './signature/SignaturePanel.tsx'
import { ConfirmTarget } from './target/ConfirmTarget.tsx'
import { TargetBar } from './target/TargetBar.tsx'
import '../../components/Tabs.css'
import { eventTypes } from '#catalogue/catalogue.ts'
import { EventIcon } from '../../components/EventIcon.tsx'
import { counted } from '../../components/text/numbers.ts'
import { useFileStart } from './drafts/use-file-start.ts'
import './StartView.css'
import { Confirm } from '../../components/Confirm.tsx'
import { StateMark } from '../../components/StateMark.tsx'
import { sameBytes } from './body/body-modes.ts'
import { backToOriginal } from './edit.ts'
import type { HeaderRows } from './headers/header-rows.ts'

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

type Part = 'body' | 'headers'

/** One request that is written: where it goes, what it is, how it is signed, what came back. */
function Workspace({ session }: { readonly session: Session }) {
  const [part, setPart] = useState<Part>('body')
  const rows = useHeaderRows(session)
  const problems = rows.rows.reduce((sum, row) => sum + row.problems.length, 0)
  useKeys({
    'compose-headers': () =>
      focusAfter(
        () => setPart('headers'),
        () => document.querySelector<HTMLElement>('.header-list [data-part="name"]'),
      ),
    ...(part === 'headers' ? { 'compose-body': () => setPart('body') } : {}),
  })
  return (
    <div className="compose-work">
      <div className="compose-head">
        <DraftHead session={session} />
        <TargetBar session={session} />
        <SignatureRow session={session} />
      </div>
      <SplitPane
        name="compose"
        label="Width of the request"
        left={
          <Tabs.Root
            className="compose-parts"
            value={part}
            onValueChange={(next) => setPart(next === 'headers' ? 'headers' : 'body')}
          >
            <div className="compose-tabs">
              <Tabs.List className="tabs" onFocus={focusTab} aria-label="Parts of the request">
                <Tabs.Trigger value="body">Body</Tabs.Trigger>
                <Tabs.Trigger value="headers">
                  Headers
                  <span className="compose-number">
                    {rows.rows.filter(({ header }) => header.on).length}
                  </span>
                  {problems > 0 && (
                    <span
                      className="badge"
                      data-tone="invalid"
                      title="Something is wrong with them"
                    >
                      {problems}
                    </span>
                  )}
                </Tabs.Trigger>
              </Tabs.List>
              <ChangeState session={session} rows={rows} onHeaders={() => setPart('headers')} />
            </div>
            {/* Stays mounted: what can be undone in it still can when one comes back to it. */}
            <Tabs.Content value="body" forceMount className="tab-page tab-fixed" data-scrolls>
              <BodyPane session={session} />
            </Tabs.Content>
            <Tabs.Content value="headers" className="tab-page" data-scrolls>
              <HeaderList rows={rows} />
            </Tabs.Content>
          </Tabs.Root>
        }
        right={<AnswerPanel session={session} />}
      />
      <ConfirmTarget />
    </div>
  )
}

/** Nothing is open: what a request can begin from. */
function StartView() {
  const deliveries = useShell((state) => state.stats.deliveries)
  const start = useFileStart()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  return (
    <div
      className="compose-start"
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file) start(file)
      }}
    >
      <div className="compose-start-inner">
        <Button
          className="compose-list-button"
          icon={<PanelLeft aria-hidden />}
          onClick={() => useCompose.setState({ listShown: true })}
        >
          Drafts
        </Button>
        <header>
          <h2>What do you want to send?</h2>
          <p>
            A delivery that came, edited or not, or one that you write. It is signed as you write,
            and what came back is kept under it.
          </p>
        </header>
        <ul className="start-ways">
          <li>
            <a href="#/deliveries" className="start-way">
              <Inbox aria-hidden />
              <b>A delivery</b>
              <span className="dim">
                {deliveries === 0
                  ? 'None came yet. One will be in the list.'
                  : `Open one of ${counted(deliveries, 'delivery', 'deliveries')}, then “Edit and send”.`}
              </span>
            </a>
          </li>
          <li>
            <button type="button" className="start-way" onClick={() => input.current?.click()}>
              <FileUp aria-hidden />
              <b>A file</b>
              <span className="dim">Choose it, or drop it here: its bytes are the body.</span>
            </button>
            <input
              ref={input}
              type="file"
              hidden
              aria-label="File to begin with"
              onChange={(event) => {
                const file = event.target.files?.[0]
                event.target.value = ''
                if (file) start(file)
              }}
            />
          </li>
          <li>
            <a href="#/compose/empty" className="start-way">
              <PenLine aria-hidden />
              <b>Nothing</b>
              <span className="dim">An empty body, and the headers that every delivery has.</span>
            </a>
          </li>
        </ul>
        <section aria-labelledby="start-samples">
          <h3 id="start-samples">Or a sample from the document</h3>
          <ul className="start-samples">
            {eventTypes.map(({ type, label, fired, view }) => (
              <li key={type}>
                <a href={`#/compose/sample/${type}`} className="start-sample" title={plain(fired)}>
                  <EventIcon name={view.icon} />
                  <span className="start-sample-words">
                    <span className="cut">{label}</span>
                    <small className="mono cut dim">{type}</small>
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </div>
  )
}

function plain(text: string): string {
  return text.replaceAll('`', '')
}

interface ChangeStateProps {
  readonly session: Session
  readonly rows: HeaderRows
  readonly onHeaders: () => void
}

/** Whether anything but the address differs from what came, and the way back. */
function ChangeState({ session, rows, onHeaders }: ChangeStateProps) {
  const client = useClient()
  const [asking, setAsking] = useState(false)
  const { original, preview, content } = session
  if (original === null || preview === null) return <span className="compose-gap" />
  if (preview.unchanged) {
    return (
      <span className="compose-change" role="status">
        <StateMark tone="valid" icon={Check} word="Byte for byte as captured" />
      </span>
    )
  }
  // What comes from a log has its own copy of the bytes.
  const body =
    content.body.kind === 'bytes' &&
    !(original.body && sameBytes(original.body, content.body.bytes))
  if (content.origin.kind === 'log' && !body && rows.differing === 0) {
    return (
      <span className="compose-change" role="status">
        <StateMark tone="valid" icon={Check} word="Body and headers as in the log" />
      </span>
    )
  }
  return (
    <span className="compose-change">
      <span role="status">
        <StateMark
          tone="missing"
          icon={PenLine}
          word={wordsOf(
            content.origin.kind === 'log' ? 'Differs from the log' : 'Edited',
            body,
            rows.differing,
          )}
        />
      </span>
      {rows.differing > 0 && (
        <Button kind="quiet" onClick={onHeaders}>
          Show
        </Button>
      )}
      <Button kind="quiet" icon={<RotateCcw aria-hidden />} onClick={() => setAsking(true)}>
        Back to the original
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title="Take everything back?"
        description="Headers, body and signature are then as captured. Address and method stay."
        action="Back to the original"
        busy={false}
        error={null}
        onConfirm={() => {
          setAsking(false)
          backToOriginal(client)
          // The editor begins anew with what came.
          changeSession(session.key, (now) => ({ turn: now.turn + 1 }))
        }}
      />
    </span>
  )
}

function wordsOf(word: string, body: boolean, headers: number): string {
  const parts = [
    ...(body ? ['the body'] : []),
    ...(headers > 0 ? [counted(headers, 'header', 'headers')] : []),
  ]
  return parts.length === 0 ? word : `${word}: ${parts.join(' and ')}`
}
