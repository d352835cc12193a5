import { plural } from '#shared/text/format.ts'
import { Icons } from '../../ui/icons.tsx'
import { useEffect, useRef, useState } from 'react'
import { Text, Grid, Stack, Row } from '../../ui/Layout.tsx'
import { Button } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/Dialog.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { useForm } from '../../ui/use-form.ts'
import { toastError } from '../../platform/toasts.ts'
import { Empty, EmptyFailure } from '../../ui/Note.tsx'
import { focusAfter } from '../../ui/focus.ts'
import type { Client } from '../../platform/client.ts'
import { useClient } from '../../platform/use-client.ts'
import { useKeys } from '../../platform/command-registry.ts'
import { useShell } from '../../state/app.ts'
import { wantedOf } from '../../routes/compose.ts'
import {
  followDrafts,
  useFileStart,
  openCurl,
  openRequested,
  fetchDrafts,
  dropSession,
} from './open.ts'
import { useCompose, sessionNow, type Session } from './store.ts'
import { SidePage } from '../../ui/SidePage.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { ResponsePanel } from './ResponsePanel.tsx'
import { DraftHead, DraftsButton, TemplateDialog } from './DraftHead.tsx'
import { useHeaderRows } from './headers/HeaderList.tsx'
import { RequestParts, type Part } from './RequestParts.tsx'
import { SignatureRow } from './signature/SignaturePanel.tsx'
import { TargetBar } from './target/TargetBar.tsx'
import { eventTypes } from '#catalogue/catalogue.ts'
import { EventIcon } from '../../ui/EventIcon.tsx'
import { LearnMore } from '../help/index.ts'
import type { DraftSummary } from '#contract/compose.ts'
import { draftLabel, DraftRow } from './drafts/DraftRow.tsx'
import { confirm } from '../../ui/Confirm.tsx'
import './ComposePage.css'

const clientsFollowed = new WeakSet<Client>()

/** The composer: requests from a delivery, a sample, a file or scratch, with their responses. */
export function ComposePage() {
  const client = useClient()
  const hash = useShell((state) => state.hash)
  const session = useCompose((state) => state.session)
  const opening = useCompose((state) => state.opening)
  const listShown = useCompose((state) => state.listShown)
  const [isPasting, setPasting] = useState(false)

  useEffect(() => {
    if (clientsFollowed.has(client)) return
    clientsFollowed.add(client)
    followDrafts(client)
  }, [client])
  useEffect(() => {
    void openRequested(client, wantedOf(hash))
  }, [client, hash])
  useKeys({
    'compose-new': () => location.assign('#/send/drafts'),
    'compose-curl': () => setPasting(true),
    'compose-drafts': () =>
      focusAfter(showList, () => document.querySelector<HTMLElement>('[data-draft]')),
  })

  return (
    <SidePage
      label="Drafts and templates"
      panel={<DraftList />}
      shown={listShown}
      closeLabel="Close the list"
      onClose={() => useCompose.setState({ listShown: false })}
    >
      {opening?.phase === 'failed' ? (
        <Empty
          icon={Icons.CircleAlert}
          title="Could not open this request"
          actions={
            <>
              <Button
                onClick={() => {
                  useCompose.setState({ opening: null })
                  void openRequested(client, wantedOf(hash))
                }}
              >
                Try again
              </Button>
              <a className="button" href="#/send/drafts">
                New request
              </a>
            </>
          }
        >
          <span role="alert">{opening.message}</span>
        </Empty>
      ) : opening !== null ? (
        <div className="detail-coming" role="status" aria-label="Loading" />
      ) : session === null ? (
        <StartView onCurl={() => setPasting(true)} />
      ) : (
        <Workspace key={session.key} session={session} />
      )}
      {isPasting && <CurlDialog onClose={() => setPasting(false)} />}
    </SidePage>
  )
}

function showList(): void {
  useCompose.setState({ listShown: true })
}

/** The editor of one request: target, signature, body, headers and response. */
function Workspace({ session }: { readonly session: Session }) {
  const [part, setPart] = useState<Part>('body')
  const rows = useHeaderRows(session)
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
      <Stack gap={4} fixed pad={[4, 5]} line="bottom" background="surface" className="compose-head">
        <DraftHead session={session} />
        <TargetBar session={session} />
        <SignatureRow session={session} />
        {session.ignored.length > 0 && (
          <Text as="p" role="status" tone="mid" size="s" anywhere>
            Not taken over from the cURL command: <Shown text={session.ignored.join(', ')} />
          </Text>
        )}
      </Stack>
      <SplitPane
        name="compose"
        label="Width of the request"
        left={<RequestParts session={session} rows={rows} part={part} onPart={setPart} />}
        right={<ResponsePanel session={session} />}
      />
    </Stack>
  )
}

/** Longer commands are read from a file on the command line. */
const maxCommandLength = 8_000_000

function CurlDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useClient()
  const [command, setCommand] = useState('')
  const form = useForm({}, async () => {
    await openCurl(client, command)
    onClose()
  })
  return (
    <FormDialog
      title="Paste a cURL command"
      description="For a POSIX shell or cmd, as browsers and tools copy it. A signature in it is replaced by one with the secret of the endpoint."
      form={form}
      onClose={onClose}
      action="Open as draft"
      disabled={command.trim() === ''}
      wide
    >
      <div className="field">
        <label htmlFor="curl-command">Command</label>
        <textarea
          id="curl-command"
          className="input mono size-s"
          rows={10}
          maxLength={maxCommandLength}
          spellCheck={false}
          value={command}
          onChange={(event) => setCommand(event.target.value)}
        />
      </div>
    </FormDialog>
  )
}

/** Opens a cURL command that is pasted outside a field. */
function usePastedCurl(client: Client): void {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      const isField = event.target instanceof Element && event.target.closest('input, textarea')
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (isField || !/^\s*(?:[$%>#]\s+)?curl(?:\.exe)?\s/i.test(text)) return
      event.preventDefault()
      openCurl(client, text).catch(toastError)
    }
    window.addEventListener('paste', onPaste)
    return () => window.removeEventListener('paste', onPaste)
  }, [client])
}

/** Shown when no request is open: the ways to start one. */
function StartView({ onCurl }: { readonly onCurl: () => void }) {
  const client = useClient()
  usePastedCurl(client)
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
        <Grid as="ul" columns="1 1" collapse gap={4}>
          <li>
            <a
              href="#/deliveries"
              className="stack gap-1 full wide framed pad-y-5 pad-x-6 start-way"
            >
              <Icons.Inbox />
              <b>A delivery</b>
              <Text size="s" tone="dim">
                {deliveries === 0
                  ? 'No deliveries received yet.'
                  : `Open one of ${plural(deliveries, 'delivery', 'deliveries')}, then “Edit and send”.`}
              </Text>
            </a>
          </li>
          <li>
            <button
              type="button"
              className="stack gap-1 full wide framed pad-y-5 pad-x-6 start-way"
              onClick={() => input.current?.click()}
            >
              <Icons.FileUp />
              <b>A file</b>
              <Text size="s" tone="dim">
                Select a file or drop it here. Its bytes become the body.
              </Text>
            </button>
            <input
              ref={input}
              type="file"
              hidden
              aria-label="File to start from"
              onChange={(event) => {
                const file = event.target.files?.[0]
                event.target.value = ''
                if (file) start(file)
              }}
            />
          </li>
          <li>
            <button
              type="button"
              className="stack gap-1 full wide framed pad-y-5 pad-x-6 start-way"
              onClick={onCurl}
            >
              <Icons.SquareTerminal />
              <b>A cURL command</b>
              <Text size="s" tone="dim">
                Paste it here, as browsers and tools copy it.
              </Text>
            </button>
          </li>
          <li>
            <a
              href="#/send/drafts/empty"
              className="stack gap-1 full wide framed pad-y-5 pad-x-6 start-way"
            >
              <Icons.PenLine />
              <b>Empty request</b>
              <Text size="s" tone="dim">
                An empty body with the headers of every delivery.
              </Text>
            </a>
          </li>
        </Grid>
        <Stack as="section" gap={4} aria-labelledby="start-samples">
          <Text as="h3" size="s" tone="mid" id="start-samples">
            Samples from the API documentation
          </Text>
          <Grid as="ul" columns="asides" gap={4}>
            {eventTypes.map(({ type, label, fired, view }) => (
              <li key={type}>
                <a
                  href={`#/send/drafts/sample/${type}`}
                  className="row gap-4 align-center framed pad-y-3 pad-x-5 start-way start-sample"
                  title={withoutBackticks(fired)}
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

function withoutBackticks(text: string): string {
  return text.replaceAll('`', '')
}

function DraftList() {
  const client = useClient()
  const drafts = useCompose((state) => state.drafts)
  const error = useCompose((state) => state.draftsError)
  const [naming, setNaming] = useState<DraftSummary | null>(null)
  const remove = (draft: DraftSummary): void => confirmDeletion(client, draft)
  const templates = drafts?.filter(({ name }) => name !== null) ?? []
  const others = drafts?.filter(({ name }) => name === null) ?? []
  return (
    <>
      <Row fixed pad={[4, 5]} line="bottom">
        <a className="button wide" href="#/send/drafts">
          <Icons.Plus /> New
        </a>
      </Row>
      <div className="grow shrink scroll" data-scrolls>
        {error !== null && drafts === null ? (
          <EmptyFailure title="Could not load the drafts" onRetry={() => fetchDrafts(client)}>
            {error}
          </EmptyFailure>
        ) : drafts === null ? (
          <div role="status" aria-label="Loading" />
        ) : drafts.length === 0 ? (
          <Empty icon={Icons.FileText} title="No drafts yet">
            Your changes are saved here automatically and survive a restart.
          </Empty>
        ) : (
          <>
            <Group title="Templates" drafts={templates} onName={setNaming} onDelete={remove} />
            <Group title="Drafts" drafts={others} onName={setNaming} onDelete={remove} />
          </>
        )}
      </div>
      {naming !== null && (
        <TemplateDialog key={naming.id} draft={naming} onClose={() => setNaming(null)} />
      )}
    </>
  )
}

interface GroupProps {
  readonly title: string
  readonly drafts: readonly DraftSummary[]
  readonly onName: (draft: DraftSummary) => void
  readonly onDelete: (draft: DraftSummary) => void
}

function Group({ title, drafts, onName, onDelete }: GroupProps) {
  if (drafts.length === 0) return null
  return (
    <section aria-label={title}>
      <Text as="h2" size="xs" weight="semibold" tone="dim" pad={[3, 5]}>
        {title}
      </Text>
      <ul className="lined">
        {drafts.map((draft) => (
          <DraftRow key={draft.id} draft={draft} onName={onName} onDelete={onDelete} />
        ))}
      </ul>
    </section>
  )
}

function confirmDeletion(client: Client, draft: DraftSummary): void {
  confirm({
    title: `Delete “${draftLabel(draft)}”?`,
    description:
      draft.origin.kind === 'delivery'
        ? 'Deletes the draft. The original delivery and its attempts stay.'
        : 'Deletes the draft and its attempts.',
    action: 'Delete',
    async run() {
      // Close it first, so that nothing saves it again during the deletion.
      if (sessionNow()?.id === draft.id) dropSession()
      await client.call('compose.remove', { id: draft.id })
    },
  })
}
