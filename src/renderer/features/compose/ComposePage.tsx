import { plural as counted } from '#shared/text/format.ts'
import { Check, CircleAlert, FileUp, Inbox, PenLine, RotateCcw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Text, Grid, Row, Stack } from '../../ui/Layout.tsx'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { focusAfter, focusTab } from '../../ui/focus.ts'
import type { Client } from '../../platform/client.ts'
import { useClient } from '../../platform/use-client.ts'
import { useKeys } from '../../platform/command-registry.ts'
import { useShell } from '../../state/app.ts'
import { wantedOf } from '../../routes/compose.ts'
import { DraftList } from './drafts/DraftList.tsx'
import { followDrafts, useFileStart } from './drafts/start.ts'
import { openWanted } from './open.ts'
import { changeSession, type Session, useCompose } from './store.ts'
import './ComposePage.css'
import { Tabs } from 'radix-ui'
import { SidePage } from '../../ui/SidePage.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { AnswerPanel } from './answer/AnswerPanel.tsx'
import { BodyPane } from './body/BodyPane.tsx'
import { DraftHead, DraftsButton } from './DraftHead.tsx'
import { HeaderList, useHeaderRows } from './headers/HeaderList.tsx'
import { SignatureRow } from './signature/SignaturePanel.tsx'
import { TargetBar } from './target/TargetBar.tsx'
import '../../ui/Tabs.css'
import { eventTypes } from '#catalogue/catalogue.ts'
import { EventIcon } from '../../ui/EventIcon.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { StateMark } from '../../ui/StateMark.tsx'
import { sameBytes } from './body/body-modes.ts'
import { backToOriginal } from './edit.ts'
import type { HeaderRows } from './headers/header-rows.ts'
import { LearnMore } from '../help/index.ts'

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
    <SidePage
      title="Compose"
      label="Drafts and templates"
      panel={<DraftList />}
      shown={listShown}
      closeLabel="Close the list"
      onClose={() => useCompose.setState({ listShown: false })}
    >
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
    </SidePage>
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
    <Stack column shrink className="compose-work">
      <Stack gap={4} fixed pad={[4, 5]} line="bottom" ground="surface" className="compose-head">
        <DraftHead session={session} />
        <TargetBar session={session} />
        <SignatureRow session={session} />
      </Stack>
      <SplitPane
        name="compose"
        label="Width of the request"
        left={
          <Tabs.Root
            className="full shrink stack-flex compose-parts"
            value={part}
            onValueChange={(next) => setPart(next === 'headers' ? 'headers' : 'body')}
          >
            <Row wrap align="center" fixed line="bottom" className="compose-tabs">
              <Tabs.List className="tabs" onFocus={focusTab} aria-label="Parts of the request">
                <Tabs.Trigger value="body">Body</Tabs.Trigger>
                <Tabs.Trigger value="headers">
                  Headers
                  <Text tone="dim" size="xs" weight="medium">
                    {rows.rows.filter(({ header }) => header.on).length}
                  </Text>
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
            </Row>
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
    </Stack>
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
      className="scroll compose-start"
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
      <Stack gap={6} className="compose-start-inner">
        <DraftsButton />
        <header>
          <Text as="h2" size="xl">
            What do you want to send?
          </Text>
          <Text as="p" tone="mid">
            Send a captured delivery, edited or unchanged, or write a new one. It is signed as you
            type, and each response is stored with it.{' '}
            <LearnMore page="sending" section="edit-a-delivery-or-write-one" />
          </Text>
        </header>
        <Grid as="ul" columns="1 1 1" collapse gap={4}>
          <li>
            <a
              href="#/deliveries"
              className="stack gap-1 full wide framed pad-y-5 pad-x-6 start-way"
            >
              <Inbox aria-hidden />
              <b>A delivery</b>
              <Text size="s" tone="dim">
                {deliveries === 0
                  ? 'None came yet. One will be in the list.'
                  : `Open one of ${counted(deliveries, 'delivery', 'deliveries')}, then “Edit and send”.`}
              </Text>
            </a>
          </li>
          <li>
            <button
              type="button"
              className="stack gap-1 full wide framed pad-y-5 pad-x-6 start-way"
              onClick={() => input.current?.click()}
            >
              <FileUp aria-hidden />
              <b>A file</b>
              <Text size="s" tone="dim">
                Choose it, or drop it here: its bytes are the body.
              </Text>
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
            <a
              href="#/compose/empty"
              className="stack gap-1 full wide framed pad-y-5 pad-x-6 start-way"
            >
              <PenLine aria-hidden />
              <b>Nothing</b>
              <Text size="s" tone="dim">
                An empty body, and the headers that every delivery has.
              </Text>
            </a>
          </li>
        </Grid>
        <Stack as="section" gap={4} aria-labelledby="start-samples">
          <Text as="h3" size="s" tone="mid" id="start-samples">
            Or a sample from the API documentation
          </Text>
          <Grid as="ul" columns="asides" gap={3}>
            {eventTypes.map(({ type, label, fired, view }) => (
              <li key={type}>
                <a
                  href={`#/compose/sample/${type}`}
                  className="row gap-4 align-center framed pad-y-3 pad-x-5 start-way start-sample"
                  title={plain(fired)}
                >
                  <EventIcon name={view.icon} />
                  <Stack as="span" shrink>
                    <span className="cut">{label}</span>
                    <Text as="small" size="2xs" mono cut tone="dim">
                      {type}
                    </Text>
                  </Stack>
                </a>
              </li>
            ))}
          </Grid>
        </Stack>
      </Stack>
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
  if (original === null || preview === null) return null
  if (preview.unchanged) {
    return (
      <Row as="span" push pad={[0, 4]} role="status">
        <StateMark tone="valid" icon={Check} word="Byte for byte as captured" />
      </Row>
    )
  }
  // What comes from a log has its own copy of the bytes.
  const body =
    content.body.kind === 'bytes' &&
    !(original.body && sameBytes(original.body, content.body.bytes))
  if (content.origin.kind === 'log' && !body && rows.differing === 0) {
    return (
      <Row as="span" push pad={[0, 4]} role="status">
        <StateMark tone="valid" icon={Check} word="Body and headers as in the log" />
      </Row>
    )
  }
  return (
    <Row as="span" wrap push align="center" justify="end" gap={2} pad={[0, 4]}>
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
        <Button kind="quiet" small onClick={onHeaders}>
          Show
        </Button>
      )}
      <Button kind="quiet" small icon={<RotateCcw aria-hidden />} onClick={() => setAsking(true)}>
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
    </Row>
  )
}

function wordsOf(word: string, body: boolean, headers: number): string {
  const parts = [
    ...(body ? ['the body'] : []),
    ...(headers > 0 ? [counted(headers, 'header', 'headers')] : []),
  ]
  return parts.length === 0 ? word : `${word}: ${parts.join(' and ')}`
}
