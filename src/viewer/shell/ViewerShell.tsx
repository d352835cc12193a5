import { formatSize, plural } from '#shared/text/format.ts'
import { CircleAlert, ShieldAlert, ShieldCheck, FileWarning } from '#renderer/ui/icons.tsx'
import { Tooltip } from 'radix-ui'
import { type ReactNode, useEffect, useState } from 'react'
import { Text, Row, Stack } from '#renderer/ui/Layout.tsx'
import { Boundary } from '#renderer/ui/Boundary.tsx'
import { Empty } from '#renderer/ui/Empty.tsx'
import { Note } from '#renderer/ui/Note.tsx'
import { AuthorizationView } from '#renderer/features/authorization/index.ts'
import { RehearsalsView } from '#renderer/features/rehearsal/index.ts'
import { rehearsePlaceOf } from '#renderer/routes/rehearse.ts'
import { listAddress } from '#renderer/routes/deliveries.ts'
import { DeliveriesPage } from '#renderer/features/deliveries/index.ts'
import { removedLabel } from '#contract/constants.ts'
import { FootFrame } from '#renderer/app/FootFrame.tsx'
import { KeysDialog } from '#renderer/app/KeysDialog.tsx'
import { useKeys } from '#renderer/platform/command-registry.ts'
import { themes } from '#renderer/platform/theme.ts'
import { useShell } from '#renderer/state/app.ts'
import { Toasts } from '#renderer/ui/Toasts.tsx'
import type { PageLog } from '../log/log.ts'
import { Logo } from '#renderer/ui/Logo.tsx'
import { Button } from '#renderer/ui/Button.tsx'
import { Segments } from '#renderer/ui/Segments.tsx'
import { truncate, escapeControls } from '#renderer/ui/text/visible.ts'
import { useSettings } from '#renderer/state/settings.ts'
import type { Settings } from '#contract/models.ts'
import { Dialog } from '#renderer/ui/Dialog.tsx'
import { Shown } from '#renderer/ui/Shown.tsx'
import { clockMinutes, dayOf, localTime } from '#renderer/ui/text/time.ts'
import type { LogScope } from '#contract/event-log.ts'
import { saveText, loadText } from '#renderer/platform/storage.ts'
import '#renderer/app/Shell.css'
import './ViewerShell.css'

function selectTheme(theme: Settings['theme']): void {
  storeTheme(theme)
  useSettings.setState(({ settings }) => ({ settings: settings && { ...settings, theme } }))
}

type ViewName = 'deliveries' | 'authorization' | 'rehearsals'

/** What the file contains and this page can show. */
function viewsOf({ integrations, tokens, runs, rehearsals }: PageLog) {
  return [
    { value: 'deliveries', label: 'Deliveries' },
    ...(integrations.length + tokens.length + runs.length > 0
      ? [{ value: 'authorization', label: 'Authorization' } as const]
      : []),
    ...(rehearsals.length > 0 ? [{ value: 'rehearsals', label: 'Rehearsals' } as const] : []),
  ] as const
}

interface ViewerBarProps {
  readonly log: PageLog
  readonly view: ViewName
  readonly onView: (view: ViewName) => void
}

function ViewerBar({ log, view, onView }: ViewerBarProps) {
  const { head } = log
  const views = viewsOf(log)
  const [about, setAbout] = useState(false)
  const theme = useSettings((state) => state.settings?.theme ?? 'system')
  return (
    <Row as="header" align="center" gap={5} shrink pad={[0, 5]} line="bottom" background="surface">
      <Row fixed align="center" gap={4}>
        <Logo />
        <Text weight="bold" nowrap>
          Event log
        </Text>
      </Row>
      <Row as="p" gap={5} shrink clip tone="dim" size="s" nowrap>
        <span>exported {minuteOf(Date.parse(head.exportedAt))}</span>
        <span>{escapeControls(truncate(head.app, 30))}</span>
      </Row>
      <Button
        small
        className="viewer-redaction"
        data-tone={head.redaction.on ? 'valid' : 'warning'}
        onClick={() => setAbout(true)}
      >
        {head.redaction.on ? <ShieldCheck aria-hidden /> : <ShieldAlert aria-hidden />}
        {head.redaction.on ? 'Redacted' : 'Not redacted'}
        <span className="viewer-more">About this log</span>
      </Button>
      <Text grow />
      {views.length > 1 && <Segments label="Show" value={view} options={views} onChange={onView} />}
      <Segments label="Theme" value={theme} options={themes} onChange={selectTheme} />
      <AboutDialog log={log} open={about} onClose={() => setAbout(false)} />
    </Row>
  )
}

const hints = [
  ['move', ['J', 'K']],
  ['open', ['Enter']],
  ['filter', ['/']],
  ['tabs', ['1', '7']],
] as const

function ViewerFoot({ log }: { readonly log: PageLog }) {
  const bytes = useShell((state) => state.stats.bytes)
  return (
    <FootFrame className="foot viewer-foot" hints={hints}>
      <span>{plural(log.rows.length, 'delivery', 'deliveries')}</span>
      {log.rehearsals.length > 0 && (
        <span>{plural(log.rehearsals.length, 'rehearsal', 'rehearsals')}</span>
      )}
      <span>{formatSize(bytes)} of bodies</span>
      <span>read-only</span>
    </FootFrame>
  )
}

export function ViewerShell({ log }: { readonly log: PageLog }) {
  const ready = useShell((state) => state.ready)
  const failure = useShell((state) => state.failure)
  const [view, setView] = useView(log)
  useKeys({ help: () => useShell.setState({ keysShown: true }) })
  return (
    <Tooltip.Provider delayDuration={250}>
      <div className="viewer">
        <ViewerBar log={log} view={view} onView={setView} />
        <main className="shrink stack-flex">
          {log.problems.length > 0 && (
            <div className="pad-y-4 pad-x-5 line-bottom">
              <Note tone="warning" alert>
                {log.problems.join(' ')}
              </Note>
            </div>
          )}
          <div className="shell-page">
            <Boundary>
              {ready && view === 'authorization' ? (
                <Authorization log={log} />
              ) : ready && view === 'rehearsals' ? (
                <RehearsalsView start={null} />
              ) : ready ? (
                <DeliveriesPage />
              ) : (
                failure !== null && (
                  <Empty icon={<CircleAlert aria-hidden />} title="This log cannot be shown">
                    {failure}
                  </Empty>
                )
              )}
            </Boundary>
          </div>
          <Toasts />
        </main>
        <ViewerFoot log={log} />
      </div>
      <KeysDialog />
    </Tooltip.Provider>
  )
}

/** What is shown, and a function that shows something else. Rehearsals have addresses; a file without deliveries begins with them. */
function useView(log: PageLog): [ViewName, (view: ViewName) => void] {
  const [chosen, setChosen] = useState<ViewName>(() =>
    log.rows.length === 0 && log.rehearsals.length > 0 ? 'rehearsals' : 'deliveries',
  )
  const hash = useShell((state) => state.hash)
  useEffect(() => {
    const follow = (): void => useShell.setState({ hash: location.hash })
    follow()
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  const show = (view: ViewName): void => {
    const address = addresses[view]
    if (address !== undefined) location.assign(address)
    else {
      setChosen(view)
      if (addressedView(location.hash) !== null) location.assign(listAddress(null))
    }
    // At once, not after the event.
    useShell.setState({ hash: location.hash })
  }
  return [addressedView(hash) ?? chosen, show]
}

const addresses: { readonly [V in ViewName]?: string } = {
  rehearsals: '#/rehearse',
}

function addressedView(hash: string): ViewName | null {
  return rehearsePlaceOf(hash) === null ? null : 'rehearsals'
}

function Authorization({ log }: { readonly log: PageLog }) {
  const { integrations, endpoints, tokens, runs } = log
  const authorization = {
    integrations: [...integrations],
    endpoints: [...endpoints],
    tokens: [...tokens],
    runs: runs.map(({ run }) => run).toReversed(),
  }
  return (
    <>
      <h1 className="visually-hidden">Authorization</h1>
      <AuthorizationView data={authorization} at={Date.parse(log.head.exportedAt)} />
    </>
  )
}

interface AboutDialogProps {
  readonly log: PageLog
  readonly open: boolean
  readonly onClose: () => void
}

/** Dialog with the content of the log, its redaction, and its origin. */
function AboutDialog({ log, open, onClose }: AboutDialogProps) {
  const { head, end, rows, integrations, endpoints, tokens, runs, rehearsals } = log
  const { redaction } = head
  const [first, last] = [rows[0], rows.at(-1)]
  const beside = [
    integrations.length > 0 && plural(integrations.length, 'integration', 'integrations'),
    endpoints.length > 0 && plural(endpoints.length, 'endpoint', 'endpoints'),
    tokens.length > 0 && plural(tokens.length, 'token', 'tokens'),
    runs.length > 0 && plural(runs.length, 'authorization', 'authorizations'),
    rehearsals.length > 0 && plural(rehearsals.length, 'rehearsal', 'rehearsals'),
  ].filter((part) => part !== false)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="About this log"
      description="A copy of captured deliveries in one file. It makes no network requests."
      wide
    >
      <Stack gap={5} marginTop={5}>
        <Note tone={redaction.on ? 'info' : 'warning'}>
          <Shown text={truncate(redaction.note, 1000)} />
        </Note>
        <dl className="definitions size-s">
          <Fact label="Exported">{minuteOf(Date.parse(head.exportedAt))}</Fact>
          <Fact label="Written by">
            Tabscope <Shown text={truncate(head.app, 60)} />
          </Fact>
          <Fact label="Selection">
            <Shown text={truncate(scopeWords(head.scope), 4200)} />
          </Fact>
          <Fact label="Deliveries">{plural(rows.length, 'delivery', 'deliveries')}</Fact>
          {first && last && (
            <Fact label="Received">
              {localTime(first.receivedAt)} to {localTime(last.receivedAt)}
            </Fact>
          )}
          {beside.length > 0 && <Fact label="Also included">{beside.join(', ')}</Fact>}
          {redaction.on && (
            <Fact label="Redacted">
              {redaction.list !== null && `with list ${redaction.list}: `}
              {removedLabel(end?.removed ?? {})}
            </Fact>
          )}
          {redaction.kept.length > 0 && (
            <Fact label="Fields kept">
              <Shown text={truncate(redaction.kept.join(', '), 4000)} />
            </Fact>
          )}
          {redaction.masked.length > 0 && (
            <Fact label="Fields masked">
              <Shown text={truncate(redaction.masked.join(', '), 4000)} />
            </Fact>
          )}
        </dl>
      </Stack>
    </Dialog>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className="selectable">{children}</dd>
    </>
  )
}

/** Describes which deliveries were requested. */
function scopeWords({ filter, from, to, selected, traceOf }: LogScope): string {
  const parts = [
    ...(selected === null ? [] : [plural(selected, 'selected delivery', 'selected deliveries')]),
    ...(traceOf === null ? [] : [`the trace of #${traceOf}`]),
    ...(filter === '' ? [] : [`the filter ${filter}`]),
    ...(from === null ? [] : [`from ${localTime(from)}`]),
    ...(to === null ? [] : [`before ${localTime(to)}`]),
  ]
  return parts.length === 0 ? 'all deliveries' : parts.join(', ')
}

/** `Sat, 21 Nov 2026, 21:09`, in the zone of this machine. `at`: milliseconds since the epoch. */
function minuteOf(at: number): string {
  return `${dayOf(at)}, ${clockMinutes(at)}`
}

/** Error page for a log that cannot be opened. */
export function Unreadable({ message }: { readonly message: string }) {
  return (
    <main className="full">
      <h1 className="visually-hidden">Event log</h1>
      <Empty icon={<FileWarning aria-hidden />} title="This event log cannot be opened">
        {message}
      </Empty>
    </main>
  )
}

const key = 'tabscope.page.theme'

/** Returns the last selected theme, if the browser provides storage to local files. */
export function storedTheme(): Settings['theme'] {
  const stored = loadText(key)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function storeTheme(theme: Settings['theme']): void {
  saveText(key, theme)
}
