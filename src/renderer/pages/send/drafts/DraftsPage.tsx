import { plural } from '#shared/text/format.ts'
import { Icons } from '#kit/icons.tsx'
import { useEffect, useState } from 'react'
import { selectFiles } from '#kit/clipboard.ts'
import { Button } from '#kit/Button.tsx'
import { FormDialog } from '#kit/Dialog.tsx'
import { Shown } from '#kit/Shown.tsx'
import { useForm } from '#kit/use-form.ts'
import { toastError } from '#kit/toasts.ts'
import { Empty, EmptyFailure } from '#kit/Note.tsx'
import { focusAfter } from '#kit/focus.ts'
import type { Client } from '#client/client.ts'
import { useClient } from '#client/use-client.ts'
import { useKeys } from '#client/command-registry.ts'
import { useShell } from '#client/state/app.ts'
import { wantedOf } from '#client/addresses/compose.ts'
import {
  followDrafts,
  useFileStart,
  openCurl,
  openRequested,
  fetchDrafts,
  dropSession,
} from '#parts/composer/open.ts'
import { useCompose, sessionNow, type Session } from '#parts/composer/store.ts'
import { SidePage } from '#kit/SidePage.tsx'
import { SplitPane } from '#kit/SplitPane.tsx'
import { ResponsePanel } from './ResponsePanel.tsx'
import { DraftHead, DraftsButton, TemplateDialog } from './DraftHead.tsx'
import { useHeaderRows } from '#parts/composer/headers/HeaderList.tsx'
import { RequestParts, type Part } from '#parts/composer/RequestParts.tsx'
import { SignatureRow } from '#parts/composer/SignaturePanel.tsx'
import { TargetBar } from '#parts/composer/TargetBar.tsx'
import { eventTypes } from '#catalogue/catalogue.ts'
import { EventIcon } from '#parts/EventIcon.tsx'
import { LearnMore } from '#parts/LearnMore.tsx'
import type { DraftSummary } from '#contract/compose.ts'
import { draftLabel, DraftRow } from './DraftRow.tsx'
import { confirm } from '#kit/Confirm.tsx'
import '#parts/composer/Composer.css'

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
        <div className="flex-1" role="status" aria-label="Loading" />
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

function Workspace({ session }: { session: Session }) {
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
    <div className="flex min-h-0 min-w-0 flex-col below-620:overflow-auto below-620:[&>.split]:flex below-620:[&>.split]:h-auto below-620:[&>.split]:flex-none below-620:[&>.split]:flex-col below-620:[&>.split>.split-divider]:hidden below-620:[&>.split>.split-left]:h-(--measure-menu) below-620:[&>.split>.split-left]:flex-none below-620:[&>.split>.split-left]:border-b below-620:[&>.split>.split-left]:border-b-line below-620:[&>.split>.split-right]:flex-none below-620:[&>.split>.split-right]:overflow-visible">
      <div className="grid min-w-0 flex-none grid-cols-1 gap-4 border-b border-line bg-surface px-5 py-4 low:gap-3 low:px-5 low:pt-3 low:pb-4">
        <DraftHead session={session} />
        <TargetBar session={session} />
        <SignatureRow session={session} />
        {session.ignored.length > 0 && (
          <p className="text-s wrap-anywhere text-mid" role="status">
            Not taken over from the cURL command: <Shown text={session.ignored.join(', ')} />
          </p>
        )}
      </div>
      <SplitPane
        name="compose"
        label="Width of the request"
        left={<RequestParts session={session} rows={rows} part={part} onPart={setPart} />}
        right={<ResponsePanel session={session} />}
      />
    </div>
  )
}

/** Longer commands are read from a file on the command line. */
const maxCommandLength = 8_000_000

function CurlDialog({ onClose }: { onClose: () => void }) {
  const client = useClient()
  const [command, setCommand] = useState('')
  const form = useForm({}, async () => {
    await openCurl(client, command)
    onClose()
  })
  return (
    <FormDialog
      title="Paste a cURL command"
      description="For a POSIX shell, cmd or PowerShell, as browsers and tools copy it. A signature in it is replaced by one with the secret of the endpoint."
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
          className="input mono text-s"
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

function usePastedCurl(client: Client): void {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      const isField = event.target instanceof Element && event.target.closest('input, textarea')
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (isField || !/\b(?:curl(?:\.exe)?|invoke-\w+|wget)\s/i.test(text)) return
      event.preventDefault()
      openCurl(client, text).catch(toastError)
    }
    window.addEventListener('paste', onPaste)
    return () => window.removeEventListener('paste', onPaste)
  }, [client])
}

function StartView({ onCurl }: { onCurl: () => void }) {
  const client = useClient()
  usePastedCurl(client)
  const deliveries = useShell((state) => state.stats.deliveries)
  const start = useFileStart()
  const [over, setOver] = useState(false)
  return (
    <div
      className="compose-start overflow-auto [&_header_p]:max-w-[64ch]"
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
      <div className="grid max-w-(--measure-page) gap-6 p-9 low:gap-5 low:px-9 low:py-7">
        <DraftsButton />
        <header>
          <h2 className="text-xl">What do you want to send?</h2>
          <p className="text-mid">
            Send a captured delivery, edited or unchanged, or write a new one. It is signed as you
            type, and each response is stored with it.{' '}
            <LearnMore page="sending" section="edit-a-delivery-or-write-one" />
          </p>
        </header>
        <ul className="grid grid-cols-2 gap-4 below-480:grid-cols-1 below-480:flex-wrap">
          <li>
            <a href="#/deliveries" className="framed start-way grid h-full w-full gap-1 px-6 py-5">
              <Icons.Inbox />
              <b>A delivery</b>
              <span className="text-s text-dim">
                {deliveries === 0
                  ? 'No deliveries received yet.'
                  : `Open one of ${plural(deliveries, 'delivery', 'deliveries')}, then “Edit and send”.`}
              </span>
            </a>
          </li>
          <li>
            <button
              type="button"
              className="framed start-way grid h-full w-full gap-1 px-6 py-5"
              onClick={() => selectFiles(([file]) => file && start(file))}
            >
              <Icons.FileUp />
              <b>A file</b>
              <span className="text-s text-dim">
                Select a file or drop it here. Its bytes become the body.
              </span>
            </button>
          </li>
          <li>
            <button
              type="button"
              className="framed start-way grid h-full w-full gap-1 px-6 py-5"
              onClick={onCurl}
            >
              <Icons.SquareTerminal />
              <b>A cURL command</b>
              <span className="text-s text-dim">Paste it here, as browsers and tools copy it.</span>
            </button>
          </li>
          <li>
            <a
              href="#/send/drafts/empty"
              className="framed start-way grid h-full w-full gap-1 px-6 py-5"
            >
              <Icons.PenLine />
              <b>Empty request</b>
              <span className="text-s text-dim">
                An empty body with the headers of every delivery.
              </span>
            </a>
          </li>
        </ul>
        <section className="grid gap-4" aria-labelledby="start-samples">
          <h3 className="text-s text-mid" id="start-samples">
            Samples from the API documentation
          </h3>
          <ul className="grid grid-cols-asides gap-4">
            {eventTypes.map(({ type, label, fired, view }) => (
              <li key={type}>
                <a
                  href={`#/send/drafts/sample/${type}`}
                  className="framed start-way flex items-center gap-4 px-5 py-3 [&_svg]:m-0 [&_svg]:text-dim [&_svg]:icon-m"
                  title={fired.replaceAll('`', '')}
                >
                  <EventIcon name={view.icon} />
                  <span className="grid min-w-0">
                    <span className="cut">{label}</span>
                    <small className="mono cut text-2xs text-dim">{type}</small>
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
      <div className="flex flex-none border-b border-line px-5 py-4">
        <a className="button w-full" href="#/send/drafts">
          <Icons.Plus /> New
        </a>
      </div>
      <div className="min-h-0 min-w-0 flex-1 overflow-auto" data-scrolls>
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
  title: string
  drafts: readonly DraftSummary[]
  onName: (draft: DraftSummary) => void
  onDelete: (draft: DraftSummary) => void
}

function Group({ title, drafts, onName, onDelete }: GroupProps) {
  if (drafts.length === 0) return null
  return (
    <section aria-label={title}>
      <h2 className="px-5 py-3 text-xs font-semibold text-dim">{title}</h2>
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
